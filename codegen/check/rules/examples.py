"""Lints of the example messages beside a schema: there is one for everything, and each is what it claims to be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from ...document.read import join
from ...findings.finding import Level
from ...findings.rule import Hit
from ...model.fits import fits
from ...model.types import Reference, references
from ..schemas import Example, Loaded
from .rows import lint


def _missing(loaded: Loaded) -> Iterator[Hit]:
    if loaded.examples is None:
        return
    by_definition = {example.definition for example in loaded.examples}
    for method in loaded.schema.methods:
        for name in (method.params, method.result):
            if name is not None and name not in by_definition:
                pointer = loaded.schema.definitions[name].pointer
                yield Hit(message=f"no example message shows {name} of {method.path}", pointer=pointer)
    variants = list(_unshown(loaded, loaded.examples))
    if variants and _Judge(loaded).valid:  # what a message that fits nowhere would show, nobody knows
        yield from variants


def _unshown(loaded: Loaded, examples: Sequence[Example]) -> Iterator[Hit]:
    shown: set[str] = set()
    for example in examples:
        fits(loaded.forms, Reference(example.definition), example.value, shown)
    reached = _reached(loaded)
    for definition, union in loaded.unions():
        if definition.name not in reached or len(union.variants) < 2 or not loaded.forms.is_object(union):
            continue
        for variant in union.variants:
            inner = loaded.forms.plain(variant.type)
            if variant.pointer not in shown and not loaded.forms.is_union(inner):
                yield Hit(
                    message=f"no example message shows this variant of {definition.name}", pointer=variant.pointer
                )


def _reached(loaded: Loaded) -> set[str]:
    """The definitions that some message holds."""
    reached = {n for m in loaded.schema.methods for n in (m.params, m.result) if n}
    waiting = list(reached)
    while waiting:
        for name in references(loaded.schema.definitions[waiting.pop()].type):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


def _invalid(loaded: Loaded) -> Iterator[Hit]:
    strays: dict[str, list[str]] = {}
    for path in loaded.unknown_examples:
        strays.setdefault(path.rpartition("/")[0], []).append(path)
    for directory, paths in strays.items():  # a method that is gone leaves a directory behind
        which = f"{paths[0]} belongs" if len(paths) == 1 else f"{len(paths)} files in {directory} belong"
        what = f"{'is' if len(paths) == 1 else 'are'} not JSON"
        yield Hit(message=f"{which} to no method of the schema, or {what}", pointer="/$defs")
    judge = _Judge(loaded)
    refused: dict[str, list[str]] = {}
    for example in loaded.examples or ():
        problem = judge.problem(example)
        if problem is not None:
            pointer, words = problem
            refused.setdefault(pointer, []).append(f"{example.path} is not a valid {example.definition}: {words}")
    for pointer, (first, *rest) in refused.items():  # one edit may break many messages
        more = f"; {len(rest)} more example{'' if len(rest) == 1 else 's'} {_FAIL[len(rest) == 1]} here" if rest else ""
        yield Hit(message=first + more, pointer=pointer)


class _Judge:
    """Validates all examples at once, and one by one only where that fails."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.valid = self._all_valid(loaded.examples or [])

    def _schema(self, names: list[str]) -> str:
        definitions = self.loaded.raw.document.value["$defs"]
        properties = {name: {"items": {"$ref": f"#/$defs/{name}"}} for name in names}
        return json.dumps({"$defs": definitions, "properties": properties})

    def _all_valid(self, examples: list[Example]) -> bool:
        import jsonschema_rs  # noqa: PLC0415  # as for the meta-schema

        by_name: dict[str, list[object]] = {}
        for example in examples:
            by_name.setdefault(example.definition, []).append(example.value)
        if not by_name:
            return True
        return bool(jsonschema_rs.Draft202012Validator(json.loads(self._schema(list(by_name)))).is_valid(by_name))

    def problem(self, example: Example) -> tuple[str, str] | None:
        """The schema that refuses an example, as a pointer, and why."""
        if self.valid:
            return None
        import jsonschema_rs  # noqa: PLC0415

        validator = jsonschema_rs.Draft202012Validator(json.loads(self._schema([example.definition])))
        try:
            validator.validate({example.definition: [example.value]})
        except jsonschema_rs.ValidationError as error:
            return self._place(example, error.schema_path), str(error.message)
        return None

    def _place(self, example: Example, path: Sequence[str | int]) -> str:
        """The schema that a keyword which refuses is in; the definition where it is ours for the sake of judging."""
        pointer = self.loaded.schema.definitions[example.definition].pointer
        known = {node.pointer for node in self.loaded.raw.nodes}
        within = [join("", *path[:end]) for end in range(len(path), 0, -1)]
        return next((place for place in within if place in known), pointer)


_FAIL = {True: "fails", False: "fail"}

ROWS = (
    lint(
        "examples",
        "example-missing",
        Level.warning,
        Loaded,
        _missing,
        "A method or a variant that no example message shows.",
        "add a message under examples/messages/<side>/<method>/",
        "Round-trip tests and readers both live on examples. Without a directory of examples the rule is silent.",
    ),
    lint(
        "examples",
        "example-invalid",
        Level.error,
        Loaded,
        _invalid,
        "An example message that its own schema rejects.",
        "correct the message, or the schema",
    ),
)
