# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The plan of a bridge: for each message of one version of a protocol, how it becomes a message of the other version.

A plan is data: frozen nodes that are read from JSON. ``Use`` refers to a converter by name, so recursive types are
possible. Paths are steps: names of properties and indexes of arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, Union

from msgspec import Struct

Path: TypeAlias = tuple[str | int, ...]


class Same(Struct, frozen=True, tag=True):
    """The value stays as it is."""


class Reject(Struct, frozen=True, tag=True):
    """No value can be converted."""

    reason: str


class Use(Struct, frozen=True, tag=True):
    """The converter with this name."""

    name: str


class Check(Struct, frozen=True, tag=True, omit_defaults=True):
    """The value stays as it is if the other version accepts it. ``constants``: the only strings, numbers and booleans
    that are accepted; otherwise the limits apply.
    """

    expected: str
    constants: tuple[Any, ...] | None = None
    whole: bool = False
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    multiple_of: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


class Kinds(Struct, frozen=True, tag=True):
    """A converter for each kind of JSON value: null, boolean, number, string, array, object. Others are rejected."""

    cases: Mapping[str, Node]


class Items(Struct, frozen=True, tag=True, omit_defaults=True):
    """An array with one converter for its items, and the number of items that the other version accepts."""

    item: Node
    least: int = 0
    most: int | None = None


class Entries(Struct, frozen=True, tag=True):
    """A map. If ``key`` is set, it becomes an array of objects with its key and its value, or the reverse."""

    value: Node
    key: str = ""
    held: str = ""
    to_map: bool = False


class Values(Struct, frozen=True, tag=True, omit_defaults=True):
    """Pairs of values. ``flag``: true becomes an object and false null, or the reverse. ``other`` replaces all values
    without a pair, which is a loss, as are the values in ``merged``.
    """

    pairs: tuple[tuple[Any, Any], ...] = ()
    flag: str = ""
    other: Any = None
    merged: tuple[Any, ...] = ()


class Move(Struct, frozen=True, omit_defaults=True):
    """A property with its new place. ``null_lost``: null is left out, because the other version has no null there."""

    source: Path
    target: Path
    node: Node
    null_lost: bool = False


class Fill(Struct, frozen=True, omit_defaults=True):
    """A property to write if nothing else does. ``fresh``: the value is a new id. ``lost``: the absence of the
    property has a meaning, which is lost.
    """

    target: Path
    value: Any = None
    fresh: bool = False
    lost: bool = False


class Expect(Struct, frozen=True, omit_defaults=True):
    """A property that only this version has. The other version implies its value: the value at ``echo``, otherwise
    ``value``. Another value is a loss if ``lost`` is set, otherwise it is rejected.
    """

    source: Path
    value: Any = None
    echo: Path = ()
    lost: bool = False


