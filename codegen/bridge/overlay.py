"""The overlay of a bridge: what the two schemas cannot state about each other, as data.

Every statement holds for both directions. `old` and `new` name the two versions. Paths are names of properties and
indexes of arrays, separated by dots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..contracts import convert
from ..contracts import plan as p
from ..document.read import Document, join
from ..document.walk import part_at
from ..errors import Fault, SchemaError
from ..model.nodes.types import Array, Object, Reference, Schema, Type
from ..model.nodes.walk import aspects

INVALID: Final = Fault(
    "bridge-overlay-invalid", "An overlay of a bridge that is not in the documented form.", "see docs/bridge.md"
)
VERSION: Final = "1.0.0"
"""The version of the form of overlays."""
_FORM = "docs/bridge.md has the keywords and their values"


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """The new place of a property, and the form of its value there. At most one form is set.

    `flag`: a boolean of the old version is an object or null in the new one. `entries`: a map of the old version is an
    array in the new one, whose objects have these two properties.
    """

    to: str
    flag: bool = False
    numbers: tuple[int, int] | None = None
    """The version numbers, for the property of a handshake; not for overlays."""
    entries: tuple[str, str] | None = None


class Fills(Struct, frozen=True, forbid_unknown_fields=True):
    """Values to write in messages of one version, by path, if the other version has no such value."""

    old: Mapping[str, Any] = {}
    new: Mapping[str, Any] = {}


class Ends(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of each version."""

    old: Any = None
    new: Any = None


class Paths(Struct, frozen=True, forbid_unknown_fields=True):
    """Paths in messages of each version."""

    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


class Pair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Statements about a definition of the old schema and its counterpart, by default the one with the same name.

    `fields`: renamed and moved properties. `split`: old properties that the new version also has elsewhere. `tags`:
    renamed variants; an empty tag is a variant without one. `absent`: values for missing properties. `fresh`:
    properties that get a new id if they are missing. `lost`: properties that may be left out. For enumerations:
    `values` has pairs of an old and a new constant, `other` the value for all others that a version lacks.
    """

    old: str
    new: str = ""
    because: str = ""
    fields: Mapping[str, str | Place] = {}
    split: Mapping[str, str] = {}
    tags: Mapping[str, str] = {}
    absent: Fills = Fills()
    fresh: Paths = Paths()
    lost: Paths = Paths()
    values: tuple[tuple[Any, Any], ...] = ()
    other: Ends = Ends()
    patch: p.Edit | None = None
    """The old version has two texts where the new one has a patch."""


class Renamed(Struct, frozen=True, forbid_unknown_fields=True):
    """A method of the old schema and its counterpart. Of several counterparts, the first that can express a message is
    used.
    """

    old: str
    new: str


class Overlay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An overlay."""

    bridge: str
    """The version of the form."""
    title: str = ""
    methods: tuple[Renamed, ...] = ()
    types: tuple[Pair, ...] = ()
    machines: tuple[p.Machine, ...] = ()


class Statement(Struct, frozen=True, kw_only=True):
    """The statements about one pair of definitions, from the version of the sender to the other version."""

    fields: tuple[tuple[p.Path, p.Path, Place], ...] = ()
    copies: tuple[tuple[p.Path, p.Path], ...] = ()
    echoes: tuple[tuple[p.Path, p.Path], ...] = ()
    tags: Mapping[str, str] = {}
    back: Mapping[str, str] = {}
    fills: Mapping[p.Path, Any] = {}
    expects: Mapping[p.Path, Any] = {}
    fresh: frozenset[p.Path] = frozenset()
    lost: frozenset[p.Path] = frozenset()
    values: tuple[tuple[Any, Any], ...] = ()
    other: Any = None
    forward: bool = True
    edit: p.Edit | None = None
    opens: bool = False
    """The message opens a connection, so its sender may speak any version."""

    def __add__(self, other: Statement) -> Statement:
        """Both statements."""
        return Statement(
            fields=self.fields + other.fields,
            copies=self.copies + other.copies,
            echoes=self.echoes + other.echoes,
            tags={**self.tags, **other.tags},
            back={**self.back, **other.back},
            fills={**self.fills, **other.fills},
            expects={**self.expects, **other.expects},
            fresh=self.fresh | other.fresh,
            lost=self.lost | other.lost,
            values=self.values + other.values,
            other=self.other if other.other is None else other.other,
            forward=self.forward,
            edit=self.edit or other.edit,
            opens=self.opens or other.opens,
        )


def read_overlay(document: Document) -> Overlay:
    """The overlay in a document. Raises SchemaError at the place of an error."""
    try:
        overlay = msgspec.convert(document.value, Overlay)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        pointer, key = _pointer(document, path.removesuffix("`")), problem.partition("unknown field `")[2][:-1]
        raise document.error(
            join(pointer, *([key] if key else [])), problem, INVALID, key=bool(key), instead=_FORM
        ) from None
    if overlay.bridge != VERSION:
        raise document.error("/bridge", f"the version {overlay.bridge!r} is not supported; expected {VERSION}", INVALID)
    return overlay


