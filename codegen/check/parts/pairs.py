"""The arguments of compatibility rules: a part of the old schema with its counterpart in the new one, or None.

`Context` is the place of a comparison, for messages and levels.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ...errors import quoted
from ...findings.rule import Became
from ...model.algebra.change_kind import Kind
from ...model.algebra.normal_form import Member
from ...model.nodes import types as t
from ...model.nodes.root import Requirement, Rfd
from .phrases import owner


class Node(Struct, eq=False):
    """A place where both schemas were compared, with the edges that lead to it. `flow` fills in `uses`."""

    pointer: str
    base: str
    edges: list[Edge] = []
    stable: bool = True
    capability: bool = False
    same: bool = True
    """True if the same definition, or none, was compared on both sides; and True if nullability was reported."""
    nulls: bool = False
    every: int = 0
    """All uses, and those that reach this place only through stable parts."""
    steady: int = 0
    strict_old: int = 0
    """The uses for which no leniency of the old or new receiver helps."""
    strict_new: int = 0
    steady_strict_old: int = 0
    steady_strict_new: int = 0


class Edge(Struct, eq=False):
    """The edge from one node to the next. A lenient receiver tolerates unreadable values below it."""

    to: Node
    lenient_old: bool = False
    lenient_new: bool = False
    stable: bool = True
    label: str = ""


class Pair(Struct, eq=False, kw_only=True):
    """The base of all pairs: the place, and the name in messages.

    `pointer` is in the new schema, `base` in the old one, if the part exists there. `lenient_...`: the part itself has
    a leniency keyword there. `stable`: it belongs to no RFD in progress. `asked_first`: the capability that was removed
    together with the part, so that peers which check it first are not affected.
    """

    nodes: list[Node] = []
    pointer: str
    base: str
    subject: str
    lenient_old: bool = False
    lenient_new: bool = False
    stable: bool = True
    asked_first: str = ""

    @property
    def became(self) -> Became:
        """The kind of change of the part."""
        olds, news = (getattr(self, name, self) is not None for name in ("old", "new"))
        return "kept" if olds and news else "removed" if olds else "added"


class Place(Pair, kw_only=True):
    """A part of messages, with the relation of the new one to the old one. `accepted`: the receiver accepts it despite
    the change. `gate`: the capability that a receiver must advertise to get the new part.
    """

    kind: Kind = Kind.EQUAL
    accepted: bool = False
    gate: str | None = None


class MethodPair(Pair, kw_only=True):
    """A method on its implementing side. `how`: the criterion of the pairing.

    `in_band`: why nobody sends a new request to a released peer although no capability gates it.
    """

    old: t.Method | None
    new: t.Method | None
    side: str = ""
    how: str = "same"
    known_gates: bool = True
    in_band: str = ""


class DefinitionPair(Pair, kw_only=True):
    """A named type. `classes`: whether it is a Python class; `method`: the stub that belongs to it.

    `kept`: the package has the old name, too.
    """

    old: t.Definition | None
    new: t.Definition | None
    classes: tuple[bool, bool] = (True, True)
    method: str = ""
    kept: bool = False


class FieldPair(Place, kw_only=True):
    """A property, related by presence. `renamed`: both names differ; `kept`: the new object keeps undeclared
    properties.
    """

    old: t.Field | None
    new: t.Field | None
    renamed: bool = False
    kept: bool = False
    default_old: object = None
    default_new: object = None


class TypePair(Place, kw_only=True):
    """A type without null. `before` and `after`: in words."""

    old: t.Type
    new: t.Type
    before: str
    after: str


class NullPair(Place, kw_only=True):
    """A place that is nullable on one side only."""


class BoundsPair(Place, kw_only=True):
    """Different bounds of numbers, strings or arrays. `undecided`: the patterns differ, but no text distinguishes
    them.
    """

    old: t.Integer | t.Number | t.String | t.Array
    new: t.Integer | t.Number | t.String | t.Array
    undecided: bool = False


class ObjectPair(Place, kw_only=True):
    """An object, related by its handling of undeclared properties."""


class ChoicePair(Place, kw_only=True):
    """An object that became a union or was one. `same_default`: its untagged variant is that object."""

    union: bool
    same_default: bool = False


class EnumPair(Place, kw_only=True):
    """An enumeration, related by the values that it accepts besides its constants."""

    old: t.Enumeration
    new: t.Enumeration


class ValuePair(Place, kw_only=True):
    """A constant of an enumeration. `error`: an error code."""

    old: t.Value | None
    new: t.Value | None
    error: bool = False

    @property
    def label(self) -> str:
        """The constant as shown in messages."""
        value = self.new or self.old
        return quoted(value.constant) if value is not None else ""


class ConstantPair(Place, kw_only=True):
    """A property with one constant that is not a tag."""

    old: t.Scalar
    new: t.Scalar


class UnionPair(Place, kw_only=True):
    """A union of objects, related by the values that it accepts besides its variants."""

    old: list[Member]
    new: list[Member]
    tags: tuple[str | None, str | None]
    default: str
    ambiguous: str


class VariantPair(Place, kw_only=True):
    """A variant of a union. `label`: its name; `how`: `same`, or `tag` if only the tag's value differs."""

    old: Member | t.Type | None
    new: Member | t.Type | None
    label: str = ""
    other: str = ""
    how: str = "same"


