"""Variants of unions: which variant of the other version is the counterpart, and an object with one variant."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.algebra.discriminators import tag_of
from ..model.algebra.normal_form import Member, ObjectForm
from .overlay import Statement


def counterpart(
    name: str, member: Member | None, facing: list[Member], tag: str, stated: Statement, *, forward: bool
) -> Member | None:
    """The variant of the other version for a variant with a tag; None if there is none."""
    if member is not None and member.open:
        return next((each for each in facing if each.open), None)
    known = any(each.constants.get(tag) == name for each in facing)
    wanted = name if known and not forward and name not in stated.back else stated.tags.get(name, name)
    if wanted:
        return next((each for each in facing if not each.open and each.constants.get(tag) == wanted), None)
    untagged = [each for each in facing if not each.open and tag not in each.constants]
    named = [each for each in untagged if member is not None and set(each.names) & set(member.names)]
    return next(iter(named or untagged), None)


def tag_in(members: Sequence[Member | None]) -> str:
    return tag_of(member.constants for member in members if member is not None) or ""


def joined(form: ObjectForm, member: Member) -> ObjectForm:
    """An object with one variant of its first union."""
    inner = member.form
    return ObjectForm(
        form.type,
        {**form.fields, **inner.fields},
        (*inner.unions, *form.unions[1:]),
        (*form.excludes, *inner.excludes),
        form.extra if form.extra is not None else inner.extra,
        form.closed or inner.closed,
        sources=(*form.sources, *inner.sources),
    )


def telling(member: Member, members: Sequence[Member], tag: str) -> tuple[str, ...]:
    """The required properties that discriminate a variant from others without the tag."""
    rivals = [each for each in members if each is not member and tag not in each.constants and not each.open]
    required = [name for name, field in member.form.fields.items() if field.required]
    return tuple(name for name in required if any(name not in each.form.fields for each in rivals))
