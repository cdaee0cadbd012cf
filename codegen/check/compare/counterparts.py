"""Counterparts: pair old properties and variants with new ones, by one criterion after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from typing import Generic, TypeVar

from ...model.algebra.discriminators import tag_of
from ...model.algebra.normal_form import Member, ObjectForm
from ...model.nodes.types import Field, Object, Reference, Type, Union
from ...model.nodes.walk import without_null

T = TypeVar("T")


class Pairing(Generic[T]):
    """Two lists of parts. `found` contains the pairs and their criterion; the rest is unpaired."""

    def __init__(self, olds: Iterable[T], news: Iterable[T]) -> None:
        self.left, self.right = list(olds), list(news)
        self.found: list[tuple[T, T, str]] = []

    def take(self, fits: Callable[[T, T], bool], how: str = "same") -> None:
        """Pair each remaining part with the first matching one of the other side."""
        for one in list(self.left):
            other = next((candidate for candidate in self.right if fits(one, candidate)), None)
            if other is not None:
                self.found.append((one, other, how))
                self.left.remove(one)
                self.right.remove(other)

    def all(self) -> list[tuple[T | None, T | None, str]]:
        """All parts: the pairs, then the unpaired parts of either side."""
        alone: list[tuple[T | None, T | None, str]] = [(one, None, "same") for one in self.left]
        return [*self.found, *alone, *((None, other, "same") for other in self.right)]


Equal = Callable[[Type, Type], bool]
Tags = tuple[str | None, str | None]
Alike = Callable[[Member, Member, Tags], bool]
Matched = tuple[Member | None, Member | None, str]


def match_fields(old: ObjectForm, new: ObjectForm, equal: Equal, tags: Tags) -> list[tuple[Field | None, Field | None]]:
    """Pair properties by name, and the remaining ones by type if that is unambiguous. Tags are excluded."""
    kept = [(old.fields[name], new.fields[name]) for name in old.fields if name in new.fields]
    kept = [(a, b) for a, b in kept if not (a.name in tags and a.name in old.constants() and b.name in new.constants())]
    told = {tags[0]} & old.constants().keys() | {tags[1]} & new.constants().keys()
    removed = [field for name, field in old.fields.items() if name not in new.fields and name not in told]
    added = [field for name, field in new.fields.items() if name not in old.fields and name not in told]
    renamed: list[tuple[Field | None, Field | None]] = []
    for one in list(removed):
        fits = [other for other in added if one.required == other.required and equal(one.type, other.type)]
        rivals = [other for other in removed if other is not one and any(equal(other.type, f.type) for f in fits)]
        fits = [
            f
            for f in fits
            if akin(one.name, f.name)
            or (((telling(one) and telling(f)) or same_name(one, f)) and len(fits) == 1 and not rivals)
        ]
        if len(fits) > 1:
            fits = [max(fits, key=lambda f: SequenceMatcher(None, one.name, f.name).ratio())]
        if fits:
            renamed.append((one, fits[0]))
            removed.remove(one)
            added.remove(fits[0])
    found: list[tuple[Field | None, Field | None]] = [*kept, *renamed]
    found += [(field, None) for field in removed]
    found += [(None, field) for field in added]
    return found


def telling(field: Field) -> bool:
    """Return whether equal types alone suggest a rename."""
    return field.required or isinstance(field.type, (Reference, Object, Union))


def same_name(one: Field, other: Field) -> bool:
    """Return whether two properties refer to the same definition, ignoring null."""
    held = [without_null(f.type) for f in (one, other)]
    return isinstance(held[0], Reference) and held[0] == held[1]


def akin(one: str, other: str) -> bool:
    """Return whether two names look like spellings of one name."""
    left, right = one.lower().replace("_", ""), other.lower().replace("_", "")
    shorter, longer = sorted((left, right), key=len)
    return (len(shorter) > 1 and shorter in longer) or SequenceMatcher(None, left, right).ratio() >= 0.6


def constant_tag(members: list[Member]) -> str | None:
    """The property that discriminates the variants."""
    return tag_of(member.constants for member in members)


def match_members(olds: list[Member], news: list[Member], tags: Tags, alike: Alike) -> list[Matched]:
    """Pair variants by tag, then by name or title, then by content. Others stay unpaired."""
    pairing = Pairing(olds, news)

    def both_open(a: Member, b: Member) -> bool:
        return a.open and b.open

    def tagged(a: Member, b: Member) -> bool:
        return not a.open and not b.open and _tag(a, tags[0]) is not None and _tag(b, tags[1]) is not None

    def plain(a: Member, b: Member) -> bool:
        return not a.open and not b.open and _tag(a, tags[0]) is None and _tag(b, tags[1]) is None

    def mixed(a: Member, b: Member) -> bool:
        return not a.open and not b.open and not tagged(a, b) and not plain(a, b)

    def lone_alike(a: Member, b: Member) -> bool:
        return tagged(a, b) and alike(a, b, tags) and _sole(a, pairing.left) and _sole(b, pairing.right)

    def bare_akin(a: Member, b: Member) -> bool:
        bare = not a.form.declared().keys() - {tags[0]} and not b.form.declared().keys() - {tags[1]}
        return tagged(a, b) and bare and akin(str(_tag(a, tags[0])), str(_tag(b, tags[1])))

    pairing.take(both_open)
    pairing.take(lambda a, b: tagged(a, b) and _tag(a, tags[0]) == _tag(b, tags[1]))
    pairing.take(lambda a, b: plain(a, b) and bool(set(a.names) & set(b.names)))
    pairing.take(lambda a, b: plain(a, b) and a.variant.title is not None and a.variant.title == b.variant.title)
    pairing.take(lambda a, b: plain(a, b) and alike(a, b, tags))
    pairing.take(lone_alike, "tag")
    pairing.take(bare_akin, "tag")
    pairing.take(lambda a, b: mixed(a, b) and alike(a, b, tags), "default")
    pairing.take(lambda a, b: plain(a, b) and len(pairing.left) == len(pairing.right) == 1)
    return pairing.all()


def _tag(member: Member, name: str | None) -> str | None:
    """The constant that discriminates a variant."""
    value = member.constants.get(name) if name is not None else None
    return value if isinstance(value, str) else None


def _sole(member: Member, among: list[Member]) -> bool:
    """Return whether no other variant has the same definition, so that pairing by content is meaningful."""
    return not any(other is not member and set(other.names[:1]) & set(member.names[:1]) for other in among)
