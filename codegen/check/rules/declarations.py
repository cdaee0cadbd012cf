"""Lints of declarations: keywords, references, methods with their sides, names and results, capabilities, RFDs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ... import diagnostics
from ...document.json_types import is_json_object
from ...document.keywords import ANNOTATIONS, EXTENSIONS, GENERAL, TYPED, advice, misspelt_extension
from ...document.projection import ERROR
from ...document.read import join, pointer_parts
from ...document.walk import schemas
from ...errors import meant, quoted
from ...findings.finding import Level
from ...findings.rule import Hit
from ...load.nodes import near_definition
from ...model.nodes.capabilities import received_gates, resolve_gate
from ...model.nodes.types import ROLES, Boolean
from ...model.nodes.walk import reached
from ..parts.schemas import Loaded, Raw, enveloped
from ..parts.stages import is_stable
from .rows import Rows, fault_lint

SIDES = ("agent", "client", "both", "protocol")
_SIDE = re.compile(r"[a-z][a-z0-9]*")
_METHOD = re.compile(r"(?:\$/|_|_[a-z0-9.-]+/)?[a-z][a-z0-9_]*(?:/[a-z][a-z0-9_]*)*")
"""A vendor's key, which may be a host name, and the segments after it."""


def _declared(raw: Raw) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name, node in raw.definitions.items():
        if "x-method" in node or "x-side" in node:
            yield name, join("", "$defs", name), node


def _without_side(raw: Raw) -> Iterator[Hit]:
    for name, pointer, node in _declared(raw):
        for keyword, other in (("x-side", "x-method"), ("x-method", "x-side")):
            if keyword not in node:
                yield Hit(f"{name} has {other} but no {keyword}", pointer)


def _side(raw: Raw) -> Iterator[Hit]:
    counts: dict[object, int] = {}
    sides: list[object] = []  # those of the schema itself; a vendor's extension adds none
    for _, pointer, node in _declared(raw):
        side = node.get("x-side")
        sides += [side] if raw.own(pointer) else []
        counts[quoted(side)] = counts.get(quoted(side), 0) + 1
    for _, pointer, node in _declared(raw):
        side = node.get("x-side")
        if side is None or side in SIDES:
            continue
        near = meant(str(side), SIDES, 0.75)
        known = {*SIDES, *(one for one in sides if isinstance(one, str))}
        if not isinstance(side, str) or not _SIDE.fullmatch(side):
            yield Hit(f"{quoted(side)} is not a valid side; expected one lower-case word", join(pointer, "x-side"))
        elif near and counts[quoted(side)] <= 2:
            yield Hit(f"unknown side {quoted(side)}; did you mean {near}?", join(pointer, "x-side"))
        elif side not in known and "x-rfd" not in node:
            text = f"unknown side {quoted(side)}; the schema has {', '.join(sorted(known))}"
            yield Hit(text, join(pointer, "x-side"))


def _is_side(side: object) -> bool:
    """Return whether a side is known or plausible."""
    return isinstance(side, str) and (side in SIDES or not meant(side, SIDES, 0.75))


def _stem(name: str) -> str:
    return next((name.removesuffix(role) for role in ROLES if name.endswith(role)), name)


def _suffix(raw: Raw) -> Iterator[Hit]:
    for name, pointer, _ in _declared(raw):
        if not name.endswith(ROLES):
            ends = ", ".join(f"...{role}" for role in ROLES)
            yield Hit(f"{name} belongs to a method, so it must be called {ends}", pointer)


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
    by_method: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for (_, method), found in roles.items():
        by_method[method].append(found)
    broken = {quoted(node.get("x-method")) for _, node in doubtful}
    stems = {_stem(name) for name, _ in doubtful}
    for (_, method), found in roles.items():
        if method in broken or any(_stem(pointer_parts(pointer)[-1]) in stems for pointer in found.values()):
            continue  # said by another rule
        others = [o for o in by_method[method] if o is not found and len(o) == 1]
        other = others[0] if others else dict[str, str]()
        yield from _half(raw, method, found, other)


def _half(raw: Raw, method: str, found: dict[str, str], other: dict[str, str]) -> Iterator[Hit]:
    """The problem of a request that has only params or only a result. `other`: the other side's part of the method."""
    request, response = found.get("Request"), found.get("Response")
    if (request is None) == (response is None):
        return
    if response is not None and "Request" in other:
        text = f"the result of {method} is on another side than its params"
        yield Hit(text, join(response, "x-side"), instead="write the same x-side on both")
    elif request is not None and "Response" in other:
        return  # said at the result
    elif (other_name := _other_name(raw, found)) is not None:
        yield from other_name
    elif request is not None:
        yield Hit(f"the request {method} has params but no result (no ...Response)", request)
    else:
        yield Hit(f"the request {method} has a result but no params (no ...Request)", response)


