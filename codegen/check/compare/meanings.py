"""Statements in prose that differ between both schemas, and error codes whose meanings were exchanged.

A statement is a sentence in a description or a requirement. It states an obligation, or the meaning of null, absence or
a default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...document.annotations import is_bare
from ...document.json_types import is_json_object
from ...document.read import pointer_parts
from ...document.walk import along, schemas
from ...model.nodes.requirements import in_force
from ...model.nodes.types import Enumeration
from ..parts.pairs import MeaningPair
from ..parts.phrases import owner
from ..parts.promotion import counterpart
from ..parts.side import Side
from ..parts.stages import is_stable

STATES = re.compile(r"\b(must|shall|should|may|null|absen(t|ce)|default|omit(ted)?|required?|never)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*] ")


def meaning_pairs(old: Side, new: Side, names: Mapping[str, str]) -> Iterator[MeaningPair]:
    """The statements that differ. A published file is not compared with one that has our own descriptions.

    `names`: the new names of renamed methods and definitions; a statement that only follows a rename means the same.
    """
    yield from _codes(old, new)
    if is_bare(old.document) is not is_bare(new.document):
        return
    yield from _requirements(old, new, names)
    before: Mapping[str, Any] = old.document.value.get("$defs", {})
    after: Mapping[str, Any] = new.document.value.get("$defs", {})
    for name, node in after.items():
        if name in before and before[name] != node:
            yield from _descriptions(name, old, new, names)


def _descriptions(name: str, old: Side, new: Side, names: Mapping[str, str]) -> Iterator[MeaningPair]:
    for found in schemas({name: new.document.value["$defs"][name]}, "/$defs", "schemas"):
        there = counterpart(new.document.value, old.document.value, found.pointer)
        if there is None or not is_json_object(there[1]):
            continue
        base, node = there
        texts = node.get("description"), found.value.get("description")
        if isinstance(texts[0], str) and isinstance(texts[1], str):
            was, now = reworded(_renamed(texts[0], names), texts[1])
            if was or now:
                stable = all(is_stable(new.schema, rfd) for rfd in _rfds(new.document.value, found.pointer))
                subject = _subject(found.pointer)
                yield MeaningPair(old=was, new=now, pointer=found.pointer, base=base, subject=subject, stable=stable)


def _requirements(old: Side, new: Side, names: Mapping[str, str]) -> Iterator[MeaningPair]:
    before = {each.id: each for each in old.schema.requirements}
    for each in new.schema.requirements:
        was = before.get(each.id)
        if was is not None and _key(_renamed(was.text, names)) != _key(each.text):
            stable = in_force(new.schema, each) and in_force(old.schema, was)
            yield MeaningPair(
                old=(was.text,),
                new=(each.text,),
                pointer=each.pointer,
                base=was.pointer,
                subject=each.id,
                stable=stable,
            )


def _codes(old: Side, new: Side) -> Iterator[MeaningPair]:
    """Numbers of an enumeration that swapped meanings."""
    for name, definition in new.schema.definitions.items():
        before = old.schema.definitions.get(name)
        if before is None or not isinstance(before.type, Enumeration) or not isinstance(definition.type, Enumeration):
            continue
        known = {value.title: value for value in before.type.values if value.title and isinstance(value.constant, int)}
        for value in definition.type.values:
            was = known.get(value.title or "")
            if was is not None and was.constant != value.constant:
                yield MeaningPair(
                    old=(str(was.constant),),
                    new=(str(value.constant),),
                    code=value.title or "",
                    pointer=value.pointer,
                    base=was.pointer,
                    subject=name,
                )


def reworded(old: str, new: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The statements that are only in the old text, and those that are only in the new text."""
    before, after = (_statements(text) for text in (old, new))
    gone = tuple(text for key, text in before.items() if key not in after)
    come = tuple(text for key, text in after.items() if key not in before)
    return gone, come


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"`([^`.]+)", lambda found: f"`{names.get(found[1], found[1])}", text) if names else text


def _statements(text: str) -> dict[str, str]:
    sentences = (" ".join(part.split()) for part in _SENTENCE.split(text))
    return {_key(each): each for each in sentences if STATES.search(each)}


def _key(text: str) -> str:
    """A sentence in lower case, without punctuation and markup."""
    return re.sub(r"[^\w-]+", " ", text).strip().lower()


def _rfds(value: Any, pointer: str) -> Iterator[str]:
    for node in along(value, pointer_parts(pointer)):
        if is_json_object(node) and isinstance(node.get("x-rfd"), str):
            yield node["x-rfd"]


def _subject(pointer: str) -> str:
    steps = pointer_parts(pointer)
    inside = len(steps) > 3 and steps[-2] == "properties"
    return f"{owner(pointer)}.{steps[-1]}" if inside else owner(pointer)
