"""Enumerations and unions: values, variants, tags, open and closed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...errors import quoted
from ...findings.rule import Effect, Hit, change
from ..pairs import ConstantPair, EnumPair, ObjectPair, UnionPair, ValuePair, VariantPair


def _value_removed(pair: ValuePair) -> Iterator[Hit]:
    if pair.new is None and pair.old is not None and not pair.error:
        yield Hit(message=f"{pair.subject} lost {quoted(pair.old.constant)}", accepted=pair.open)


def _code_removed(pair: ValuePair) -> Iterator[Hit]:
    if pair.new is None and pair.old is not None and pair.error:
        yield Hit(message=f"the error code {quoted(pair.old.constant)} is gone")


def _value_added(pair: ValuePair) -> Iterator[Hit]:
    if pair.old is None and pair.new is not None:
        yield Hit(
            message=f"{pair.subject} has the new value {quoted(pair.new.constant)}",
            accepted=pair.open,
            gate=pair.new.capability,
        )


def _enum_closed(pair: EnumPair) -> Iterator[Hit]:
    if pair.old.base is not None and pair.new.base is None:
        yield Hit(message=f"{pair.subject} takes only the values it lists now")


def _enum_opened(pair: EnumPair) -> Iterator[Hit]:
    if pair.old.base is None and pair.new.base is not None:
        yield Hit(message=f"{pair.subject} takes values that it does not list")


def _constant(pair: ConstantPair) -> Iterator[Hit]:
    yield Hit(message=f"{pair.subject} was always {quoted(pair.old)} and is {quoted(pair.new)} now")


def _variant_removed(pair: VariantPair) -> Iterator[Hit]:
    if pair.new is None and pair.old is not None:
        yield Hit(message=f"{pair.subject} lost the variant {pair.label}", accepted=pair.open)


def _variant_added(pair: VariantPair) -> Iterator[Hit]:
    if pair.old is None and pair.new is not None:
        yield Hit(message=f"{pair.subject} has the new variant {pair.label}", accepted=pair.open, gate=pair.gate)


def _tag_value(pair: VariantPair) -> Iterator[Hit]:
    if pair.how == "tag":
        yield Hit(message=f"the variant {pair.other} of {pair.subject} is tagged {pair.label} now", accepted=pair.open)


def _tag_property(pair: UnionPair) -> Iterator[Hit]:
    before, after = pair.tags
    if before is not None and after is not None and before != after:
        yield Hit(
            message=f"the variants of {pair.subject} were told apart by {quoted(before)} and are by {quoted(after)} now"
        )


def _default(pair: UnionPair) -> Iterator[Hit]:
    if pair.default:
        yield Hit(message=f"the untagged variant of {pair.subject} is another one now, or has become tagged")


def _closed(pair: UnionPair) -> Iterator[Hit]:
    if any(m.open for m in pair.old) and not any(m.open for m in pair.new):
        yield Hit(message=f"{pair.subject} takes only the variants it lists now")


def _opened(pair: UnionPair) -> Iterator[Hit]:
    if any(m.open for m in pair.new) and not any(m.open for m in pair.old):
        yield Hit(message=f"{pair.subject} takes variants that it does not list")


def _ambiguous(pair: UnionPair) -> Iterator[Hit]:
    if pair.ambiguous:
        yield Hit(message=f"one message can be both {pair.ambiguous} in {pair.subject}")


def _became_union(pair: ObjectPair) -> Iterator[Hit]:
    if pair.new.unions and not pair.old.unions:
        yield Hit(
            message=f"{pair.subject} was an object and is a choice of several now",
            effect=Effect.ADDS if pair.same_default else None,
        )


def _became_object(pair: ObjectPair) -> Iterator[Hit]:
    if pair.old.unions and not pair.new.unions:
        yield Hit(
            message=f"{pair.subject} was a choice of several objects and is one now",
            effect=Effect.ADDS if pair.same_default else None,
        )


_enum, _union = (partial(change, family=family) for family in ("enums", "unions"))

ROWS = (
    _enum(
        "enum-value-removed",
        Effect.NARROWS,
        ValuePair,
        _value_removed,
        "An enumeration lost a value.",
        "Old senders go on sending it. Where the enumeration is open it is still read, without its meaning: warning.",
        "keep the value, or open the enum first",
        "enum-value-added",
    ),
    _enum(
        "enum-value-added",
        Effect.WIDENS,
        ValuePair,
        _value_added,
        "An enumeration has a new value.",
        "Old receivers reject it, unless the enumeration is open, the place lenient, or a capability gates the value.",
        "open the enum first, or name in `x-capability` what a receiver advertises that knows the value",
        "enum-value-removed",
    ),
    _enum(
        "enum-closed",
        Effect.NARROWS,
        EnumPair,
        _enum_closed,
        "An open enumeration takes only the values it lists.",
        "Old senders send other values, their own or newer ones.",
        "leave it open",
        "enum-opened",
    ),
    _enum(
        "enum-opened",
        Effect.WIDENS,
        EnumPair,
        _enum_opened,
        "An enumeration takes values that it does not list.",
        "Old receivers reject them; but from now on values can be added freely.",
        "open it in a release of its own, before any value needs it",
        "enum-closed",
    ),
    _enum(
        "const-changed",
        Effect.BREAKS,
        ConstantPair,
        _constant,
        "A property that always has one value has another one.",
        "Either side rejects the other's value.",
        "keep the value",
    ),
    _enum(
        "error-code-removed",
        Effect.DROPS,
        ValuePair,
        _code_removed,
        "A code of errors is gone.",
        "Codes are any integer, so nothing fails; peers that handle the code by name no longer meet it.",
        "keep the code",
    ),
    _union(
        "union-variant-removed",
        Effect.NARROWS,
        VariantPair,
        _variant_removed,
        "A union lost a variant.",
        "Old senders go on sending it. Where the union is open it is still read, without its meaning: warning.",
        "keep the variant, or open the union first",
        "union-variant-added",
    ),
    _union(
        "union-variant-added",
        Effect.WIDENS,
        VariantPair,
        _variant_added,
        "A union has a new variant.",
        "Old receivers reject it, unless the union is open, the place lenient, or a capability gates the variant.",
        "open the union first, or name in `x-capability` what a receiver advertises that knows the variant",
        "union-variant-removed",
    ),
    _union(
        "union-tag-value-changed",
        Effect.BREAKS,
        VariantPair,
        _tag_value,
        "A variant is the same but for the value that tells it apart.",
        "Neither side knows the other's tag.",
        "keep the tag's value",
    ),
    _union(
        "union-tag-property-changed",
        Effect.BREAKS,
        UnionPair,
        _tag_property,
        "Another property than before tells the variants apart.",
        "Either side looks for its own tag.",
        "keep the tag",
    ),
    _union(
        "union-default-variant-changed",
        Effect.BREAKS,
        UnionPair,
        _default,
        "What a message without a tag means has changed.",
        "Old senders leave the tag out, or old receivers meet one they do not know.",
        "keep the untagged variant as it is",
    ),
    _union(
        "union-closed",
        Effect.NARROWS,
        UnionPair,
        _closed,
        "An open union takes only the variants it lists.",
        "Old senders send other variants, their own or newer ones.",
        "leave it open",
        "union-opened",
    ),
    _union(
        "union-opened",
        Effect.WIDENS,
        UnionPair,
        _opened,
        "A union takes variants that it does not list.",
        "Old receivers reject them; but from now on variants can be added freely.",
        "open it in a release of its own, before any variant needs it",
        "union-closed",
    ),
    _union(
        "union-became-ambiguous",
        Effect.BREAKS,
        UnionPair,
        _ambiguous,
        "One message fits two untagged variants.",
        "Two receivers may read it as two different things.",
        "give either variant a property that it alone requires, or a tag",
    ),
    _union(
        "object-became-union",
        Effect.BREAKS,
        ObjectPair,
        _became_union,
        "An object became a choice of several.",
        "New variants look unlike the object; only where the untagged one has the same fields is everything old still read.",
        "keep the object's fields as the untagged variant",
        "union-became-object",
    ),
    _union(
        "union-became-object",
        Effect.BREAKS,
        ObjectPair,
        _became_object,
        "A choice of several objects became one object.",
        "Old senders send the other variants, and old receivers look for a tag.",
        "keep the union",
        "object-became-union",
    ),
)