def _other_name(raw: Raw, found: dict[str, str]) -> list[Hit] | None:
    """The problem of params and a result with one name but different methods, reported once; None if they agree."""
    role, other = ("Request", "Response") if "Request" in found else ("Response", "Request")
    if other in found or role not in found:
        return None
    name = pointer_parts(found[role])[-1]
    twin = f"{_stem(name)}{other}"
    method, twins = (raw.definitions.get(one, {}).get("x-method") for one in (name, twin))
    if not isinstance(twins, str) or twins == method:
        return None
    if role == "Request":
        return []  # said at the result
    text = f"{twin} belongs to the method {quoted(twins)}, but {name} to {quoted(method)}"
    return [Hit(text, join(found[role], "x-method"), instead="write the same x-method on both")]


def _method_name(raw: Raw) -> Iterator[Hit]:
    for name, pointer, node in _declared(raw):
        path = node.get("x-method")
        if isinstance(path, str) and not name.endswith("Response") and not _METHOD.fullmatch(path):
            text = f"the method name {quoted(path)} must consist of lower-case words separated by slashes"
            yield Hit(text, join(pointer, "x-method"))


def _underscore(raw: Raw) -> Iterator[Hit]:
    for name, pointer, node in _declared(raw):
        path = node.get("x-method")
        if isinstance(path, str) and not name.endswith("Response") and path.startswith("_") and raw.own(pointer):
            text = f"names that start with _, such as {quoted(path)}, are reserved for implementations"
            yield Hit(text, join(pointer, "x-method"))
    for pointer, node in raw.nodes:
        properties = node.get("properties")
        for name in properties if is_json_object(properties) else ():
            if name.startswith("_") and name != "_meta" and raw.own(join(pointer, "properties", name)):
                text = f"properties that start with _, such as {quoted(name)}, are reserved for implementations"
                yield Hit(text, join(pointer, "properties", name))
        constant = node.get("const")
        if isinstance(constant, str) and constant.startswith("_") and raw.own(pointer):
            text = f"values that start with _, such as {quoted(constant)}, are reserved for implementations"
            yield Hit(text, join(pointer, "const"))


