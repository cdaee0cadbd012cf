"""Fixes for rules with a single remedy. Editors offer them; `check --fix` applies the safe ones.

A fix changes a copy of the document's value. Most fixes of changes restore keywords, members or items of the baseline.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..document.json_types import is_json_array, is_json_object
from ..document.read import Document, join, pointer_parts
from ..document.text_edit import rewritten
from ..document.walk import part_at, schemas
from ..findings.finding import Finding


class Case(Struct, frozen=True):
    """A finding, the document to change, and the baseline, if there is one."""

    finding: Finding
    value: Any
    old: Any = None

    @property
    def node(self) -> Any:
        """The part of the document that the finding is about."""
        return part_at(self.value, pointer_parts(self.finding.pointer))

    def above(self, levels: int = 1) -> Any:
        """The part that contains it, `levels` levels up."""
        return part_at(self.value, pointer_parts(self.finding.pointer)[:-levels])

    @property
    def name(self) -> str:
        """The last step of its pointer."""
        return pointer_parts(self.finding.pointer)[-1]


Change = Callable[[Case], None]


class Fix(Struct, frozen=True):
    """A fix: its title, and its change of a document. `safe`: it neither affects released peers nor undoes the author's
    work.
    """

    title: str
    change: Change
    safe: bool = False


def fix(finding: Finding, document: Document, old: Document | None) -> tuple[Fix, bytes] | None:
    """The fix of a finding, and the text after it; None if the rule has none, or if it changes nothing here."""
    row = FIXES.get(finding.id)
    if row is None or (row.title == RESTORE and old is None):
        return None
    value = copy.deepcopy(document.value)
    row.change(Case(finding, value, old.value if old is not None else None))
    return (row, rewritten(document.text, value)) if value != document.value else None


# --- restoring -----------------------------------------------------------------------------------------------------------


def _restored(*keywords: str) -> Change:
    """Restore keywords of the part in the baseline; without keywords, the part itself."""

    def restore(case: Case) -> None:
        pointer = case.finding.base_pointer or ""
        steps = pointer_parts(pointer)
        was = part_at(case.old, steps)
        here = part_at(case.value, pointer_parts(case.finding.pointer))
        for keyword in keywords if is_json_object(here) else ():
            here.pop(keyword, None)
            if keyword in was:
                here[keyword] = copy.deepcopy(was[keyword])
        if not keywords:
            if pointer != case.finding.pointer and part_at(case.value, steps) is None and len(steps) > 1:
                _gone(case.value, case.finding.pointer, steps)
            _put(case.old, case.value, steps)
        _closed(case.old, case.value)

    return restore


def _gone(value: Any, pointer: str, steps: Sequence[str]) -> None:
    """Restore the former name of a renamed part, and update the references."""
    new = pointer_parts(pointer)
    if new[:-1] == list(steps[:-1]) and is_json_object(above := part_at(value, new[:-1])):
        del above[new[-1]]
        if new[-2:-1] == ["properties"]:
            _require(part_at(value, new[:-2]), new[-1], required=False)
        if len(new) == 2:  # a definition
            _refer(value, join("#", *new), join("#", *steps))


def _refer(value: Any, before: str, after: str) -> None:
    if is_json_object(value):
        if value.get("$ref") == before:
            value["$ref"] = after
        for part in value.values():
            _refer(part, before, after)
    elif is_json_array(value):
        for part in value:
            _refer(part, before, after)


def _put(old: Any, value: Any, steps: Sequence[str]) -> None:
    """Restore a part of the old document in its place. If its container was removed, restore the container."""
    length = next(n for n in range(len(steps) + 1) if n == len(steps) or part_at(value, steps[: n + 1]) is None)
    steps = steps[: length + 1]
    was, above = copy.deepcopy(part_at(old, steps)), part_at(value, steps[:-1])
    if is_json_array(above):
        others = part_at(old, steps[:-1])
        if len(others) == len(above):
            above[int(steps[-1])] = was
        else:
            above.insert(int(steps[-1]), was)
        return
    now = above.get(steps[-1])
    if is_json_object(now) and is_json_object(was) and steps[-2:-1] == ["properties"]:
        was = {
            **{name: now[name] for name in _WORDS if name in now},
            **{k: v for k, v in was.items() if k not in _WORDS},
        }
    above[steps[-1]] = was
    if steps[-2:-1] == ["properties"]:
        required = part_at(old, steps[:-2]).get("required", [])
        _require(part_at(value, steps[:-2]), steps[-1], required=steps[-1] in required)


_WORDS = ("description", "title", "x-rfd")


def _require(node: Any, name: str, *, required: bool) -> None:
    """Add a property to `required`, or remove it."""
    names = [each for each in node.get("required", []) if each != name] + [name] * required
    if names:
        node["required"] = names
    else:
        node.pop("required", None)


def _closed(old: Any, value: Any) -> None:
    """Restore the definitions that restored parts need: those they refer to, and the other end of a method."""
    while True:
        have = value["$defs"]
        needed = [
            node["$ref"].removeprefix("#/$defs/")
            for _, node in schemas(have, "/$defs", "schemas")
            if isinstance(node.get("$ref"), str)
        ]
        ends = {_end(node) for node in have.values()} - {None}
        needed += [name for name, node in old["$defs"].items() if _end(node) in ends]
        missing = [name for name in needed if name in old["$defs"] and name not in have]
        if not missing:
            return
        have.update({name: copy.deepcopy(old["$defs"][name]) for name in missing})


def _end(node: Any) -> tuple[Any, Any] | None:
    return (
        (node["x-side"], node["x-method"]) if is_json_object(node) and {"x-side", "x-method"} <= node.keys() else None
    )


def _method(case: Case) -> None:
    """Restore the definitions of a method, and remove its counterpart."""
    was = part_at(case.old, pointer_parts(case.finding.base_pointer or ""))
    now = case.node
    ends = {_end(was), _end(now)}
    for name, node in list(case.value["$defs"].items()):
        if _end(node) in ends:
            del case.value["$defs"][name]
    case.value["$defs"].update(
        {name: copy.deepcopy(node) for name, node in case.old["$defs"].items() if _end(node) == _end(was)}
    )
    _closed(case.old, case.value)


def _required_as_before(case: Case) -> None:
    steps = pointer_parts(case.finding.base_pointer or "")
    was = part_at(case.old, steps[:-2]).get("required", [])
    _require(case.above(2), case.name, required=case.name in was)


def _list_as_before(case: Case) -> None:
    _put(case.old, case.value, pointer_parts(case.finding.base_pointer or "")[:-1])


# --- lints ---------------------------------------------------------------------------------------------------------------


def _room(case: Case) -> None:
    """Add `_meta` as other objects have it."""
    nodes = (node for _, node in schemas(case.value.get("$defs", {}), "/$defs", "schemas"))
    usual = next((p["_meta"] for n in nodes if is_json_object(p := n.get("properties")) and "_meta" in p), None)
    room = {"description": "Room for implementations.", "type": ["object", "null"], "additionalProperties": True}
    if is_json_object(case.node) and "$ref" not in case.node:
        case.node.setdefault("properties", {})["_meta"] = copy.deepcopy(usual or room)


def _described(case: Case) -> None:
    """Add a description. A value in an enumeration becomes a constant, which has room for one."""
    node = case.node
    if not is_json_object(node):
        owner = case.above(2)
        owner["oneOf"] = [{"const": each} for each in owner.pop("enum")]
        node = owner["oneOf"][int(case.name)]
    node.setdefault("description", "TODO: describe it.")


def _entered(case: Case) -> None:
    if isinstance(case.node, str):
        entry = {"title": case.node.replace("-", " ").capitalize(), "stage": "draft"}
        case.value.setdefault("x-rfds", {})[case.node] = entry


def _dropped(case: Case) -> None:
    """Remove the part."""
    above = case.above()
    del above[int(case.name) if is_json_array(above) else case.name]


def _useless(case: Case) -> None:
    case.node.pop(case.finding.message.partition(" ")[0], None)


def _lenient(case: Case) -> None:
    case.node.update(dict.fromkeys(_KEYWORD.findall(case.finding.message), True))


_KEYWORD = re.compile(r"x-deserialize-[a-z-]+[a-z]")


def _or_null(case: Case) -> None:
    node = case.node
    node.pop("type", None)
    node["anyOf"] = [{"$ref": node.pop("$ref")}, {"type": "null"}]


def _time(case: Case) -> None:
    case.node["format"] = "date-time"


def _type_of_id(case: Case) -> None:
    reference = {"$ref": case.finding.instead.split('"')[3]}
    node = case.node
    kind = node.pop("type")
    if kind == "array":
        node.update({"type": "array", "items": reference})
    elif "null" in kind:
        node["anyOf"] = [reference, {"type": "null"}]
    else:
        node.update(reference)


def _tag(case: Case) -> None:
    _require(case.above(2), case.name, required=True)


def _not_known(case: Case) -> None:
    """Let the variant for unknown tags exclude the tags of the other variants."""
    variants = [node for node in case.above() if node is not case.node]
    tags = {name: each["const"] for v in variants for name, each in v.get("properties", {}).items() if "const" in each}
    known = [v["properties"][next(iter(tags))]["const"] for v in variants]
    name = next(iter(tags))
    each = [{"properties": {name: {"const": tag}}, "required": [name]} for tag in known]
    case.node["not"] = {"anyOf": each} if each[1:] else each[0]


def _object(case: Case) -> None:
    node = case.node
    node.pop("default", None)
    node["type"] = ["object", "null"]


def _same_rfd(case: Case) -> None:
    target = part_at(case.value, pointer_parts(case.node.removeprefix("#")))
    steps = pointer_parts(case.finding.pointer)
    places = [n for n, step in enumerate(steps) if step in ("properties", "oneOf", "anyOf") and n + 2 <= len(steps)]
    part_at(case.value, steps[: places[-1] + 2] if places else steps[:2])["x-rfd"] = target["x-rfd"]


def _words(name: str) -> Iterator[str]:
    return (word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name))


def _property(spell: Callable[[str], str]) -> Change:
    def rename(case: Case) -> None:
        above, name = case.above(), case.name
        if (new := spell(name)) not in above:
            entries = [(new if each == name else each, node) for each, node in above.items()]
            above.clear()
            above.update(entries)
            names = case.above(2).get("required", [])
            names[:] = [new if each == name else each for each in names]

    return rename


def _camel(name: str) -> str:
    first, *rest = _words(name)
    return first + "".join(word.capitalize() for word in rest)


def _pascal_definition(case: Case) -> None:
    new = "".join(word.capitalize() for word in _words(case.name))
    if new not in case.above():
        _property(lambda _: new)(case)
        _refer(case.value, join("#", "$defs", case.name), f"#/$defs/{new}")


def _snake(case: Case) -> None:
    node = case.node
    if is_json_object(node):
        node["const"] = "_".join(_words(node["const"]))
    else:
        case.above()[int(case.name)] = "_".join(_words(node))


def _method_name(case: Case) -> None:
    name = case.node
    new = "/".join("_".join(_words(segment)) for segment in name.split("/"))
    for node in case.value["$defs"].values():
        if node.get("x-method") == name:
            node["x-method"] = new


RESTORE = "Restore the baseline"
_KEPT: Mapping[str, Sequence[str]] = {
    "method-removed": (), "required-property-removed": (), "optional-property-removed": (), "property-renamed": (),
    "property-became-nullable": (), "property-became-not-nullable": (), "capability-removed": (), "property-type-changed": (),
    "property-type-narrowed": (), "property-type-widened": (), "capability-shape-changed": (), "constraint-tightened": (),
    "constraint-relaxed": (), "map-value-changed": (), "enum-value-removed": (), "enum-closed": (), "const-changed": (),
    "error-code-removed": (), "union-variant-removed": (), "union-tag-value-changed": (), "union-tag-property-changed": (),
    "union-default-variant-changed": (), "union-closed": (), "object-became-union": (), "union-became-object": (),
    "handshake-changed": (), "cancel-changed": (), "ordering-changed": (), "interrupt-changed": (), "remote-changed": (),
    "trace-changed": (), "tunnel-changed": (), "sessions-changed": (), "lists-changed": (), "permission-changed": (), "handles-changed": (),
    "update-changed": (), "rfd-stage-reversed": (), "requirement-removed": (), "requirement-weakened": (),
    "requirement-strengthened": (), "union-became-ambiguous": (), "type-renamed": (), "type-removed": (),
    "alias-became-object": (), "reservation-removed": (), "enum-opened": (), "union-opened": (),
    "idempotent-added": ("x-idempotent",), "idempotent-removed": ("x-idempotent",), "capability-gate-changed": ("x-capability",), "former-name-removed": ("x-was",),
    "default-changed": ("default",), "default-removed": ("default",), "capability-default-enabled": ("default",),
    "leniency-removed": ("x-deserialize-default-on-error", "x-deserialize-default-on-null", "x-deserialize-skip-invalid-items"),
    "additional-properties-closed": ("additionalProperties", "unevaluatedProperties"),
    "deprecation-shortened": ("x-deprecated",), "meaning-reworded": ("description",),
}  # fmt: skip
"""The rules whose remedy is to keep the part, or some of its keywords, as it was."""

FIXES: Mapping[str, Fix] = {
    **{rule: Fix(RESTORE, _restored(*keywords)) for rule, keywords in _KEPT.items()},
    **dict.fromkeys(("method-renamed", "method-side-changed", "method-kind-changed"), Fix(RESTORE, _method)),
    **dict.fromkeys(("property-became-required", "property-became-optional"), Fix(RESTORE, _required_as_before)),
    "error-code-reassigned": Fix(RESTORE, _list_as_before),
    "stable-became-unstable": Fix("Remove x-rfd", _dropped),
    "required-property-added": Fix("Make it optional", lambda case: _require(case.above(2), case.name, required=False)),
    "meta-field-missing": Fix("Add _meta", _room),
    **{f"{part}-undocumented": Fix("Add a description", _described) for part in ("def", "property", "value")},
    "rfd-unknown": Fix("Add it to x-rfds", _entered),
    "rfd-unused": Fix("Remove the entry", _dropped, safe=True),
    "leniency-useless": Fix("Remove the keyword", _useless, safe=True),
    "leniency-missing": Fix("Add the keyword", _lenient, safe=True),
    "capability-is-boolean": Fix("Let {} mean yes", _object),
    **dict.fromkeys(("capability-not-nullable", "null-refused"), Fix("Accept null", _or_null)),
    "time-without-format": Fix("Add the format date-time", _time),
    "id-without-type": Fix("Refer to the type", _type_of_id),
    "union-tag-not-required": Fix("Require the tag", _tag),
    "fallback-without-not": Fix("List the known tags in `not`", _not_known),
    "stable-refs-unstable": Fix("Mark it with the same x-rfd", _same_rfd, safe=True),
    "value-duplicate": Fix("Remove the second", _dropped, safe=True),
    "def-not-pascal-case": Fix("Write it in PascalCase", _pascal_definition),
    "property-not-camel-case": Fix("Write it in camelCase", _property(_camel)),
    "value-not-snake-case": Fix("Write it in snake_case", _snake),
    "method-name-format": Fix("Write it in snake_case", _method_name),
    "reserved-underscore": Fix("Remove the underscore", _property(lambda name: name.lstrip("_"))),
}
