"""The bridge between two schemas: the plan of the converters, and for each message what it loses or rejects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..contracts import Handshake, convert
from ..contracts import plan as p
from ..errors import InputError
from ..model.algebra.conformance import fits
from ..model.algebra.normal_form import WireForms
from ..model.instances.minimal import Witness
from ..model.nodes.types import Method, Reference, Schema
from .derive import Derivation, Issue
from .overlay import Overlay, Place, Statement, statement


class Problem(Struct, frozen=True):
    """A loss or a rejection in a message: its definition and property, and its path in the message.

    `example`: the params or the result that show it; None if none was found.
    """

    lost: bool
    part: str
    path: str
    what: str
    example: Witness | None


class Message(Struct, frozen=True, kw_only=True):
    """A message of both versions. `side` implements its method. `forward` and `back` have the problems in each
    direction; None: no counterpart.
    """

    side: str
    role: str
    old: str
    new: str
    forward: Sequence[Problem] | None
    back: Sequence[Problem] | None


class Bridge(Struct, frozen=True, kw_only=True):
    """A bridge: the plan and its messages."""

    plan: p.Plan
    messages: Sequence[Message]


def bridge(old: Schema, new: Schema, overlay: Overlay) -> Bridge:
    """Derive the bridge between two schemas. Raises InputError if one has no handshake."""
    schemas = old, new
    shakes = [_handshake(schema) for schema in schemas]
    stated = [_statements(overlay, schemas, shakes, forward=forward) for forward in (True, False)]
    forms = WireForms(old), WireForms(new)
    ways = Derivation(*forms, stated[0], forward=True), Derivation(forms[1], forms[0], stated[1], forward=False)
    pairs = list(_pairs(overlay, schemas))
    routes: tuple[dict[str, tuple[p.Route, ...]], ...] = ({}, {})
    messages: list[Message] = []
    for pair in pairs:
        made = _routes(pair, ways)
        for way, route, method in zip(routes, made, pair, strict=True):
            if method is not None:
                key = p.key_of(method.side, method.kind, method.path)
                way[key] = (*way.get(key, ()), *(() if route is None else (route,)))
    directions = [p.Direction(way.types, table) for way, table in zip(ways, routes, strict=True)]
    old_number, new_number = (shake.version_number for shake in shakes)
    plan = p.Plan(old_number, new_number, directions[0], directions[1], overlay.machines)
    for pair in pairs:
        messages += _messages(pair, ways, directions)
    return Bridge(plan=plan, messages=messages)


def _handshake(schema: Schema) -> Handshake:
    if schema.handshake is None:
        raise InputError(schema.title, "has no handshake, which states its version; add `x-handshake`")
    return schema.handshake


def _statements(
    overlay: Overlay, schemas: tuple[Schema, Schema], shakes: Sequence[Handshake], *, forward: bool
) -> dict[tuple[str, str], Statement]:
    """The statements of the overlay by pair of definitions, and those of the handshakes: the version numbers."""
    found: dict[tuple[str, str], Statement] = {}
    for pair in overlay.types:
        key = (pair.old, pair.new or pair.old) if forward else (pair.new or pair.old, pair.old)
        found[key] = found.get(key, Statement(forward=forward)) + statement(pair, forward=forward)
    numbers = (shakes[0].version_number, shakes[1].version_number)
    here, there = (0, 1) if forward else (1, 0)
    place = Place(shakes[1].version, numbers=numbers)
    version = Statement(fields=(((shakes[here].version,), (shakes[there].version,), place),), forward=forward)
    opening = [next(m for m in s.methods if m.path == h.method) for s, h in zip(schemas, shakes, strict=True)]
    for name, other, opens in (
        (opening[here].params, opening[there].params, True),
        (opening[here].result or "", opening[there].result or "", False),
    ):
        stated = found.get((name, other), Statement(forward=forward))
        found[name, other] = stated + replace(version, opens=opens)
    return found


Pair = tuple[Method | None, Method | None]


def _pairs(overlay: Overlay, schemas: tuple[Schema, Schema]) -> Iterator[Pair]:
    """The methods of both versions with their counterparts, in the order of the schemas."""
    olds, news = ({method.key: method for method in schema.methods} for schema in schemas)
    paired: set[tuple[str, str, str]] = set()
    for (side, path, kind), method in olds.items():
        names = [each.new for each in overlay.methods if each.old == path]
        names = names or [path, *(m.path for m in schemas[1].methods if m.former == path)]
        keys = [(side, name, kind) for name in names if (side, name, kind) in news]
        paired.update(keys)
        yield from ((method, news[key]) for key in keys[:1] or ())
        if not keys:
            yield method, None
    yield from ((None, method) for key, method in news.items() if key not in paired)


def _routes(pair: Pair, ways: tuple[Derivation, Derivation]) -> tuple[p.Route | None, p.Route | None]:
    """The routes of a pair of methods in both directions."""
    old, new = pair
    if old is None or new is None:
        return None, None
    results: list[p.Node | None] = [None, None]
    if old.result is not None and new.result is not None:
        results = [ways[1].message(new.result, old.result)[1], ways[0].message(old.result, new.result)[1]]
    return (
        p.Route(new.path, ways[0].message(old.params, new.params)[1], results[0]),
        p.Route(old.path, ways[1].message(new.params, old.params)[1], results[1]),
    )


def _messages(pair: Pair, ways: tuple[Derivation, Derivation], directions: Sequence[p.Direction]) -> Iterator[Message]:
    """The messages of a pair of methods, with their problems."""
    known = pair[0] or pair[1]
    assert known is not None
    roles = ("request", "response") if known.kind == "request" else ("notification",)
    for role in roles:
        ends = [None if m is None else m.result if role == "response" else m.params for m in pair]
        found: list[list[Problem] | None] = [None, None]
        if ends[0] is not None and ends[1] is not None:
            found = [
                list(_problems(ways[0], directions[0], ends[0], ends[1])),
                list(_problems(ways[1], directions[1], ends[1], ends[0])),
            ]
        paths = [method.path if method is not None else "" for method in pair]
        yield Message(side=known.side, role=role, old=paths[0], new=paths[1], forward=found[0], back=found[1])


def _problems(way: Derivation, direction: p.Direction, name: str, other: str) -> Iterator[Problem]:
    """The problems of a message, each once per definition, with a message that the converter rejects or shortens."""
    key, node = way.message(name, other)
    if not isinstance(node, p.Use):
        return
    waiting: list[tuple[str, p.Path, tuple[Any, ...]]] = [(key, (), ())]
    seen = {key}
    while waiting:
        key, path, wraps = waiting.pop(0)
        for issue in dict.fromkeys(_Keyed(each) for each in way.issues[key]):
            found = issue.issue
            at = (*path, *found.path)
            part = ".".join((key.partition(" ")[0], *map(str, found.path)))
            example = _shown(way, direction, name, node, found, at, wraps)
            yield Problem(found.lost, part, convert.dotted(at), found.what, example)
        for edge in way.edges[key]:
            if edge.key not in seen:
                seen.add(edge.key)
                waiting.append((edge.key, (*path, *edge.path), (edge.wrap, *wraps)))


class _Keyed:
    """An issue that equals others of the same place and text."""

    def __init__(self, issue: Issue) -> None:
        self.issue, self._key = issue, (issue.lost, issue.path, issue.what)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _shown(
    way: Derivation, direction: p.Direction, name: str, node: p.Node, issue: Issue, path: p.Path, wraps: Sequence[Any]
) -> Witness | None:
    """The message with a problem, if the converter finds the problem in it."""
    if issue.sample is None:
        return None
    value = issue.sample.value
    for wrap in wraps:
        value = wrap(value)
    try:
        found = convert.convert(direction, node, value, lambda: "id").losses if issue.lost else []
    except convert.Rejected:
        return None
    if not issue.lost:
        found = rejections(direction, node, value)
    shows = any(_same_place(each.path, path) for each in found)
    return Witness(value) if shows and fits(way.forms, Reference(name), value) else None


def rejections(direction: p.Direction, node: p.Node, value: Any) -> list[convert.Problem]:
    """The reasons to reject a value; none if it can be converted."""
    try:
        convert.convert(direction, node, value, lambda: "id")
    except convert.Rejected as error:
        return error.problems
    return []


def _same_place(found: p.Path, path: p.Path) -> bool:
    return all(other in (one, "*") for one, other in zip_longest(found, path))
