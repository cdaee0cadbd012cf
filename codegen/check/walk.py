"""What every part of a comparison shares: both schemas, the pairs that differ, and the small questions all of them ask."""

from __future__ import annotations

from typing import Any

from ..model.kind import Kind
from ..model.relation import Relations
from ..model.types import (
    Definition,
    Field,
    Schema,
    Type,
    Value,
    Variant,
)
from ..model.wireform import ObjectForm, WireForms
from .context import Context, common
from .pairs import (
    EnumPair,
    FieldPair,
    GatePair,
    Node,
    ObjectPair,
    Pair,
    Place,
    UnionPair,
    VariantPair,
)
from .stages import is_stable, stage_pair, withdrawn

Tags = tuple[str | None, str | None]
Part = Field | Value | Variant | Definition


class Walk:
    """The walk over both schemas. `pairs` collects what differs; `definitions` which named types faced which."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self.old, self.new = WireForms(old), WireForms(new)
        self.pairs: list[Pair] = []
        self.definitions: dict[tuple[str | None, str | None], None] = {}
        self.nodes: dict[tuple[int, int], Node] = {}
        self.kept: list[object] = []
        self.relations = Relations(self.old, self.new)

    def equal(self, old: Type, new: Type) -> bool:
        """Whether two types are one and the same, names and words aside."""
        return self.relations.identical(old, new)

    def related(self, old: Type, new: Type) -> Kind:
        """How two types are related, null aside, which is a place of its own."""
        return self.relations.between(self.old.core(old), self.new.core(new)).kind

    def types(self, old: Type, new: Type, context: Pair, *, skip: tuple[bool, bool] = (False, False)) -> Node:
        """Compare two types; `skip`: whether either side drops items it cannot read."""
        raise NotImplementedError

    def properties(
        self, old: ObjectForm, new: ObjectForm, node: Node, context: Context, *, tag: Tags = (None, None)
    ) -> None:
        """Compare two objects; `tag`: the properties that told them apart from other variants."""
        raise NotImplementedError

    def _one_definition(self, old: str | None, new: str | None) -> bool:
        """Whether two names stand for the same definition, which then is the place of what changed in it."""
        if old == new:
            return True
        renamed = old not in self.new.schema.definitions and new not in self.old.schema.definitions
        return old is not None and new is not None and renamed

    def stable(self, name: str | None, schema: Schema) -> bool:
        return name is None or is_stable(schema, schema.definitions[name].rfd)

    def place(self, name: str | None, schema: Schema) -> str | None:
        return schema.definitions[name].pointer if name is not None else None

    def add(self, pair: Pair) -> None:
        if _differs(pair):
            self.pairs.append(pair)

    def all_stable(self, old: Part | None, new: Part | None) -> bool:
        """Whether neither side's part belongs to an RFD in progress."""
        return (old is None or is_stable(self.old.schema, old.rfd)) and (
            new is None or is_stable(self.new.schema, new.rfd)
        )

    def standing(
        self, old: Part, new: Part, part: str, nodes: list[Node], subject: str, *, is_open: bool = False
    ) -> None:
        """Note a part that was stable and belongs to an RFD in progress now, or that is gated otherwise."""
        if withdrawn(self.old.schema, self.new.schema, old, new):
            pair = stage_pair(self.new.schema, old, new, part, nodes, subject)
            pair.open = is_open
            self.add(pair)
        before, after = (None if isinstance(each, Definition) else each.capability for each in (old, new))
        if before != after:
            self.add(
                GatePair(
                    old=before,
                    new=after,
                    optional=part == "property",
                    **self.parts(Context(nodes=nodes, pointer="", base="", subject=subject), old, new),
                )
            )

    def parts(self, context: Pair, old: Part | None, new: Part | None) -> dict[str, Any]:
        """A place as the pair of two parts there has it: theirs, where they are."""
        shared = {**common(context), "stable": context.stable and self.all_stable(old, new)}
        if new is not None:
            shared["pointer"] = new.pointer
        if old is not None:
            shared["base"] = old.pointer
        return shared


def _differs(pair: Pair) -> bool:
    """Whether a pair has anything to show to the rules; the cheap test that keeps equal schemas fast."""
    if isinstance(pair, Place) and pair.kind is not Kind.EQUAL:
        return True
    match pair:
        case FieldPair(old=Field() as old, new=Field() as new):
            return (
                pair.renamed
                or old.required != new.required
                or (old.default_on_error, old.default_on_null, old.skip_invalid_items)
                != (new.default_on_error, new.default_on_null, new.skip_invalid_items)
                or pair.default_old != pair.default_new
            )
        case EnumPair() | ObjectPair() | VariantPair():
            return False
        case UnionPair():
            return pair.tags[0] != pair.tags[1] or bool(pair.default or pair.ambiguous)
        case _:
            return True
