"""Lints of types: unions that cannot be told apart, defaults that do not fit, integers that are too large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from ...errors import quoted
from ...faults import NOT_DRAFT
from ...findings.finding import Level
from ...findings.rule import Hit
from ...load.root import DIALECT
from ...model.combine import admits_null, same
from ...model.fits import fits
from ...model.types import Enumeration, Integer, Scalar, String
from ...model.wireform import Member
from ..counterparts import constant_tag
from ..phrases import in_words
from ..schemas import Loaded, Raw
from .rows import fault_lint, lint

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
        if bare and not (tag is not None and all(_has_tag(m, tag) for m in bare)):
            yield Hit(message=f"the variants of {name} are not all told apart by one property", pointer=pointer)


def _has_tag(member: Member, tag: str) -> bool:
    return tag in member.form.fields


def _duplicate(loaded: Loaded) -> Iterator[Hit]:
    for name, _, members in _choices(loaded):
        tag = constant_tag(members)
        counts = Counter(quoted(m.constants[tag]) for m in members if tag is not None and tag in m.constants)
        seen: list[dict[str, Scalar]] = []
        for member in members:
            constants = dict(member.constants)
            if tag in constants and counts[quoted(constants[tag])] > 1:
                if any(_clash(constants, other) for other in seen):
                    text = f"two variants of {name} have the tag {quoted(constants[tag])}"
                    yield Hit(message=text, pointer=member.variant.pointer)
                seen.append(constants)


def _clash(one: dict[str, Scalar], other: dict[str, Scalar]) -> bool:
    return all(same(one[n], other[n]) for n in one.keys() & other.keys())


def _optional_member(loaded: Loaded) -> Iterator[Hit]:
    for name, _, members in _choices(loaded):
        tag = constant_tag(members) or _optional_tag(members)
        for member in members:
            field = member.form.fields.get(tag or "")
            constant = field is not None and isinstance(field.type, Enumeration) and field.type.base is None
            if field is not None and constant and not field.required:
                text = f"{field.name} tells the variants of {name} apart but may be left out"
                yield Hit(message=text, pointer=field.pointer)


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
                yield Hit(message=text, pointer=member.variant.pointer)


def _default(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        if field.has_default and not fits(loaded.forms, field.type, field.default):
            text = f"the default {quoted(field.default)} of {field.name} is not {in_words(field.type)}"
            yield Hit(message=text, pointer=f"{field.pointer}/default")


def _required_default(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        if field.required and field.has_default:
            yield Hit(message=f"{field.name} is required, so its default never applies", pointer=field.pointer)


def _unsafe(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        for alternative in loaded.forms.alternatives(field.type):
            type_ = alternative.type
            if not isinstance(type_, Integer):
                continue
            low = type_.minimum if type_.minimum is not None else -_size(type_.format)
            high = type_.maximum if type_.maximum is not None else _size(type_.format)
            if high > SAFE or low < -SAFE:
                text = f"{field.name} may hold integers beyond 2^53, which JavaScript rounds"
                yield Hit(message=text, pointer=field.pointer)


def _size(format_: str | None) -> int:
    """The largest integer of a format; nothing is said of integers without one."""
    digits = (format_ or "").removeprefix("u").removeprefix("int")
    return 2 ** int(digits) if digits.isdecimal() else SAFE


def _refused_null(loaded: Loaded) -> Iterator[Hit]:
    names = loaded.schema.definitions
    for pointer, node in loaded.raw.nodes:
        target = str(node.get("$ref", "")).removeprefix("#/$defs/")
        types: Any = node.get("type")
        listed = isinstance(types, list) and "null" in types and types != ["null"]
        if listed and target in names and not admits_null(names[target].type, loaded.schema.resolve):
            text = f"null is listed beside a `$ref` to {target}, which rejects null"
            yield Hit(message=text, pointer=pointer)


def _draft(raw: Raw) -> Iterator[Hit]:
    """The document against the meta-schema of its dialect."""
    import jsonschema_rs  # noqa: PLC0415  # only this rule and one other need it

    from ...document.read import join  # noqa: PLC0415

    if jsonschema_rs.meta.is_valid(raw.document.value):
        return
    for error in jsonschema_rs.Draft202012Validator({"$ref": DIALECT}).iter_errors(raw.document.value):
        yield Hit(message=f"draft 2020-12 says: {error.message}", pointer=join("", *error.instance_path))


E, W = Level.error, Level.warning

_row = partial(lint, "shapes")

ROWS = (
    _row(
        "union-untagged",
        W,
        Loaded,
        _untagged,
        "A union whose variants have no tag.",
        "give every variant the same property, with a constant of its own",
    ),
    _row(
        "union-tag-duplicate",
        E,
        Loaded,
        _duplicate,
        "Two variants of a union with the same tag.",
        "give one of them another value",
    ),
    _row(
        "union-tag-not-required",
        E,
        Loaded,
        _optional_member,
        "A tag that is not required.",
        "require it in every variant",
    ),
    _row(
        "fallback-without-not",
        E,
        Loaded,
        _fallback,
        "A variant for unknown tags that also accepts the known ones.",
        "list the known tags in `not`",
    ),
    _row(
        "default-invalid",
        E,
        Loaded,
        _default,
        "A default that does not fit its type.",
        "correct the default",
    ),
    _row(
        "required-with-default",
        W,
        Loaded,
        _required_default,
        "A default that never applies, because the property is required.",
        "remove the default, or make the property optional",
    ),
    _row(
        "unsafe-integer",
        Level.info,
        Loaded,
        _unsafe,
        "An integer that JavaScript peers cannot represent exactly.",
        "bound it by 9007199254740991, or send a string",
    ),
    _row(
        "null-refused",
        W,
        Loaded,
        _refused_null,
        "A type that lists null beside a `$ref` that rejects null.",
        'write {"anyOf": [{"$ref": ...}, {"type": "null"}]}',
    ),
    fault_lint("shapes", NOT_DRAFT, Raw, _draft),
)
