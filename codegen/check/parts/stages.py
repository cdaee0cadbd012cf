"""Stages: the parts that belong to an RFD in progress, and stable parts that were moved to such an RFD.

A published file has no stages. If the other file has stages, they apply to both, like gates. Two published files are
compared completely, because their stages are unknown. To compare the unstable protocol, compare the unstable files,
which are published beside the stable ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...document.keywords import STAGES
from ...document.read import join
from ...errors import quoted
from ...model.algebra.normal_form import Member
from ...model.nodes.root import Rfd
from ...model.nodes.types import Definition, Field, Method, Schema, Value, Variant
from ...model.nodes.walk import references
from .pairs import FieldPair, MethodPair, Node, Pair, RfdPair, StagePair, UnmarkedPair, ValuePair, VariantPair
from .schemas import Raw
from .side import Side

Part = Method | Field | Variant | Value | Definition


def is_stable(schema: Schema, rfd: str | None) -> bool:
    """Return whether a part belongs to no RFD in progress."""
    found: Rfd | None = (schema.rfds or {}).get(rfd) if rfd is not None else None
    return found is None or found.stable


def withdrawn(old: Schema, new: Schema, before: Part, after: Part) -> bool:
    """Return whether a stable part was moved to an RFD in progress. Demoted RFDs are reported for the RFD itself."""
    if new.rfds is None or old.rfds is None or before.rfd == after.rfd:
        return False
    return is_stable(old, before.rfd) and not is_stable(new, after.rfd)


def stage_pair(new: Schema, before: Part, after: Part, part: str, nodes: list[Node], subject: str) -> StagePair:
    """The pair of a part that is no longer stable."""
    stage, place = (new.rfds or {})[after.rfd or ""].stage, join(after.pointer, "x-rfd")
    at: dict[str, Any] = {"nodes": nodes, "pointer": place, "base": before.pointer, "subject": subject}
    return StagePair(old=before, new=after, part=part, stage=stage, **at)


def restaged(
    old: Schema, new: Schema, methods: Sequence[MethodPair], walked: Sequence[Pair], nodes: dict[str, Node]
) -> Iterator[Pair]:
    """Demoted RFDs, and methods and definitions that are no longer stable. `walked` contains smaller parts."""
    yield from _gone_back(old, new)
    ends: set[str | None] = set()
    for pair in methods:
        if pair.old is not None and pair.new is not None and withdrawn(old, new, pair.old, pair.new):
            found = stage_pair(new, pair.old, pair.new, pair.new.kind, [], pair.subject)
            found.side = pair.side
            ends |= {pair.new.params, pair.new.result}
            yield found
    parts = [pair.new for pair in walked if isinstance(pair, StagePair)]
    told = {n for part in parts if isinstance(part, (Field, Variant)) for n in references(part.type)}
    for name, before in old.definitions.items():
        after = new.definitions.get(name)
        if after is not None and name not in ends | told and withdrawn(old, new, before, after):
            yield stage_pair(new, before, after, "type", [nodes[name]] if name in nodes else [], name)


def _gone_back(old: Schema, new: Schema) -> Iterator[RfdPair]:
    for name, after in (new.rfds or {}).items():
        before = (old.rfds or {}).get(name)
        if before is not None and STAGES.index(after.stage) < STAGES.index(before.stage):
            pointer = join("", "x-rfds", name, "stage")
            brought = tuple(dict.fromkeys(_brought(new, name)))
            yield RfdPair(old=before, new=after, brought=brought, pointer=pointer, base=pointer, subject=name)


def _brought(schema: Schema, name: str) -> Iterator[str]:
    yield from (method.path for method in schema.methods if method.rfd == name)
    ends = {end for method in schema.methods for end in (method.params, method.result)}
    for definition in schema.definitions.values():
        if definition.rfd == name and definition.name not in ends:
            yield definition.name


def unmarked(old: Schema, new: Schema, pairs: Sequence[Pair]) -> Iterator[UnmarkedPair]:
    """Additions to stable parts that belong to no RFD, if both files have a table of RFDs. An addition is reported
    once, without its inner parts.
    """
    if old.rfds is None or new.rfds is None:
        return
    for pair in pairs:
        part = _fresh(pair)
        if part and pair.stable and (not pair.nodes or any(node.steady for node in pair.nodes)):
            yield UnmarkedPair(part=part, nodes=pair.nodes, pointer=pair.pointer, base=pair.base, subject=pair.subject)


def _fresh(pair: Pair) -> str:
    """The name of a new part without an RFD; empty for any other."""
    match pair:
        case MethodPair(old=None, new=Method(rfd=None) as method):
            return f"the method {method.path}"
        case FieldPair(old=None, new=Field(rfd=None)):
            return f"the property {pair.subject}"
        case VariantPair(old=None, new=Member(variant=Variant(rfd=None))):
            return f"the variant {pair.label} of {pair.subject}"
        case ValuePair(old=None, new=Value(rfd=None) as value):
            return f"the value {quoted(value.constant)} of {pair.subject}"
        case _:
            return ""


def gone_with_their_rfd(old: Side, new: Side, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs, with a single one for all parts of a withdrawn RFD."""
    lost: dict[str, list[tuple[str, Pair]]] = {}
    for pair in pairs:
        rfd, words = _lost(pair)
        if rfd is not None and rfd in (old.schema.rfds or {}):
            lost.setdefault(rfd, []).append((words, pair))
    for name in list(lost):
        if len(lost[name]) == 1 or _lives(old, new, name):
            del lost[name]
    told = {id(pair) for found in lost.values() for _, pair in found}
    yield from (pair for pair in pairs if id(pair) not in told)
    for name, found in lost.items():
        brought_by = (old.schema.rfds or {})[name]
        pointer = join("", "x-rfds", name)
        yield RfdPair(
            old=brought_by,
            new=None,
            brought=tuple(dict.fromkeys(words for words, _ in found)),
            nodes=[node for _, pair in found for node in pair.nodes],
            pointer=pointer if name in (new.schema.rfds or {}) else "/x-rfds" if new.schema.rfds is not None else "",
            base=pointer,
            subject=name,
            stable=brought_by.stable,
            asked_first="with the capabilities that gated it" if all(pair.asked_first for _, pair in found) else "",
        )


def _lost(pair: Pair) -> tuple[str | None, str]:
    """The RFD of a removed part, and the name of the part."""
    match pair:
        case MethodPair(old=Method() as method, new=None):
            return method.rfd, method.path
        case FieldPair(old=Field() as field, new=None):
            return field.rfd, pair.subject
        case VariantPair(old=Member() as member, new=None):
            return member.variant.rfd, f"the variant {pair.label} of {pair.subject}"
        case ValuePair(old=Value() as value, new=None):
            return value.rfd, f"the value {quoted(value.constant)} of {pair.subject}"
        case _:
            return None, ""


def _lives(old: Side, new: Side, name: str) -> bool:
    """Return whether any part of an RFD still exists."""
    kept = any(d.rfd == name and d.name in new.schema.definitions for d in old.schema.definitions.values())
    return kept or any(node.value.get("x-rfd") == name for node in Raw.of(new.document).nodes)
