"""Lints of what a schema declares: keywords, references, capabilities, RFDs; methods have a module of their own."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import Any

from ... import faults
from ...document.jsonvalue import is_json_object
from ...document.keywords import ANNOTATIONS, EXTENSIONS, GENERAL, TYPED, advice, misspelt_extension
from ...document.project import ERROR
from ...document.read import join
from ...document.walk import schemas
from ...errors import quoted
from ...findings.finding import Level
from ...findings.rule import Hit
from ...load.nodes import near_definition
from ...model.capabilities import advertised, gates_of, resolve_gate
from ...model.types import Boolean, Nullable
from ...model.walk import references
from ..schemas import Loaded, Raw
from ..stages import is_stable
from . import declared_methods
from .rows import fault_lint, lint


def _keywords(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        for keyword in node:
            if not keyword.startswith("x-") and keyword not in ANNOTATIONS | GENERAL | TYPED:
                hint = advice(keyword, node[keyword], GENERAL | TYPED | ANNOTATIONS)
                text = f"the keyword {quoted(keyword)} is not supported"
                yield Hit(message=text, pointer=join(pointer, keyword), instead=hint)


def _extensions(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        for keyword in node:
            if keyword.startswith("x-") and keyword not in EXTENSIONS:
                near = get_close_matches(keyword, EXTENSIONS, 1)
                hint = f"write {near[0]}, if you mean that" if near else ""
                misspelt = misspelt_extension(keyword)
                text = f"{keyword} is not a keyword" if misspelt else f"{keyword} is unknown; it is ignored"
                ceiling = Level.error if misspelt else Level.warning
                yield Hit(message=text, pointer=join(pointer, keyword), instead=hint, ceiling=ceiling)


def _references(raw: Raw) -> Iterator[Hit]:
    known: dict[str, Any] = raw.document.value.get("$defs", {})
    for pointer, node in raw.nodes:
        target = node.get("$ref")
        if "$ref" in node and not (
            isinstance(target, str) and target.startswith("#/$defs/") and _name(target) in known
        ):
            hint = near_definition(target, known)
            yield Hit(message=f"{quoted(target)} points at nothing", pointer=join(pointer, "$ref"), instead=hint)


def _name(target: str) -> str:
    return target.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")


# --- capabilities --------------------------------------------------------------------------------------------------------


def _receivers(loaded: Loaded) -> dict[str, set[str]]:
    """The sides that receive a method, by the pointer of its params."""
    found: dict[str, set[str]] = {}
    for method in loaded.schema.methods:
        found.setdefault(method.pointer, set()).update(("agent", "client") if method.side == "both" else (method.side,))
    return found


def _gate_unknown(loaded: Loaded) -> Iterator[Hit]:
    if loaded.schema.handshake is None:
        return
    receivers = _receivers(loaded)
    for gate, pointer in gates_of(loaded.schema):
        sides = receivers.get(pointer, {"agent", "client"})
        if not any(resolve_gate(loaded.schema, side, gate) for side in sides):
            yield Hit(message=f"no peer can advertise {quoted(gate)}", pointer=join(pointer, "x-capability"))


def _gate_missing(loaded: Loaded) -> Iterator[Hit]:
    if loaded.annotated:
        for method in loaded.schema.methods:
            if method.gated is None and method.side != "protocol":
                yield Hit(message=f"nothing says whether a capability gates {method.path}", pointer=method.pointer)


def _boolean(loaded: Loaded) -> Iterator[Hit]:
    handshake = loaded.schema.handshake
    for side in handshake.capabilities if handshake is not None else ():
        waiting = [advertised(loaded.schema, side)]
        seen: set[str] = set()
        while waiting:
            type_ = waiting.pop()
            if type_ is None or not loaded.forms.is_object(type_):
                continue
            for field in loaded.forms.form(type_).fields.values():
                if field.pointer in seen or field.name.startswith("_"):
                    continue
                seen.add(field.pointer)
                plain = loaded.forms.plain(field.type)
                if isinstance(plain, Nullable):
                    plain = loaded.forms.plain(plain.inner)
                if isinstance(plain, Boolean):
                    owner = field.pointer.split("/")[2]
                    yield Hit(message=f"{owner}.{field.name} can only say yes or no", pointer=field.pointer)
                waiting.append(plain)


# --- RFDs ----------------------------------------------------------------------------------------------------------------


def _rfds(raw: Raw) -> dict[str, Any]:
    table = raw.document.value.get("x-rfds")
    return table if is_json_object(table) else {}


def _rfd_unknown(raw: Raw) -> Iterator[Hit]:
    table = _rfds(raw)
    for pointer, node in raw.nodes:
        name = node.get("x-rfd")
        if isinstance(name, str) and name not in table:
            near = get_close_matches(name, table, 1)
            hint = f"add it to x-rfds, or write {quoted(near[0])}, if you mean that" if near else ""
            text = f"RFD {quoted(name)} is not listed in x-rfds"
            yield Hit(message=text, pointer=join(pointer, "x-rfd"), instead=hint)


def _rfd_unused(raw: Raw) -> Iterator[Hit]:
    used = [node.get("x-rfd") for _, node in raw.nodes]
    requiring = raw.document.value.get("x-requirements")
    for name in _rfds(raw):
        if name not in used and not (is_json_object(requiring) and requiring.get(name)):
            yield Hit(
                message=f"nothing in the schema belongs to the RFD {quoted(name)}", pointer=join("", "x-rfds", name)
            )


def _stable_refs(loaded: Loaded) -> Iterator[Hit]:
    schema = loaded.schema
    unstable = {d.name for d in loaded.definitions() if not is_stable(schema, d.rfd)}
    for name, node in loaded.raw.definitions.items():
        if name in unstable:
            continue
        marked: list[str] = []
        for pointer, inner in schemas(node, join("", "$defs", name)):
            rfd = inner.get("x-rfd")
            if isinstance(rfd, str) and not is_stable(schema, rfd):
                marked.append(pointer)
            reference = inner.get("$ref")
            target = _name(reference) if isinstance(reference, str) else ""
            under = any(pointer == at or pointer.startswith(f"{at}/") for at in marked)
            if target in unstable and not under:
                text = f"this is stable, but {target} belongs to the RFD {quoted(schema.definitions[target].rfd)}"
                yield Hit(message=text, pointer=join(pointer, "$ref"))


def _unused(loaded: Loaded) -> Iterator[Hit]:
    reached = {n for m in loaded.schema.methods for n in (m.params, m.result) if n} | {ERROR}
    waiting = [n for n in reached if n in loaded.schema.definitions]
    for _, node in _enveloped(loaded):
        if node not in reached and node in loaded.schema.definitions:
            reached.add(node)
            waiting.append(node)
    while waiting:
        for name in references(loaded.schema.definitions[waiting.pop()].type):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    for definition in loaded.definitions():
        if definition.name not in reached:
            yield Hit(message=f"no message reaches {definition.name}", pointer=definition.pointer)


def _enveloped(loaded: Loaded) -> Iterator[tuple[str, str]]:
    for node in loaded.raw.document.value.get("$defs", {}).values():
        if is_json_object(node) and node.get("x-docs-ignore") is True:
            for pointer, inner in schemas(node, ""):
                if isinstance(inner.get("$ref"), str):
                    yield pointer, _name(inner["$ref"])


E, W = Level.error, Level.warning

_row = partial(lint, "declarations")

ROWS = (
    fault_lint("declarations", faults.REFERENCE, Raw, _references),
    fault_lint("declarations", faults.KEYWORD, Raw, _keywords),
    fault_lint("declarations", faults.MISSPELT, Raw, _extensions),
    *declared_methods.ROWS,
    fault_lint("declarations", faults.GATE, Loaded, _gate_unknown),
    _row(
        "capability-missing",
        W,
        Loaded,
        _gate_missing,
        "A method without `x-capability`.",
        "write x-capability: the path of a capability, or false if none gates the method",
    ),
    _row(
        "capability-is-boolean",
        W,
        Loaded,
        _boolean,
        "A capability that is true or false.",
        "let {} mean yes and absence no, so that options can be added later",
    ),
    fault_lint("declarations", faults.RFD_UNKNOWN, Raw, _rfd_unknown),
    _row(
        "rfd-unused",
        W,
        Raw,
        _rfd_unused,
        "An RFD in x-rfds that brought nothing and requires nothing.",
        "remove the entry",
    ),
    _row(
        "stable-refs-unstable",
        E,
        Loaded,
        _stable_refs,
        "A stable part refers to a definition of an RFD in progress.",
        "mark the property or variant with the same x-rfd",
        "The stable projection does not contain that definition, so what refers to it is removed too, or breaks.",
    ),
    _row(
        "def-unused",
        W,
        Loaded,
        _unused,
        "A definition that no message reaches.",
        "remove it, or use it",
    ),
)
