"""Lints of types: unions without discriminators, defaults that do not conform, integers that are too large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...diagnostics import NOT_DRAFT
from ...document.validators import draft_errors
from ...errors import quoted
from ...findings.rule import Hit
from ...load.root import DIALECT
from ...model.algebra.conformance import fits
from ...model.algebra.intersect import admits_null, same
from ...model.algebra.normal_form import Member
from ...model.nodes.types import Enumeration, Integer, Scalar, String
from ..compare.counterparts import constant_tag
from ..parts.phrases import in_words
from ..parts.schemas import Loaded, Raw
from .rows import Rows, fault_lint

SAFE = 2**53 - 1


def _choices(loaded: Loaded) -> Iterator[tuple[str, str, list[Member]]]:
    """The unions of objects: the definition's name, the place, the variants."""
    for definition, union in loaded.unions():
        if len(union.variants) > 1 and loaded.forms.is_object(union):
            own = definition.type is union
            place = definition.pointer if own else union.variants[0].pointer.rpartition("/")[0]
            yield definition.name, place, loaded.forms.members(union)


def _untagged(loaded: Loaded) -> Iterator[Hit]:
    for name, pointer, members in _choices(loaded):
        tag = constant_tag(members)
        bare = [m for m in members if not m.open and (tag is None or tag not in m.constants)]
        if bare and not (tag is not None and all(tag in m.form.fields for m in bare)):
            yield Hit(f"the variants of {name} have no common discriminator", pointer)


def _duplicate(loaded: Loaded) -> Iterator[Hit]:
    for name, _, members in _choices(loaded):
        tag = constant_tag(members)
        counts = Counter(quoted(m.constants[tag]) for m in members if tag is not None and tag in m.constants)
        seen: list[dict[str, Scalar]] = []
        for member in members:
            constants = dict(member.constants)
            if tag in constants and counts[quoted(constants[tag])] > 1:
                if any(all(same(constants[n], one[n]) for n in constants.keys() & one.keys()) for one in seen):
                    yield Hit(f"two variants of {name} have the tag {quoted(constants[tag])}", member.variant.pointer)
                seen.append(constants)


def _optional_member(loaded: Loaded) -> Iterator[Hit]:
    for name, _, members in _choices(loaded):
        tag = constant_tag(members) or _optional_tag(members)
        for member in members:
            field = member.form.fields.get(tag or "")
            constant = field is not None and isinstance(field.type, Enumeration) and field.type.base is None
            if field is not None and constant and not field.required:
                yield Hit(f"{field.name} tells the variants of {name} apart but may be left out", field.pointer)


def _optional_tag(members: list[Member]) -> str | None:
    """The constant property that most variants declare, required or not."""
    counts = Counter(
        field.name
        for member in members
        for field in member.form.fields.values()
        if isinstance(field.type, Enumeration) and field.type.base is None and len(field.type.values) == 1
    )
    return counts.most_common(1)[0][0] if counts else None


def _fallback(loaded: Loaded) -> Iterator[Hit]:
    for name, _, members in _choices(loaded):
        tag = constant_tag(members)
        for member in members:
            field = member.form.fields.get(tag or "")
            if field is not None and not member.open and isinstance(loaded.forms.plain(field.type), String):
                text = f"this variant of {name} also accepts the tags of the others; without `not`, an invalid message with a known tag becomes this variant"
                yield Hit(text, member.variant.pointer)


def _default(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        if field.has_default and not fits(loaded.forms, field.type, field.default):
            text = f"the default {quoted(field.default)} of {field.name} is not {in_words(field.type)}"
            yield Hit(text, f"{field.pointer}/default")


def _required_default(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        if field.required and field.has_default:
            yield Hit(f"{field.name} is required, so its default never applies", field.pointer)


def _unsafe(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        for alternative in loaded.forms.alternatives(field.type):
            type_ = alternative.type
            if not isinstance(type_, Integer):
                continue
            low = type_.minimum if type_.minimum is not None else -_size(type_.format)
            high = type_.maximum if type_.maximum is not None else _size(type_.format)
            if high > SAFE or low < -SAFE:
                yield Hit(f"{field.name} may be an integer above 2^53, which JavaScript rounds", field.pointer)


def _size(format_: str | None) -> int:
    """The largest integer of a format. Integers without a format are not checked."""
    digits = (format_ or "").removeprefix("u").removeprefix("int")
    return 2 ** int(digits) if digits.isdecimal() else SAFE


def _refused_null(loaded: Loaded) -> Iterator[Hit]:
    names = loaded.schema.definitions
    for pointer, node in loaded.raw.nodes:
        target = str(node.get("$ref", "")).removeprefix("#/$defs/")
        types: Any = node.get("type")
        listed = isinstance(types, list) and "null" in types and types != ["null"]
        if listed and target in names and not admits_null(names[target].type, loaded.schema.resolve):
            yield Hit(f"null is listed beside a `$ref` to {target}, which rejects null", pointer)


def _draft(raw: Raw) -> Iterator[Hit]:
    """The document against the meta-schema of its dialect."""
    from ...document.read import join  # noqa: PLC0415

    for error in draft_errors(raw.document.value, DIALECT):
        yield Hit(f"draft 2020-12 says: {error.message}", join("", *error.instance_path))


_rules = Rows(
    """
# shapes

union-untagged (warning)
    A union whose variants have no tag.
    Instead: give every variant the same property with a different constant

union-tag-duplicate (error)
    Two variants of a union with the same tag.
    Instead: give one of them another value

union-tag-not-required (error)
    A tag that is not required.
    Instead: require it in every variant

fallback-without-not (error)
    A variant for unknown tags that also accepts the known ones.
    Instead: list the known tags in `not`

default-invalid (error)
    A default that does not conform to its type.
    Instead: correct the default

required-with-default (warning)
    A default that never applies, because the property is required.
    Instead: remove the default, or make the property optional

unsafe-integer (info)
    An integer that JavaScript peers cannot represent exactly.
    Instead: bound it by 9007199254740991, or send a string

null-refused (warning)
    A type that lists null beside a `$ref` that rejects null.
    Instead: write {"anyOf": [{"$ref": ...}, {"type": "null"}]}
"""
)

ROWS = (
    _rules.lint("union-untagged", Loaded, _untagged),
    _rules.lint("union-tag-duplicate", Loaded, _duplicate),
    _rules.lint("union-tag-not-required", Loaded, _optional_member),
    _rules.lint("fallback-without-not", Loaded, _fallback),
    _rules.lint("default-invalid", Loaded, _default),
    _rules.lint("required-with-default", Loaded, _required_default),
    _rules.lint("unsafe-integer", Loaded, _unsafe),
    _rules.lint("null-refused", Loaded, _refused_null),
    fault_lint("shapes", NOT_DRAFT, Raw, _draft),
)
