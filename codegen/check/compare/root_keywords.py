"""Compare the keywords of two roots: the handshake, sessions, requirements and the like.

It compares keywords that both documents have, and keywords that an annotated document has lost. Published files have no
keywords, so they lose none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from ...document.annotations import Annotated, is_bare
from ...document.json_types import is_json_array, is_json_object
from ...document.read import join
from ...errors import quoted
from ...load.root import TARGETS
from ...model.analysis.updates import readings, tagged
from ...model.nodes.requirements import in_force
from ...model.nodes.root import Requirement
from ...model.nodes.types import Object, Schema, Update
from ..parts.pairs import MethodPair, RequirementPair, RootPair, SessionsPair
from ..parts.reserved import KEYWORD as RESERVED
from ..parts.reserved import reserved
from ..parts.side import Side

REQUIREMENTS = "x-requirements"


def requirement_pairs(old: Side, new: Side) -> Iterator[RequirementPair]:
    """Statements that only one schema has, or whose meaning differs. A published file has none and is ignored."""
    if is_bare(old.document) or is_bare(new.document):
        return
    before, after = ({each.id: each for each in side.schema.requirements} for side in (old, new))
    for id_ in {**before, **after}:
        one, other = before.get(id_), after.get(id_)
        if _with_its_rfd(one, other, old, new) or _with_its_rfd(other, one, new, old):
            continue
        if one is None or other is None or (one.level, one.binds) != (other.level, other.binds):
            yield RequirementPair(
                old=one,
                new=other,
                pointer=other.pointer if other is not None else _source_home(id_, new),
                base=one.pointer if one is not None else _source_home(id_, old),
                subject=id_,
                stable=all(
                    in_force(side.schema, each) for side, each in ((old, one), (new, other)) if each is not None
                ),
            )


def _with_its_rfd(there: Requirement | None, gone: Requirement | None, own: Side, other: Side) -> bool:
    """Return whether a statement is on one side only because that side has its RFD, or has completed it. Another rule
    reports the RFD.
    """
    if there is None or gone is not None or there.source.startswith("_"):
        return False
    rfd = (other.schema.rfds or {}).get(there.source)
    return rfd is None or (in_force(own.schema, there) and not rfd.stable)


def _source_home(id_: str, side: Side) -> str:
    """The place where a statement belongs: its source, the table, or the root."""
    source = id_.partition("/")[0]
    table = side.document.value.get(REQUIREMENTS)
    if table is None:
        return ""
    return join("", REQUIREMENTS, source) if source in table else join("", REQUIREMENTS)


SESSIONS = "x-sessions"
KEYWORDS = tuple(keyword for keyword in TARGETS if keyword != SESSIONS)
STATED_WHOLE = frozenset({"x-remote", "x-trace"})
"""Keywords without references to other parts of the schema."""
NUMBER = "versionNumber"
NOTHING = Update()
"""The absence of `x-update`, unlike its value `false`, which states that a part changes nothing."""
VERBS = {
    "create": "creates",
    "patch": "patches",
    "append": "appends to",
    "replace": "replaces",
    "remove": "removes",
    "join": "joins consecutive texts",
    "advance": "only moves forward",
}


def root_pairs(old: Side, new: Side) -> Iterator[RootPair]:
    """The root keywords that changed or were removed."""
    free = tuple(name for name in reserved(old.document.value) if name not in reserved(new.document.value))
    if free and not is_bare(new.document):
        yield _pair(RESERVED, "", free, lost=RESERVED not in new.document.value)
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
            texts = [f"{'.'.join(path)} was {_at(before, path)} and is now {_at(after, path)}" for path in paths]
            yield _pair(keyword, join("", *paths[0]), tuple(texts))


def session_pairs(methods: Iterable[MethodPair], old: Side, new: Side) -> Iterator[SessionsPair]:
    """The methods in both schemas that only one of them has in a list of `x-sessions`.

    Additions to a list break nothing, except that a receiver rejects concurrent requests that became exclusive.
    """
    before, after = old.document.value.get(SESSIONS), new.document.value.get(SESSIONS)
    if not is_json_object(before) or (not is_json_object(after) and is_bare(new.document)):
        return
    after = after if is_json_object(after) else {}
    kept = [pair for pair in methods if pair.how == "same" and pair.old is not None and pair.new is not None]
    for pair in kept:
        for name in {**before, **after}:
            was, is_ = (pair.subject in _paths(table, name) for table in (before, after))
            if was == is_ or (is_ and name != "exclusive"):
                continue
            assert pair.new is not None
            yield SessionsPair(
                old=was or None,
                new=is_ or None,
                list=name,
                method=pair.new,
                side=pair.side,
                pointer=_home(after, name),
                base=_home(before, name),
                subject=pair.subject,
                stable=pair.stable,
            )


def _paths(table: Mapping[str, Any], name: str) -> list[Any]:
    paths = table.get(name)
    return paths if is_json_array(paths) else []


def _home(table: Mapping[str, Any], name: str) -> str:
    """The place of a list, of the keyword without it, or of the root."""
    return join("", SESSIONS, name) if name in table else join("", SESSIONS) if table else ""


def update_pairs(old: Side, new: Side) -> Iterator[RootPair]:
    """The messages whose effect on a session's state changed or disappeared."""
    if old.schema.updates is None or new.schema.updates is None:
        return
    before, after = _said(old), _said(new)
    if isinstance(
        new.document, Annotated
    ):  # a published file says nothing itself; it is filled in as far as its spelling allows
        after = {name: said for name, said in after.items() if said[1] is not NOTHING}
    for name, (pointer, update) in before.items():
        if name in after and update.does is not None and after[name][1] != update:
            now = after[name]
            texts = (f"before, `{name}` {_does(update)}; now it {_does(now[1])}",)
            place = now[0] if now[1] is NOTHING else join(now[0], "x-update")
            base = join(pointer, "x-update")
            yield RootPair(keyword="x-update", differences=texts, pointer=place, base=base, subject=name)


