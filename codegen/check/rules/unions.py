"""Enumerations and unions: values, variants, tags, open and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from ...errors import quoted
from ...findings.rule import RELATED, Effect, Hit
from ...model.kind import Kind
from ..pairs import ChoicePair, ConstantPair, EnumPair, UnionPair, ValuePair, VariantPair
from .rows import change


def _value_removed(pair: ValuePair) -> Iterator[Hit]:
    if not pair.error:
        yield Hit(message=f"{pair.subject} lost {pair.label}")


def _code_removed(pair: ValuePair) -> Iterator[Hit]:
    if pair.error:
        yield Hit(message=f"the error code {pair.label} is gone")


def _constant(pair: ConstantPair) -> Iterator[Hit]:
    yield Hit(message=f"{pair.subject} was always {quoted(pair.old)} and is {quoted(pair.new)} now")


def _tag_property(pair: UnionPair) -> Iterator[Hit]:
    before, after = pair.tags
    if before is not None and after is not None and before != after:
        yield Hit(
            message=f"the variants of {pair.subject} were told apart by {quoted(before)} and are by {quoted(after)} now"
        )


def _default(pair: UnionPair) -> Iterator[Hit]:
    if pair.default:
        yield Hit(message=f"the untagged variant of {pair.subject} was replaced or now has a tag")


def _ambiguous(pair: UnionPair) -> Iterator[Hit]:
    if pair.ambiguous:
        yield Hit(message=f"one message can be both {pair.ambiguous} in {pair.subject}")


def _became(text: str, *, union: bool) -> Callable[[ChoicePair], Iterator[Hit]]:
    def check_became(pair: ChoicePair) -> Iterator[Hit]:
        if pair.union is union:
            yield Hit(message=f"{pair.subject} {text}", effect=Effect.ADDS if pair.same_default else None)

    return check_became


_ANY: Mapping[Kind, Effect] = {kind: RELATED[kind] for kind in reversed(Kind)}
_enum, _union = (partial(change, family) for family in ("enums", "unions"))

ROWS = (
    _enum(
        "enum-value-removed",
        Kind.NARROWER,
        ValuePair,
        _value_removed,
        "A value was removed from an enumeration.",
        "Old senders still send it. If the enumeration is open, receivers accept the value without knowing its "
        "meaning: warning.",
        "keep the value, or open the enumeration first",
        "enum-value-added",
    ),
    _enum(
        "enum-value-added",
        Kind.WIDER,
        ValuePair,
        "{p.subject} has the new value {p.label}",
        "An enumeration has a new value.",
        "Old receivers reject it, unless the enumeration is open, the property is lenient, or a capability gates "
        "the value.",
        "open the enumeration first, or gate the value: name in `x-capability` the capability that receivers "
        "advertise if they know it",
        "enum-value-removed",
    ),
    _enum(
        "enum-closed",
        Kind.NARROWER,
        EnumPair,
        "{p.subject} takes only the values it lists now",
        "An open enumeration was closed.",
        "Old senders may send values that it does not list. New receivers reject them.",
        "leave it open",
        "enum-opened",
    ),
    _enum(
        "enum-opened",
        Kind.WIDER,
        EnumPair,
        "{p.subject} takes values that it does not list",
        "A closed enumeration was opened.",
        "Old receivers reject values that they do not list. Once receivers are updated, values can be added freely.",
        "open it in a release of its own, before any value needs it",
        "enum-closed",
    ),
    _enum(
        "const-changed",
        Kind.DISJOINT,
        ConstantPair,
        _constant,
        "The constant value of a property changed.",
        "Each side rejects the other's value.",
        "keep the value",
    ),
    _enum(
        "error-code-removed",
        {Kind.NARROWER: Effect.DROPS},
        ValuePair,
        _code_removed,
        "An error code was removed.",
        "Any integer is a valid code, so nothing fails. Peers that handle the code by name no longer receive it.",
        "keep the code",
    ),
    _union(
        "union-variant-removed",
        Kind.NARROWER,
        VariantPair,
        "{p.subject} lost the variant {p.label}",
        "A variant was removed from a union.",
        "Old senders still send it. If the union is open, receivers accept the variant without knowing its "
        "meaning: warning.",
        "keep the variant, or open the union first",
        "union-variant-added",
    ),
    _union(
        "union-variant-added",
        Kind.WIDER,
        VariantPair,
        "{p.subject} has the new variant {p.label}",
        "A union has a new variant.",
        "Old receivers reject it, unless the union is open, the property is lenient, or a capability gates the "
        "variant.",
        "open the union first, or gate the variant: name in `x-capability` the capability that receivers "
        "advertise if they know it",
        "union-variant-removed",
    ),
    _union(
        "union-tag-value-changed",
        Kind.DISJOINT,
        VariantPair,
        "the variant {p.other} of {p.subject} is tagged {p.label} now",
        "The tag of a variant changed; the rest of it did not.",
        "Neither side knows the other's tag.",
        "keep the tag's value",
    ),
    _union(
        "union-tag-property-changed",
        Effect.BREAKS,
        UnionPair,
        _tag_property,
        "The tag property of a union changed.",
        "Each side looks for its own tag.",
        "keep the tag",
    ),
    _union(
        "union-default-variant-changed",
        Effect.BREAKS,
        UnionPair,
        _default,
        "The untagged variant of a union changed.",
        "Old senders leave the tag out, or old receivers find a tag that they do not know.",
        "keep the untagged variant as it is",
    ),
    _union(
        "union-closed",
        Kind.NARROWER,
        UnionPair,
        "{p.subject} takes only the variants it lists now",
        "An open union was closed.",
        "Old senders may send variants that it does not list. New receivers reject them.",
        "leave it open",
        "union-opened",
    ),
    _union(
        "union-opened",
        Kind.WIDER,
        UnionPair,
        "{p.subject} takes variants that it does not list",
        "A closed union was opened.",
        "Old receivers reject variants that they do not list. Once receivers are updated, variants can be added "
        "freely.",
        "open it in a release of its own, before any variant needs it",
        "union-closed",
    ),
    _union(
        "union-became-ambiguous",
        Effect.BREAKS,
        UnionPair,
        _ambiguous,
        "One message can match two untagged variants.",
        "Two receivers may interpret it differently.",
        "give one of the variants a tag, or a required property that the other does not have",
    ),
    _union(
        "object-became-union",
        _ANY,
        ChoicePair,
        _became("was an object and is a choice of several now", union=True),
        "An object became a union.",
        "New variants differ from the object. Old messages are read only if the untagged variant has the "
        "object's properties.",
        "keep the object's properties as the untagged variant",
        "union-became-object",
    ),
    _union(
        "union-became-object",
        _ANY,
        ChoicePair,
        _became("was a choice of several objects and is one now", union=False),
        "A union of objects became a single object.",
        "Old senders send the other variants, and old receivers look for a tag.",
        "keep the union",
        "object-became-union",
    ),
)
