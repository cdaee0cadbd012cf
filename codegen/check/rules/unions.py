"""Enumerations and unions: values, variants, tags, open and closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...errors import quoted
from ...findings.rule import RELATED, Effect, Hit
from ...model.algebra.change_kind import Kind
from ..parts.pairs import ChoicePair, ConstantPair, EnumPair, UnionPair, ValuePair, VariantPair
from .rows import Rows


def _constant(pair: ConstantPair) -> Iterator[Hit]:
    yield Hit(f"{pair.subject} was always {quoted(pair.old)} and is now {quoted(pair.new)}")


def _tag_property(pair: UnionPair) -> Iterator[Hit]:
    before, after = pair.tags
    if before is not None and after is not None and before != after:
        yield Hit(f"the discriminator of {pair.subject} was {quoted(before)} and is now {quoted(after)}")


def _became(text: str, *, union: bool) -> Callable[[ChoicePair], Iterator[Hit]]:
    def check_became(pair: ChoicePair) -> Iterator[Hit]:
        if pair.union is union:
            yield Hit(f"{pair.subject} {text}", effect=Effect.ADDS if pair.same_default else None)

    return check_became


_ANY: Mapping[Kind, Effect] = {kind: RELATED[kind] for kind in reversed(Kind)}


_rules = Rows(
    """
# enums

enum-value-removed
    A value was removed from an enumeration.
    Says: {p.subject} lost {p.label}
    Why: Old senders still send it. If the enumeration is open, receivers accept the value without knowing its meaning:
    warning.
    Instead: keep the value, or open the enumeration first
    Mirror: enum-value-added

enum-value-added
    An enumeration has a new value.
    Says: {p.subject} has the new value {p.label}
    Why: Old receivers reject it, unless the enumeration is open, the property is lenient, or a capability gates the
    value.
    Instead: open the enumeration first, or gate the value: name in `x-capability` the capability that receivers
    advertise if they know it
    Mirror: enum-value-removed

enum-closed
    An open enumeration was closed.
    Says: {p.subject} now accepts only the listed values
    Why: Old senders may send values that it does not list. New receivers reject them.
    Instead: leave it open
    Mirror: enum-opened

enum-opened
    A closed enumeration was opened.
    Says: {p.subject} accepts unlisted values
    Why: Old receivers reject values that they do not list. Once receivers are updated, values can be added freely.
    Instead: open it in a separate release, before any value needs it
    Mirror: enum-closed

const-changed
    The constant value of a property changed.
    Why: Each side rejects the other's value.
    Instead: keep the value

error-code-removed
    An error code was removed.
    Says: the error code {p.label} was removed
    Why: Any integer is a valid code, so nothing fails. Peers that handle the code by name no longer receive it.
    Instead: keep the code

# unions

union-variant-removed
    A variant was removed from a union.
    Says: {p.subject} lost the variant {p.label}
    Why: Old senders still send it. If the union is open, receivers ignore the variant, and nobody
    notices.
    Instead: keep the variant, or open the union first
    Mirror: union-variant-added

union-variant-added
    A union has a new variant.
    Says: {p.subject} has the new variant {p.label}
    Why: Old receivers reject it, unless the union is open, the property is lenient, or a capability gates the variant.
    Instead: open the union first, or gate the variant: name in `x-capability` the capability that receivers advertise
    if they know it
    Mirror: union-variant-removed

union-tag-value-changed
    The tag of a variant changed; the rest of it did not.
    Says: the tag of the variant {p.other} of {p.subject} changed to {p.label}
    Why: Neither side knows the other's tag.
    Instead: keep the tag's value

union-tag-property-changed
    The tag property of a union changed.
    Why: Each side looks for its own tag.
    Instead: keep the tag

union-default-variant-changed
    The untagged variant of a union changed.
    Says: the untagged variant of {p.subject} was replaced or now has a tag
    Why: Old senders leave the tag out, or old receivers find a tag that they do not know.
    Instead: keep the untagged variant as it is

union-closed
    An open union was closed.
    Says: {p.subject} now accepts only the listed variants
    Why: Old senders may send variants that it does not list. New receivers reject them.
    Instead: leave it open
    Mirror: union-opened

union-opened
    A closed union was opened.
    Says: {p.subject} accepts unlisted variants
    Why: Old receivers reject variants that they do not list. Once receivers are updated, variants can be added freely.
    Instead: open it in a separate release, before any variant needs it
    Mirror: union-closed

union-became-ambiguous
    One message can match two untagged variants.
    Says: one message can be both {p.ambiguous} in {p.subject}
    Why: Two receivers may interpret it differently.
    Instead: give one of the variants a tag, or a required property that the other does not have

object-became-union
    An object became a union.
    Why: New variants differ from the object. Old messages are read only if the untagged variant has the object's
    properties.
    Instead: keep the object's properties as the untagged variant
    Mirror: union-became-object

union-became-object
    A union of objects became a single object.
    Why: Old senders send the other variants, and old receivers look for a tag.
    Instead: keep the union
    Mirror: object-became-union
"""
)

ROWS = (
    _rules.change("enum-value-removed", Kind.NARROWER, ValuePair, where=lambda pair: not pair.error),
    _rules.change("enum-value-added", Kind.WIDER, ValuePair),
    _rules.change("enum-closed", Kind.NARROWER, EnumPair),
    _rules.change("enum-opened", Kind.WIDER, EnumPair),
    _rules.change("const-changed", Kind.DISJOINT, ConstantPair, _constant),
    _rules.change("error-code-removed", {Kind.NARROWER: Effect.DROPS}, ValuePair, where=lambda pair: pair.error),
    _rules.change("union-variant-removed", Kind.NARROWER, VariantPair),
    _rules.change("union-variant-added", Kind.WIDER, VariantPair),
    _rules.change("union-tag-value-changed", Kind.DISJOINT, VariantPair),
    _rules.change("union-tag-property-changed", Effect.BREAKS, UnionPair, _tag_property),
    _rules.change("union-default-variant-changed", Effect.BREAKS, UnionPair, where=lambda pair: bool(pair.default)),
    _rules.change("union-closed", Kind.NARROWER, UnionPair),
    _rules.change("union-opened", Kind.WIDER, UnionPair),
    _rules.change("union-became-ambiguous", Effect.BREAKS, UnionPair, where=lambda pair: bool(pair.ambiguous)),
    _rules.change("object-became-union", _ANY, ChoicePair, _became("was an object and is now a union", union=True)),
    _rules.change(
        "union-became-object",
        _ANY,
        ChoicePair,
        _became("was a union of objects and is now a single object", union=False),
    ),
)
