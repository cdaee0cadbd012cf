"""The arguments of compatibility rules: a part of the old schema beside its counterpart in the new one, or None.

`Context` is the place of a comparison, as messages and levels need it.
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
    """A place where both schemas were compared, with what it is reached from. `uses` are filled in by `flow`."""

    pointer: str
    base: str
    edges: list[Edge] = []
    stable: bool = True
    capability: bool = False
    same: bool = True
    """Whether one definition, or none on either side, was compared; and whether its taking null was told."""
    nulls: bool = False
    every: int = 0
    """All uses, and those of them that reach this through stable parts only."""
    steady: int = 0
    strict_old: int = 0
    """The uses on whose way the old receiver, then the new one, forgives nothing."""
    strict_new: int = 0
    steady_strict_old: int = 0
    steady_strict_new: int = 0


class Edge(Struct, eq=False):
    """The way from one node to the next; a receiver that is lenient there survives what it cannot read below."""

    to: Node
    lenient_old: bool = False
    lenient_new: bool = False
    stable: bool = True
    label: str = ""


class Pair(Struct, eq=False, kw_only=True):
    """The base of all pairs: where it was met, and what it is called in a message.

    `pointer` is in the new schema, `base` in the old one, where the part is there. `lenient_...`: the part itself
    is under a forgiving keyword there. `stable`: no RFD in progress brought it. `asked_first`: with what a part is gone, so that
    peers which ask first do not miss it.
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
    """A part that is on the wire, and how the new one is related to the old one.

    `accepted`: the receiver takes it all the same. `gate`: the capability whose receivers may be sent the new thing.
    """

    kind: Kind = Kind.EQUAL
    accepted: bool = False
    gate: str | None = None


class MethodPair(Pair, kw_only=True):
    """A method as one side implements it. `how` it was paired: by its key, or by what it has in common.

    `in_band`: why nobody sends a new request to a released peer although no capability gates it.
    """

    old: t.Method | None
    new: t.Method | None
    side: str = ""
    how: str = "same"
    known_gates: bool = True
    in_band: str = ""


class DefinitionPair(Pair, kw_only=True):
    """A named type. `classes`: whether it is a class in Python; `method`: what the stub is called that goes with it.

    `kept`: the package has the old name, too.
    """

    old: t.Definition | None
    new: t.Definition | None
    classes: tuple[bool, bool] = (True, True)
    method: str = ""
    kept: bool = False


class FieldPair(Place, kw_only=True):
    """A property; related by whether it is there. `renamed` where both names differ; `kept`: the new object keeps undeclared ones."""

    old: t.Field | None
    new: t.Field | None
    renamed: bool = False
    kept: bool = False
    default_old: object = None
    default_new: object = None


class TypePair(Place, kw_only=True):
    """A type, null aside; `before` and `after`: both in words."""

    old: t.Type
    new: t.Type
    before: str
    after: str


class NullPair(Place, kw_only=True):
    """A place that takes null on one side alone."""


class BoundsPair(Place, kw_only=True):
    """Numbers, strings or arrays with other bounds. `undecided`: they have other patterns, and no text tells them apart."""

    old: t.Integer | t.Number | t.String | t.Array
    new: t.Integer | t.Number | t.String | t.Array
    undecided: bool = False


class ObjectPair(Place, kw_only=True):
    """An object, related by what becomes of undeclared properties."""


class ChoicePair(Place, kw_only=True):
    """An object that became a choice of several, or was one. `same_default`: the untagged one of them is that object."""

    union: bool
    same_default: bool = False


class EnumPair(Place, kw_only=True):
    """An enumeration, related by what it takes beside its constants."""

    old: t.Enumeration
    new: t.Enumeration


class ValuePair(Place, kw_only=True):
    """A constant of an enumeration; `error`: of the codes of errors."""

    old: t.Value | None
    new: t.Value | None
    error: bool = False

    @property
    def label(self) -> str:
        """The constant, as messages call it."""
        value = self.new or self.old
        return quoted(value.constant) if value is not None else ""


