"""What the root of a schema says beside definitions, side by side: the handshake, cancelling, ordering, interrupting.

Only what both documents say themselves is compared, and what an annotated one has lost: a published file says none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..document.annotations import is_bare
from ..document.jsonvalue import is_json_object
from ..document.read import join
from ..errors import quoted
from ..model.agreements import (
    missing_for_cancel,
    missing_for_handshake,
    missing_for_interrupt,
    missing_for_ordering,
    missing_for_updates,
)
from ..model.types import Schema, Update
from ..model.updates import Reading, Rule, readings, rules
from .pairs import RootPair
from .side import Side

KEYWORDS = ("x-handshake", "x-cancel", "x-ordering", "x-interrupt", "x-remote", "x-trace", "x-updates")
NUMBER = "versionNumber"


def root_pairs(old: Side, new: Side) -> Iterator[RootPair]:
    """The keywords of the root that say something else, or nothing any more."""
    for keyword in KEYWORDS:
        before, after = old.document.value.get(keyword), new.document.value.get(keyword)
        if before == after or not is_json_object(before):
            continue
        if not is_json_object(after):
            if not is_bare(new.document):
                yield _pair(keyword, "", (), lost=True)
            continue
        paths = list(_differing(before, after))
        if _moved(keyword, old.schema, new.schema):
            # What it names is gone, which is reported there: a renamed method, a renamed property.
            paths = [path for path in paths if path == (NUMBER,)]
        if paths:
            texts = [f"{'.'.join(path)} was {_at(before, path)} and is {_at(after, path)}" for path in paths]
            yield _pair(keyword, join("", *paths[0]), tuple(texts))


def update_pairs(old: Side, new: Side) -> Iterator[RootPair]:
    """The messages that change the state of a session otherwise than before, where both sides say how they do."""
    if old.schema.updates is None or new.schema.updates is None:
        return
    before, after = _said(old.schema), _said(new.schema)
    for name, (pointer, update) in before.items():
        if name in after and after[name][1] != update:
            texts = (f"before, `{name}` {_does(update)}; now it {_does(after[name][1])}",)
            yield RootPair(
                keyword="x-update",
                differences=texts,
                lost=False,
                pointer=join(after[name][0], "x-update"),
                base=join(pointer, "x-update"),
                subject=name,
            )


def _said(schema: Schema) -> dict[str, tuple[str, Update]]:
    """What the updates, by tag, and the properties of messages do, with their places."""
    found: list[Rule | Reading] = [*rules(schema).values(), *readings(schema)]
    return {
        (each.tag if isinstance(each, Rule) else ".".join((each.message, *each.path))): (
            each.variant.pointer if isinstance(each, Rule) else each.field.pointer,
            each.update,
        )
        for each in found
    }


def _does(update: Update) -> str:
    """What an update does, in a few words."""
    verb = {"create": "creates", "patch": "patches", "append": "appends to", "replace": "replaces", "remove": "removes"}
    key = f" by {'.'.join(update.key)!r}" if update.key else ""
    null = ", where null keeps what is there" if update.null == "keep" else ""
    of = f" (of {update.of!r})" if update.of else ""
    return f"{verb.get(update.does or '', f'{update.does}s')} {update.part!r}{key}{of}{null}"


def _pair(keyword: str, inside: str, differences: tuple[str, ...], *, lost: bool = False) -> RootPair:
    pointer = join("", keyword) + inside
    return RootPair(
        keyword=keyword,
        differences=differences,
        lost=lost,
        pointer="" if lost else pointer,
        base=pointer,
        subject=keyword,
    )


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Where what the old one says is not what the new one says; what is new beside it takes nothing away."""
    for name, value in old.items():
        other = new.get(name)
        if is_json_object(value) and is_json_object(other):
            yield from ((name, *path) for path in _differing(value, other))
        elif value != other:
            yield (name,)


def _at(value: Any, path: tuple[str, ...]) -> str:
    for name in path:
        value = value.get(name) if is_json_object(value) else None
    return "nothing" if value is None else quoted(value)


def _moved(keyword: str, old: Schema, new: Schema) -> bool:
    """Whether something that the old schema names there is not in the new one any more."""
    if keyword == "x-handshake":
        return old.handshake is not None and missing_for_handshake(new, old.handshake) is not None
    if keyword == "x-cancel":
        return old.cancel is not None and missing_for_cancel(new, old.cancel) is not None
    if keyword == "x-interrupt":
        return old.interrupt is not None and missing_for_interrupt(new, old.interrupt) is not None
    if keyword in ("x-remote", "x-trace"):
        return False
    if keyword == "x-updates":
        return old.updates is not None and missing_for_updates(new, old.updates) is not None
    return old.ordering is not None and missing_for_ordering(new, old.ordering) is not None