class Edit(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A change of a file, whose texts the other version has as a patch: the properties with the texts ``before`` and
    ``after`` and with the file's ``path``. ``puts`` has the values to write by path, with ``$patch``; ``added`` those
    for a new file.
    """

    before: str
    after: str
    path: str
    puts: Mapping[str, Any]
    added: Mapping[str, Any] = {}


class Record(Struct, frozen=True, tag=True, omit_defaults=True):
    """An object. Properties that no other field names stay where they are.

    ``only``: properties that the other version lacks; one that is present is rejected. ``lost``: properties that are
    left out. ``taken``: undeclared properties that mean something in the other version. ``needed``: properties that
    the other version requires. ``always``: a loss that every value has. ``edit``: a patch to write.
    """

    moves: tuple[Move, ...] = ()
    copies: tuple[Move, ...] = ()
    fills: tuple[Fill, ...] = ()
    expects: tuple[Expect, ...] = ()
    lost: tuple[Path, ...] = ()
    only: tuple[Path, ...] = ()
    taken: tuple[str, ...] = ()
    needed: tuple[Path, ...] = ()
    closed: bool = False
    always: str = ""
    edit: Edit | None = None

    def nested(self) -> set[Path]:
        """The paths of containers whose parts are moved, expected or left out one by one."""
        taken = [*(move.source for move in self.moves), *(each.source for each in self.expects), *self.lost, *self.only]
        return {path[:depth] for path in taken for depth in range(1, len(path))}


class Choice(Struct, frozen=True, tag=True):
    """A union of objects. The property ``tag`` selects a converter, ``other`` for an unknown tag. An object without it
    gets the first converter of ``bare`` whose properties it has.
    """

    tag: str
    cases: Mapping[str, Node]
    bare: tuple[tuple[tuple[str, ...], Node], ...] = ()
    other: Node | None = None


Node: TypeAlias = Union[Same, Reject, Use, Check, Kinds, Items, Entries, Values, Record, Choice]  # noqa: UP007  # msgspec resolves names of it


class Route(Struct, frozen=True, omit_defaults=True):
    """A method of this version and its counterpart. ``params`` goes to the other version, ``result`` comes back."""

    method: str
    params: Node
    result: Node | None = None


class Direction(Struct, frozen=True):
    """All messages from one version to the other: routes by side, kind and method, the first that accepts a message.

    ``types``: the converters that ``Use`` names.
    """

    types: Mapping[str, Node]
    routes: Mapping[str, tuple[Route, ...]]


class Change(Struct, frozen=True, kw_only=True):
    """A method with a template of its params."""

    method: str
    params: Mapping[str, Any]


class Turn(Struct, frozen=True, kw_only=True, tag="turn"):
    """A request that the old version answers at the end of the work, and the new one when the work is accepted.

    The end is an update of the new version. ``outcome`` is the property of the old result. Other updates that ``quiet``
    matches have no counterpart in the old version and are left out.
    """

    about: str
    old: str
    new: str
    session: str
    outcome: str
    outcomes: tuple[str, ...]
    accepted: Mapping[str, Any]
    started: Change
    ended: Change
    failed: Change
    quiet: Mapping[str, Any]


class Selector(Struct, frozen=True, kw_only=True, tag="selector"):
    """A state with a list of choices in the old version, which is one option among others in the new one.

    ``state`` is its property in results, with the properties ``current`` and ``available``; ``options`` is the property
    of the new results. ``option`` is the template of the option, ``choice`` maps the properties of a choice to old ones.
    """

    about: str
    state: str
    current: str
    available: str
    session: str
    options: str
    option: Mapping[str, Any]
    choice: Mapping[str, str]
    select: Change
    selects: Change
    changed: Change
    listed: Change


class First(Struct, frozen=True, kw_only=True, tag="first"):
    """The first update of an entry has another form in the old version: ``puts`` is merged into it, ``lacks`` below it.

    ``update`` matches the converted update and binds ``key``. Nulls are left out of the objects that ``puts`` has.
    """

    about: str
    update: Change
    puts: Mapping[str, Any]
    lacks: Mapping[str, Any]


class Spread(Struct, frozen=True, kw_only=True, tag="spread"):
    """An update of the new version with a list of ``items``, which is a sequence of updates with one ``item`` each.

    ``whole`` and ``piece`` bind the same ``key``. A second list for a key would replace the first, and is rejected.
    """

    about: str
    whole: Change
    piece: Change


class Contents(Struct, frozen=True, kw_only=True, tag="contents"):
    """The contents of entries, which the old version shows whole and as text where it lacks a kind of content.

    ``entry`` and ``asks`` bind the ``items`` of an entry; ``append`` binds an ``item`` to add. ``embed`` matches an item
    whose text is an output, which ``whole`` replaces and ``piece`` extends, in base64; ``other`` matches what else
    is told about an output. ``texts`` match items that have a ``text``. ``shown`` is the template of a text.
    """

    about: str
    entry: Change
    append: Change
    asks: Change
    embed: Mapping[str, Any]
    whole: Change
    piece: Change
    other: Change
    texts: tuple[Mapping[str, Any], ...]
    shown: Mapping[str, Any]


class Shown(Struct, frozen=True, kw_only=True):
    """Effects of a request to the local handler on the client.

    ``update``: sent after the result. ``ask``: a request of the bridge, made after the result, or before it if ``early``
    is set. ``lost``: properties of the result that the client does not see.
    """

    method: str
    update: Change | None = None
    ask: Change | None = None
    early: bool = False
    lost: tuple[str, ...] = ()


class Local(Struct, frozen=True, kw_only=True, tag="local"):
    """Requests of an agent of the old version that the new version lacks. A local handler serves them, if there is one.

    ``offer`` is merged into a request of the client. ``shows`` has templates with the properties of the params and of
    the result: those of ``words`` are one command, those of ``bytes`` are in base64.
    """

    about: str
    methods: tuple[str, ...]
    offer: Change
    shows: tuple[Shown, ...]
    words: tuple[str, str]
    bytes: tuple[str, ...]


Machine: TypeAlias = Union[Turn, Selector, First, Spread, Contents, Local]  # noqa: UP007


class Plan(Struct, frozen=True):
    """Both directions between two versions with their numbers, and the machines for differences in behaviour."""

    old: int
    new: int
    forward: Direction
    back: Direction
    machines: tuple[Machine, ...] = ()


def key_of(side: str, kind: str, method: str) -> str:
    """The key of a route: the implementing side, request or notification, and the method."""
    return f"{side} {kind} {method}"