class ConstantPair(Place, kw_only=True):
    """A property with one constant, which tells no variants apart."""

    old: t.Scalar
    new: t.Scalar


class UnionPair(Place, kw_only=True):
    """A union of objects, related by what it takes beside its variants."""

    old: list[Member]
    new: list[Member]
    tags: tuple[str | None, str | None] = (None, None)
    default: str = ""
    ambiguous: str = ""


class VariantPair(Place, kw_only=True):
    """A variant of a union; `label` names it. `how`: same, or tag where only the tag's value differs."""

    old: Member | t.Type | None
    new: Member | t.Type | None
    label: str = ""
    other: str = ""
    how: str = "same"


class MapPair(Place, kw_only=True):
    """A map whose values have another type; `before` and `after`: both in words."""

    before: str
    after: str


class NamePair(Pair, kw_only=True):
    """A name that Python code imports or calls, while the wire is the same."""

    old: str
    new: str


class GatePair(Pair, kw_only=True):
    """A part that another capability than before gates, or none; `method`: where the part is one.

    `optional`: an optional property, which a receiver that does not know it drops.
    """

    old: str | None
    new: str | None
    side: str = ""
    method: t.Method | None = None
    optional: bool = False


class RootPair(Pair, kw_only=True):
    """What the root says under a keyword, and in which words it differs; `lost`: the new one says nothing."""

    keyword: str
    differences: tuple[str, ...]
    lost: bool = False


class RepeatPair(Pair, kw_only=True):
    """A request that may be repeated in one of both schemas alone (True; None where it may not)."""

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
    """A method that is in a list of `x-sessions` in one of both schemas alone (True; None where it is not)."""

    old: bool | None
    new: bool | None
    list: str
    method: t.Method
    side: str


class StagePair(Pair, kw_only=True):
    """A part that was stable and belongs to an RFD in progress now; `part` is a method, a property, a variant, ..."""

    old: t.Method | t.Field | t.Variant | t.Value | t.Definition
    new: t.Method | t.Field | t.Variant | t.Value | t.Definition
    part: str
    stage: str
    side: str = ""
    open: bool = False


class UnmarkedPair(Pair, kw_only=True):
    """A part that is new in something stable and belongs to no RFD, in words."""

    part: str


class RfdPair(Pair, kw_only=True):
    """An RFD that is at an earlier stage than before, or was withdrawn (None); `brought`: what belongs to it, in words."""

    old: Rfd
    new: Rfd | None
    brought: tuple[str, ...] = ()


class DeprecationPair(Pair, kw_only=True):
    """A part that is deprecated on one side alone, or for a shorter time than before, and what each side says of it."""

    old: object
    new: object


class RequirementPair(Pair, kw_only=True):
    """A statement of an RFD or a vendor that one side alone has, or that binds otherwise."""

    old: Requirement | None
    new: Requirement | None


class MeaningPair(Pair, kw_only=True):
    """Statements that only the old schema makes, and those that only the new one makes; `code`: the meaning that another code has."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    code: str = ""


# --- where a comparison stands ----------------------------------------------------------------------------------------------


class Context(Pair, kw_only=True):
    """The context of a type: its pair, as far as messages and severities need it."""

    field_old: t.Field | None = None
    field_new: t.Field | None = None


def common(context: Pair) -> dict[str, Any]:
    return {key: getattr(context, key) for key in Pair.__struct_fields__}


def at(context: Pair, node: Node, *, pointer: str | None = None, base: str | None = None) -> Context:
    """The same place, as seen from inside its type: what is forgiven there is said by the edge that led here."""
    return Context(
        nodes=[node],
        pointer=pointer or (context.pointer if not node.pointer else node.pointer),
        base=base or (context.base if not node.base else node.base),
        subject=owner(node.pointer) or context.subject if node.pointer.count("/") == 2 else context.subject,
        stable=node.stable,  # the way here is the edge's affair
    )


def below(node: Node, context: Pair, subject: str) -> Pair:
    return Pair(nodes=[node], pointer=context.pointer, base=context.base, subject=subject, stable=True)