class MapPair(Place, kw_only=True):
    """A map whose value type differs. `before` and `after`: in words."""

    before: str
    after: str


class NamePair(Pair, kw_only=True):
    """A name that Python code imports or calls, while the wire format is unchanged."""

    old: str
    new: str


class GatePair(Pair, kw_only=True):
    """A part whose gate differs. `method`: set if the part is a method.

    `optional`: an optional property, which a receiver that does not know it drops.
    """

    old: str | None
    new: str | None
    side: str = ""
    method: t.Method | None = None
    optional: bool = False


class RootPair(Pair, kw_only=True):
    """A root keyword with its differences. `lost`: the keyword was removed."""

    keyword: str
    differences: tuple[str, ...]
    lost: bool = False


class RepeatPair(Pair, kw_only=True):
    """A request that may be repeated in one schema only (True; None if it may not)."""

    old: bool | None
    new: bool | None
    method: t.Method
    side: str


class FormerPair(Pair, kw_only=True):
    """A former name that a method is served under in one of both schemas alone."""

    old: str | None
    new: str | None
    method: t.Method
    side: str


class SessionsPair(Pair, kw_only=True):
    """A method that only one schema has in a list of `x-sessions` (True; None if it lacks it)."""

    old: bool | None
    new: bool | None
    list: str
    method: t.Method
    side: str


class StagePair(Pair, kw_only=True):
    """A stable part that now belongs to an RFD in progress. `part`: its kind in words."""

    old: t.Method | t.Field | t.Variant | t.Value | t.Definition
    new: t.Method | t.Field | t.Variant | t.Value | t.Definition
    part: str
    stage: str
    side: str = ""
    open: bool = False


class UnmarkedPair(Pair, kw_only=True):
    """A new part of something stable that belongs to no RFD, in words."""

    part: str


class RfdPair(Pair, kw_only=True):
    """An RFD that moved to an earlier stage or was withdrawn (None). `brought`: its parts in words."""

    old: Rfd
    new: Rfd | None
    brought: tuple[str, ...] = ()


class DeprecationPair(Pair, kw_only=True):
    """A part whose deprecation was added, removed or shortened, with both deprecations."""

    old: object
    new: object


class RequirementPair(Pair, kw_only=True):
    """A statement of an RFD or vendor that only one side has, or that changed."""

    old: Requirement | None
    new: Requirement | None


class MeaningPair(Pair, kw_only=True):
    """Statements that only the old or only the new schema makes. `code`: the meaning that moved to another code."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    code: str = ""


# --- where a comparison stands ----------------------------------------------------------------------------------------------


class Context(Pair, kw_only=True):
    """The pair around a type, for messages and severities."""

    field_old: t.Field | None = None
    field_new: t.Field | None = None


def common(context: Pair) -> dict[str, Any]:
    return {key: getattr(context, key) for key in Pair.__struct_fields__}


def at(context: Pair, node: Node, *, pointer: str | None = None, base: str | None = None) -> Context:
    """The same place, seen from inside its type. The edge records its leniency."""
    return Context(
        nodes=[node],
        pointer=pointer or (context.pointer if not node.pointer else node.pointer),
        base=base or (context.base if not node.base else node.base),
        subject=owner(node.pointer) or context.subject if node.pointer.count("/") == 2 else context.subject,
        stable=node.stable,  # the way here is the edge's affair
    )


def below(node: Node, context: Pair, subject: str) -> Pair:
    return Pair(nodes=[node], pointer=context.pointer, base=context.base, subject=subject, stable=True)