def check_overlay(document: Document, overlay: Overlay, old: Schema, new: Schema) -> None:
    """Raise SchemaError for a method, a definition or a property that its schema lacks."""
    for index, renamed in enumerate(overlay.methods):
        for version, schema, path in (("old", old, renamed.old), ("new", new, renamed.new)):
            if not any(method.path == path for method in schema.methods):
                raise _unknown(
                    document, join("/methods", index, version), f"the {version} schema has no method {path!r}"
                )
    for index, pair in enumerate(overlay.types):
        at = join("/types", index)
        ends = (("old", old, pair.old), ("new", new, pair.new or pair.old))
        for version, schema, name in ends:
            if name not in schema.definitions:
                place = join(at, version if getattr(pair, version) else "old")
                raise _unknown(document, place, f"the {version} schema has no definition {name!r}")
        for keyword, version, path in _paths(pair):
            schema, name = next((schema, name) for each, schema, name in ends if each == version)
            if not _declares(schema, Reference(name), convert.steps(path)):
                place = join(at, *keyword)
                raise _unknown(document, place, f"`{path}` is not a property of {name} in the {version} schema")


def _paths(pair: Pair) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """All paths of a pair: the place in the overlay, the version, the path."""
    for keyword in ("fields", "split"):
        for old, new in getattr(pair, keyword).items():
            yield (keyword, old), "old", old
            yield (keyword, old), "new", new.to if isinstance(new, Place) else new
    if pair.patch is not None:
        for keyword in ("before", "after", "path"):
            yield ("patch", keyword), "old", getattr(pair.patch, keyword)
        for keyword in ("puts", "added"):
            for path in getattr(pair.patch, keyword):
                yield ("patch", keyword, path), "new", path
    for keyword in ("absent", "fresh", "lost"):
        for version in ("old", "new"):
            for path in getattr(getattr(pair, keyword), version):
                yield (keyword, version), version, path


def _declares(schema: Schema, type_: Type, path: p.Path) -> bool:
    """Return whether a type has a property at a path, in itself or in one of its variants."""
    waiting, seen = [type_], set[str]()
    while waiting and path:
        match waiting.pop():
            case Reference(name) if name not in seen:
                seen.add(name)
                waiting.append(schema.definitions[name].type)
            case Array(items, prefix) if isinstance(path[0], int):
                if not path[1:] or any(_declares(schema, each, path[1:]) for each in (*prefix, items)):
                    return True
            case Object(fields) as object_:
                for field_ in fields:
                    if field_.name == path[0] and (not path[1:] or _declares(schema, field_.type, path[1:])):
                        return True
                waiting += aspects(object_)
            case other:
                waiting += [] if isinstance(other, Reference) else aspects(other)
    return False


def _unknown(document: Document, pointer: str, problem: str) -> SchemaError:
    """The error for a name that is not in a schema."""
    return document.error(pointer, problem, INVALID, instead="write a name of the schema")


def statement(pair: Pair, *, forward: bool) -> Statement:
    """The statements about a pair in one direction."""
    places = {
        convert.steps(old): replace(place, to=place.to) if isinstance(place, Place) else Place(place)
        for old, place in pair.fields.items()
    }
    moved = [(old, convert.steps(place.to), place) for old, place in places.items()]
    split = [(convert.steps(old), convert.steps(new)) for old, new in pair.split.items()]
    fills = [
        {convert.steps(path): value for path, value in each.items()} for each in (pair.absent.old, pair.absent.new)
    ]
    fresh = [frozenset(map(convert.steps, each)) for each in (pair.fresh.old, pair.fresh.new)]
    lost = [frozenset(map(convert.steps, each)) for each in (pair.lost.old, pair.lost.new)]
    tags = (dict(pair.tags), {new: old for old, new in pair.tags.items()})
    here, there = (0, 1) if forward else (1, 0)
    sources = {new: old for old, new, _ in moved}
    return Statement(
        fields=tuple(moved) if forward else tuple((new, old, place) for old, new, place in moved),
        copies=tuple(split) if forward else (),
        echoes=() if forward else tuple((new, _target(old, sources)) for old, new in split),
        tags=tags[here],
        back=tags[there],
        fills=fills[there],
        expects=fills[here],
        fresh=fresh[there],
        lost=lost[here] | fresh[here],
        values=pair.values if forward else tuple((new, old) for old, new in pair.values),
        other=pair.other.new if forward else pair.other.old,
        edit=pair.patch if forward else None,
        forward=forward,
    )


def _target(old: p.Path, sources: Mapping[p.Path, p.Path]) -> p.Path:
    """The new place of an old property that is inside a moved one."""
    for new, moved in sources.items():
        if old[: len(moved)] == moved:
            return (*new, *old[len(moved) :])
    return old


def _pointer(document: Document, path: str) -> str:
    """The nearest existing place to a path of msgspec, such as `.types[0].old`."""
    found: list[str] = []
    for step in path.replace("[", ".").replace("]", "").split(".")[1:]:
        if part_at(document.value, [*found, step]) is None:
            break
        found.append(step)
    return join("", *found)
