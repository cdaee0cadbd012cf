"""Lints of the methods that a schema declares: their sides, names and ends; and the rows of all such lints."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches
from functools import partial
from typing import Any

from ... import faults
from ...document.jsonvalue import is_json_object
from ...document.read import join, pointer_parts
from ...errors import quoted
from ...findings.finding import Level
from ...findings.rule import Hit
from ...model.types import ROLES
from ..schemas import Raw
from .rows import fault_lint, lint

SIDES = ("agent", "client", "both", "protocol")
_SIDE = re.compile(r"[a-z][a-z0-9]*")
_METHOD = re.compile(r"(?:\$/|_|_[a-z0-9.-]+/)?[a-z][a-z0-9_]*(?:/[a-z][a-z0-9_]*)*")
"""A vendor's key, which may be a host's name, and the segments after it."""


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
    sides: list[object] = []  # those of the schema itself; a vendor's extension adds none
    for _, pointer, node in _declared(raw):
        side = node.get("x-side")
        sides += [side] if raw.own(pointer) else []
        counts[quoted(side)] = counts.get(quoted(side), 0) + 1
    for _, pointer, node in _declared(raw):
        side = node.get("x-side")
        if side is None or side in SIDES:
            continue
        near = get_close_matches(str(side), SIDES, 1, 0.75)
        known = {*SIDES, *(one for one in sides if isinstance(one, str))}
        if not isinstance(side, str) or not _SIDE.fullmatch(side):
            yield Hit(message=f"{quoted(side)} is not a side: one lower-case word", pointer=join(pointer, "x-side"))
        elif near and counts[quoted(side)] <= 2:
            yield Hit(message=f"nobody is {quoted(side)}; did you mean {near[0]}?", pointer=join(pointer, "x-side"))
        elif side not in known and "x-rfd" not in node:
            text = f"the side {quoted(side)} is not one of the schema's: {', '.join(sorted(known))}"
            yield Hit(message=text, pointer=join(pointer, "x-side"))


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
    """What is wrong with a request that has params or a result alone. `other`: what another side has of the method."""
    request, response = found.get("Request"), found.get("Response")
    if (request is None) == (response is None):
        return
    if response is not None and "Request" in other:
        text = f"the result of {method} is on another side than its params"
        yield Hit(message=text, pointer=join(response, "x-side"), instead="write the same x-side on both")
    elif request is not None and "Response" in other:
        return  # said at the result
    elif (other_name := _other_name(raw, found)) is not None:
        yield from other_name
    elif request is not None:
        yield Hit(message=f"the request {method} has params but no result (no ...Response)", pointer=request)
    else:
        yield Hit(message=f"the request {method} has a result but no params (no ...Request)", pointer=response)


def _other_name(raw: Raw, found: dict[str, str]) -> list[Hit] | None:
    """What is wrong where params and result of one name give two methods, told once; None where they do not."""
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
    text = f"{twin} is of the method {quoted(twins)}, {name} of {quoted(method)}"
    return [Hit(message=text, pointer=join(found[role], "x-method"), instead="write the same x-method on both")]


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


E, W = Level.error, Level.warning

_row = partial(lint, "declarations")

ROWS = (
    fault_lint("declarations", faults.NO_SIDE, Raw, _without_side),
    fault_lint("declarations", faults.SIDE, Raw, _side),
    fault_lint("declarations", faults.SUFFIX, Raw, _suffix),
    fault_lint("declarations", faults.NO_RESPONSE, Raw, _response),
    _row(
        "method-name-format",
        W,
        Raw,
        _method_name,
        "A method name that is not lower-case words with slashes between them.",
        "write lower-case words, with _ inside a segment and / between segments",
    ),
    _row(
        "reserved-underscore",
        E,
        Raw,
        _underscore,
        "A name that starts with `_`, which is reserved for implementations.",
        "drop the underscore; in an extension document methods of a vendor keep it",
    ),
)
