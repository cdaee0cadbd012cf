"""Takes the difference of two published schemas apart into single edits, each of which is judged by itself.

An edit is a method with the definitions it needs, a property, or a variant. It is applied to the old schema alone.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Node = dict[str, Any]
Edit = Callable[[Node], object]
WORDS = {"description", "title", "x-docs-ignore"}


def edits(old: Node, new: Node) -> dict[str, Edit]:
    """Every edit by name, to be `applied` to the old schema."""
    return dict(_changes(old["$defs"], new["$defs"]))


def applied(old: Node, new: Node, chosen: Iterable[Edit]) -> Node:
    """The old schema with some edits on the way to the new one."""
    edited = copy.deepcopy(old)
    for edit in chosen:
        edit(edited["$defs"])
    _close(edited["$defs"], {**old["$defs"], **new["$defs"]}, old["$defs"])
    return edited


def bare(document: Node) -> Node:
    """A published schema without its envelopes."""
    definitions = {
        name: node for name, node in document["$defs"].items() if not node.get("x-docs-ignore") or "x-method" in node
    }
    return {key: value for key, value in document.items() if key not in ("anyOf", "oneOf")} | {"$defs": definitions}


def _changes(before: Node, after: Node) -> Iterator[tuple[str, Edit]]:
    methods = [_methods(definitions) for definitions in (before, after)]
    for key in methods[1].keys() - methods[0].keys():
        added = {name: after[name] for name in methods[1][key]}
        yield f"+ {' '.join(key)}", lambda definitions, added=added: definitions.update(copy.deepcopy(added))
    for key in methods[0].keys() - methods[1].keys():
        lost = methods[0][key]
        yield f"- {' '.join(key)}", lambda definitions, lost=lost: [definitions.pop(name) for name in lost]
    for name in before.keys() & after.keys():
        yield from _inside(name, before[name], after[name])


def _methods(definitions: Node) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for name, node in definitions.items():
        if "x-method" in node:
            found.setdefault((node["x-side"], node["x-method"]), []).append(name)
    return found


def _inside(name: str, old: Node, new: Node) -> Iterator[tuple[str, Edit]]:
    if wordless(old) == wordless(new):
        return
    olds, news = old.get("properties", {}), new.get("properties", {})
    required = [set(side.get("required", [])) for side in (old, new)]
    for key in sorted(olds.keys() | news.keys()):
        parts = [wordless(side.get(key)) for side in (olds, news)]
        if parts[0] == parts[1] and (key in required[0]) == (key in required[1]):
            continue

        def change(definitions: Node, key: str = key) -> None:
            node = definitions[name]
            node.setdefault("properties", {})[key] = copy.deepcopy(news.get(key))
            node["required"] = [n for n in node.get("required", []) if n != key] + [key] * (key in required[1])
            if key not in news:
                del node["properties"][key]

        yield f"{name}.{key}", change
    for word in ("anyOf", "oneOf"):
        variants = [{_key(v): v for v in side.get(word, [])} for side in (old, new)]
        for tag in sorted(variants[0].keys() | variants[1].keys()):
            if wordless(variants[0].get(tag)) != wordless(variants[1].get(tag)):
                chosen = variants[1].get(tag)

                def choose(definitions: Node, word: str = word, tag: str = tag, chosen: Node | None = chosen) -> None:
                    kept = [v for v in definitions[name][word] if _key(v) != tag]
                    definitions[name][word] = kept + ([copy.deepcopy(chosen)] if chosen is not None else [])

                if old.get(word) and new.get(word):
                    yield f"{name}: {tag}", choose
    rest = [
        {k: wordless(v) for k, v in side.items() if k not in WORDS | {"properties", "required"}} for side in (old, new)
    ]
    if not (old.get("anyOf", old.get("oneOf")) and new.get("anyOf", new.get("oneOf"))) and rest[0] != rest[1]:
        yield name, lambda definitions: definitions.update({name: copy.deepcopy(new)})


def _key(variant: Node) -> str:
    constants = [p["const"] for p in variant.get("properties", {}).values() if "const" in p]
    return str(variant.get("const", constants[0] if constants else variant.get("$ref", variant.get("title"))))


def wordless(node: Any, *, names: bool = False) -> Any:
    """A schema without what people read."""
    if isinstance(node, dict):
        return {
            key: value if key in ("default", "const", "enum") else wordless(value, names=key in ("properties", "$defs"))
            for key, value in node.items()
            if names or key not in WORDS
        }
    return [wordless(child) for child in node] if isinstance(node, list) else node


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].rpartition("/")[2]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def _close(definitions: Node, known: Node, before: Node) -> None:
    """Add the definitions that an edit needs, and drop those that nothing needs any more."""
    while missing := set(_references(definitions)) - definitions.keys():
        definitions.update({name: copy.deepcopy(known[name]) for name in missing})
    used = set(_references(before))
    while unused := (used & definitions.keys()) - set(_references(definitions)):
        for name in unused:
            del definitions[name]