def _keywords(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        for keyword in node:
            if not keyword.startswith("x-") and keyword not in ANNOTATIONS | GENERAL | TYPED:
                hint = advice(keyword, node[keyword], GENERAL | TYPED | ANNOTATIONS)
                yield Hit(f"the keyword {quoted(keyword)} is not supported", join(pointer, keyword), instead=hint)


def _extensions(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        for keyword in node:
            if keyword.startswith("x-") and keyword not in EXTENSIONS:
                hint = meant(keyword, EXTENSIONS, text="did you mean {}?")
                misspelt = misspelt_extension(keyword)
                text = f"{keyword} is not a keyword" if misspelt else f"unknown keyword {keyword} is ignored"
                ceiling = Level.error if misspelt else Level.warning
                yield Hit(text, join(pointer, keyword), instead=hint, ceiling=ceiling)


def _references(raw: Raw) -> Iterator[Hit]:
    known: dict[str, Any] = raw.document.value.get("$defs", {})
    for pointer, node in raw.nodes:
        target = node.get("$ref")
        if "$ref" in node and not (
            isinstance(target, str) and target.startswith("#/$defs/") and _name(target) in known
        ):
            hint = near_definition(target, known)
            yield Hit(f"{quoted(target)} does not exist", join(pointer, "$ref"), instead=hint)


def _name(target: str) -> str:
    return "/".join(pointer_parts(target)[1:])


# --- capabilities --------------------------------------------------------------------------------------------------------


def _gate_unknown(loaded: Loaded) -> Iterator[Hit]:
    for gate, pointer, sides in received_gates(loaded.schema) if loaded.schema.handshake is not None else ():
        if not any(resolve_gate(loaded.schema, side, gate) for side in sides):
            side, other = ("client", "agent") if "client" in sides else ("agent", "client")
            text, hint = f"{quoted(gate)} is not a capability that a peer can advertise", ""
            if resolve_gate(loaded.schema, other, gate):
                text = f"{quoted(gate)} is a capability of the {other}, but the {side} receives this part"
                hint = f"name a capability of the {side}, or write {quoted(f'{other}:{gate}')} if you mean it"
            yield Hit(text, join(pointer, "x-capability"), instead=hint)


def _gate_missing(loaded: Loaded) -> Iterator[Hit]:
    if loaded.annotated:
        for method in loaded.schema.methods:
            if method.gated is None and method.side != "protocol":
                yield Hit(f"{method.path} does not state whether a capability gates it", method.pointer)


def _boolean(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.capabilities():
        if isinstance(loaded.forms.core(field.type), Boolean):
            yield Hit(
                f"{field.pointer.split('/')[2]}.{field.name} is true or false, so no options can be added later",
                field.pointer,
            )


# --- RFDs ----------------------------------------------------------------------------------------------------------------


def _rfds(raw: Raw) -> dict[str, Any]:
    table = raw.document.value.get("x-rfds")
    return table if is_json_object(table) else {}


def _rfd_unknown(raw: Raw) -> Iterator[Hit]:
    table = _rfds(raw)
    for pointer, node in raw.nodes:
        name = node.get("x-rfd")
        if isinstance(name, str) and name not in table:
            near = meant(name, table)
            hint = f"add it to x-rfds; did you mean {quoted(near)}?" if near else ""
            yield Hit(f"RFD {quoted(name)} is not listed in x-rfds", join(pointer, "x-rfd"), instead=hint)


def _rfd_unused(raw: Raw) -> Iterator[Hit]:
    used = [node.get("x-rfd") for _, node in raw.nodes]
    requiring = raw.document.value.get("x-requirements")
    for name in _rfds(raw):
        if name not in used and not (is_json_object(requiring) and requiring.get(name)):
            yield Hit(f"the RFD {quoted(name)} has no parts in the schema", join("", "x-rfds", name))


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
                text = f"this part is stable, but {target} belongs to the RFD {quoted(schema.definitions[target].rfd)}"
                yield Hit(text, join(pointer, "$ref"))


def _unused(loaded: Loaded) -> Iterator[Hit]:
    ends = [name for m in loaded.schema.methods for name in (m.params, m.result) if name]
    known = reached(loaded.schema.definitions, [ERROR, *ends, *enveloped(loaded.raw.document)])
    for definition in loaded.definitions():
        if definition.name not in known:
            yield Hit(f"no message contains {definition.name}", definition.pointer)


_rules = Rows(
    """
# declarations

method-name-format (warning)
    A method name that does not consist of lower-case words separated by slashes.
    Instead: write lower-case words, with _ within a segment and / between segments

reserved-underscore (error)
    A name that starts with `_`, which is reserved for implementations.
    Instead: drop the underscore; methods of a vendor in an extension document keep it

capability-missing (warning)
    A method without `x-capability`.
    Instead: write x-capability: the path of a capability, or false if none gates the method

capability-is-boolean (warning)
    A capability that is true or false.
    Instead: use an object: {} means yes, absence means no, and options can be added later

rfd-unused (warning)
    An RFD in x-rfds without parts and without requirements.
    Instead: remove the entry

stable-refs-unstable (error)
    A stable part refers to a definition of an RFD in progress.
    Why: The stable projection does not contain that definition, so the parts that refer to it are removed or invalid.
    Instead: mark the property or variant with the same x-rfd

def-unused (warning)
    A definition that no message contains.
    Instead: remove it, or use it
"""
)

ROWS = (
    fault_lint("declarations", diagnostics.REFERENCE, Raw, _references),
    fault_lint("declarations", diagnostics.KEYWORD, Raw, _keywords),
    fault_lint("declarations", diagnostics.MISSPELT, Raw, _extensions),
    fault_lint("declarations", diagnostics.NO_SIDE, Raw, _without_side),
    fault_lint("declarations", diagnostics.SIDE, Raw, _side),
    fault_lint("declarations", diagnostics.SUFFIX, Raw, _suffix),
    fault_lint("declarations", diagnostics.NO_RESPONSE, Raw, _response),
    _rules.lint("method-name-format", Raw, _method_name),
    _rules.lint("reserved-underscore", Raw, _underscore),
    fault_lint("declarations", diagnostics.GATE, Loaded, _gate_unknown),
    _rules.lint("capability-missing", Loaded, _gate_missing),
    _rules.lint("capability-is-boolean", Loaded, _boolean),
    fault_lint("declarations", diagnostics.RFD_UNKNOWN, Raw, _rfd_unknown),
    _rules.lint("rfd-unused", Raw, _rfd_unused),
    _rules.lint("stable-refs-unstable", Loaded, _stable_refs),
    _rules.lint("def-unused", Loaded, _unused),
)