@lru_cache(maxsize=4)
def _said(side: Side) -> Mapping[str, tuple[str, Update]]:
    """The updates, by tag, and the keywords of properties, with their places; NOTHING if there are none."""
    schema = side.schema
    owned = [(name, d.type) for name, d in schema.definitions.items() if isinstance(d.type, Object)]
    found = {
        f"{name}.{field.name}": (field.pointer, field.update or NOTHING)
        for name, type_ in owned
        for field in type_.fields
    }
    for each in readings(schema):  # the properties of variants belong to no definition
        found.setdefault(f"{each.message}.{each.path[-1]}", (each.field.pointer, each.update))
    return found | {tag: (variant.pointer, variant.update or NOTHING) for tag, variant in tagged(schema)}


def _does(update: Update) -> str:
    """Describe the effect of an update in a few words."""
    if update.does is None:
        return "says nothing" if update is NOTHING else "changes nothing"
    verb = VERBS.get(update.does, f"{update.does}s")
    key = f" by {'.'.join(update.key)!r}" if update.key else ""
    null = ", where null keeps the present value" if update.null == "keep" else ""
    of = f" (of {update.of!r})" if update.of else ""
    what = f" {update.part!r}" if update.part else ""
    item = f", from {update.item!r}" + (f" to {update.to!r}" if update.to else "") if update.item else ""
    ends = "".join(
        f", {name} at {value!r}" for name, value in (("done", update.done), ("failed", update.failed)) if value
    )
    return f"{verb}{what}{key}{of}{item}{null}{ends}"


def _pair(keyword: str, inside: str, differences: tuple[str, ...], *, lost: bool = False) -> RootPair:
    base = join("", keyword) + inside
    place = "" if lost else base
    return RootPair(keyword=keyword, differences=differences, lost=lost, pointer=place, base=base, subject=keyword)


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The paths whose old value changed or disappeared. Additions are not reported."""
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
    """Return whether the new schema lacks a name that the old keyword refers to."""
    said = getattr(old, keyword.removeprefix("x-"))
    return bool(said) and keyword not in STATED_WHOLE and TARGETS[keyword](new, said) is not None
