"""Lints of what a schema declares: keywords, references, methods, capabilities, RFDs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from ...errors import Fault, quoted
from ...jsonvalue import is_json_object
from ...schema import faults
from ...schema.capabilities import advertised, gates_of, resolve_gate
from ...schema.keywords import ANNOTATIONS, EXTENSIONS, GENERAL, TYPED, advice
from ...schema.load import ROLES
from ...schema.model import Boolean, Nullable, references
from ...schema.nodes import near_definition
from ...schema.project import ERROR
from ...schema.read import join, pointer_parts
from ..findings import Check, Effect, Hit, Level, Rule
from ..schemas import Loaded, Raw, schemas
from ..stages import is_stable

SIDES = ("agent", "client", "both", "protocol")
_SIDE = re.compile(r"[a-z][a-z0-9]*")
_METHOD = re.compile(r"(?:\$/|_)?[a-z][a-z0-9_]*(?:/[a-z][a-z0-9_]*)*")


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
                hint = f"write {near[0]}, if that is what is meant" if near else ""
                text = f"{keyword} is not known and is ignored"
                yield Hit(message=text, pointer=join(pointer, keyword), instead=hint)


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


# --- methods ------------------------------------------------------------------------------------------------------------


def _declared(raw: Raw) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name, node in raw.definitions.items():
        if "x-method" in node or "x-side" in node:
            yield name, join("", "$defs", name), node


def _without_side(raw: Raw) -> Iterator[Hit]:
    for name, pointer, node in _declared(raw):
        for keyword, other in (("x-side", "x-method"), ("x-method", "x-side")):
            if keyword not in node:
                yield Hit(message=f"{name} has {other} but no {keyword}", pointer=pointer)


def _side(raw: Raw) -> Iterator[Hit]:
    counts: dict[object, int] = {}
    for _, _, node in _declared(raw):
        side = node.get("x-side")
        counts[quoted(side)] = counts.get(quoted(side), 0) + 1
    for _, pointer, node in _declared(raw):
        side = node.get("x-side")
        if side is None or side in SIDES:
            continue
        near = get_close_matches(str(side), SIDES, 1, 0.75)
        if not isinstance(side, str) or not _SIDE.fullmatch(side):
            yield Hit(message=f"{quoted(side)} is no side: one lower-case word", pointer=join(pointer, "x-side"))
        elif near and counts[quoted(side)] <= 2:
            yield Hit(message=f"nobody is {quoted(side)}; did you mean {near[0]}?", pointer=join(pointer, "x-side"))


def _is_side(side: object) -> bool:
    """Whether a side is one, or may well be a further one."""
    return isinstance(side, str) and (side in SIDES or not get_close_matches(side, SIDES, 1, 0.75))


def _stem(name: str) -> str:
    return next((name.removesuffix(role) for role in ROLES if name.endswith(role)), name)


def _suffix(raw: Raw) -> Iterator[Hit]:
    for name, pointer, _ in _declared(raw):
        if not name.endswith(ROLES):
            ends = ", ".join(f"...{role}" for role in ROLES)
            yield Hit(message=f"{name} belongs to a method, so it must be called {ends}", pointer=pointer)


def _response(raw: Raw) -> Iterator[Hit]:
    roles: dict[tuple[str, str], dict[str, str]] = {}
    for name, pointer, node in _declared(raw):
        for role in ROLES:
            if name.endswith(role):
                roles.setdefault((quoted(node.get("x-side")), quoted(node.get("x-method"))), {})[role] = pointer
    doubtful = [
        (name, node)
        for name, _, node in _declared(raw)
        if not isinstance(node.get("x-method"), str) or not _is_side(node.get("x-side")) or not name.endswith(ROLES)
    ]
    broken = {quoted(node.get("x-method")) for _, node in doubtful}
    stems = {_stem(name) for name, _ in doubtful}
    for (_, method), found in roles.items():
        if method in broken or any(_stem(pointer_parts(pointer)[-1]) in stems for pointer in found.values()):
            continue  # said by another rule
        others = [o for (_, m), o in roles.items() if m == method and o is not found and len(o) == 1]
        other = others[0] if others else dict[str, str]()
        if "Response" in found and "Request" in other and "Request" not in found:
            text = f"the result of {method} is on another side than its params"
            at = join(found["Response"], "x-side")
            yield Hit(message=text, pointer=at, instead="write the same x-side on both")
            continue
        if "Request" in found and "Response" in other and "Response" not in found:
            continue  # said at the result
        if "Request" in found and "Response" not in found:
            yield Hit(
                message=f"the request {method} has params but no result (no ...Response)", pointer=found["Request"]
            )
        if "Response" in found and "Request" not in found:
            yield Hit(
                message=f"the request {method} has a result but no params (no ...Request)", pointer=found["Response"]
            )


def _method_name(raw: Raw) -> Iterator[Hit]:
    for name, pointer, node in _declared(raw):
        path = node.get("x-method")
        if isinstance(path, str) and not name.endswith("Response") and not _METHOD.fullmatch(path):
            text = f"the method name {quoted(path)} is not made of lower-case words with slashes between"
            yield Hit(message=text, pointer=join(pointer, "x-method"))


def _underscore(raw: Raw) -> Iterator[Hit]:
    for name, pointer, node in _declared(raw):
        path = node.get("x-method")
        if isinstance(path, str) and not name.endswith("Response") and path.startswith("_") and raw.own(pointer):
            text = f"names like {quoted(path)} are left to implementations; the protocol's own do not start with _"
            yield Hit(message=text, pointer=join(pointer, "x-method"))
    for pointer, node in raw.nodes:
        properties = node.get("properties")
        for name in properties if is_json_object(properties) else ():
            if name.startswith("_") and name != "_meta" and raw.own(join(pointer, "properties", name)):
                text = f"properties like {quoted(name)} are left to implementations; the protocol's own do not start with _"
                yield Hit(message=text, pointer=join(pointer, "properties", name))
        constant = node.get("const")
        if isinstance(constant, str) and constant.startswith("_") and raw.own(pointer):
            text = f"values like {quoted(constant)} are left to implementations; the protocol's own do not start with _"
            yield Hit(message=text, pointer=join(pointer, "const"))


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
            yield Hit(message=f"nobody advertises {quoted(gate)}", pointer=join(pointer, "x-capability"))


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
            if type_ is None or not loaded.views.is_object(type_):
                continue
            for field in loaded.views.view(type_).fields.values():
                if field.pointer in seen or field.name.startswith("_"):
                    continue
                seen.add(field.pointer)
                plain = loaded.views.plain(field.type)
                if isinstance(plain, Nullable):
                    plain = loaded.views.plain(plain.inner)
                if isinstance(plain, Boolean):
                    owner = field.pointer.split("/")[2]
                    yield Hit(message=f"{owner}.{field.name} can never say more than yes", pointer=field.pointer)
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
            hint = f"add it to x-rfds, or write {quoted(near[0])}, if that is what is meant" if near else ""
            text = f"the RFD {quoted(name)} is not in x-rfds"
            yield Hit(message=text, pointer=join(pointer, "x-rfd"), instead=hint)


def _rfd_unused(raw: Raw) -> Iterator[Hit]:
    used = [node.get("x-rfd") for _, node in raw.nodes]
    for name in _rfds(raw):
        if name not in used:
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


def _row(id_: str, level: Level, on: type, check: Check, purpose: str, instead: str, reasoning: str = "") -> Rule:
    return Rule(
        id=id_,
        family="declarations",
        effect=Effect.LINT,
        level=level,
        on=on,
        check=check,
        purpose=purpose,
        instead=instead,
        reasoning=reasoning,
    )


def _fault(fault: Fault, on: type, check: Check) -> Rule:
    """A lint that finds what loading refuses too, wherever else the schema is wrong."""
    return _row(fault.id, Level.error, on, check, fault.purpose, fault.instead, fault.reasoning)


E, W = Level.error, Level.warning

ROWS = (
    _fault(faults.REFERENCE, Raw, _references),
    _fault(faults.KEYWORD, Raw, _keywords),
    _row(
        "unknown-extension-keyword",
        W,
        Raw,
        _extensions,
        "An `x-` keyword that nothing reads.",
        "correct the spelling, or remove it",
    ),
    _fault(faults.NO_SIDE, Raw, _without_side),
    _fault(faults.SIDE, Raw, _side),
    _fault(faults.SUFFIX, Raw, _suffix),
    _fault(faults.NO_RESPONSE, Raw, _response),
    _row(
        "method-name-format",
        W,
        Raw,
        _method_name,
        "A method name unlike all others.",
        "write lower-case words, with _ inside a segment and / between segments",
    ),
    _row(
        "reserved-underscore",
        E,
        Raw,
        _underscore,
        "A name that is left to implementations.",
        "drop the underscore; in an extension document methods of a vendor keep it",
    ),
    _fault(faults.GATE, Loaded, _gate_unknown),
    _row(
        "capability-missing",
        W,
        Loaded,
        _gate_missing,
        "A method that does not say what gates it.",
        "write x-capability: the path of a capability, or false where none decides",
    ),
    _row(
        "capability-is-boolean",
        W,
        Loaded,
        _boolean,
        "A capability that is true or false.",
        "let {} mean yes and absence no, so that options can be added later",
    ),
    _fault(faults.RFD_UNKNOWN, Raw, _rfd_unknown),
    _row("rfd-unused", W, Raw, _rfd_unused, "An RFD of the table that brought nothing.", "remove the entry"),
    _row(
        "stable-refs-unstable",
        E,
        Loaded,
        _stable_refs,
        "Something stable is built on an RFD in progress.",
        "mark the property or variant with the same x-rfd",
        "The stable projection has no such definition, so what refers to it goes too, or breaks.",
    ),
    _row("def-unused", W, Loaded, _unused, "A definition that no message reaches.", "remove it, or use it"),
)
