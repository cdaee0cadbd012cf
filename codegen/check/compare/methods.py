"""Pair methods: by side, path and kind; then by path alone; then by shape. Compare their gates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...contracts import locate, split
from ...document.annotations import is_bare
from ...model.algebra.normal_form import WireForms
from ...model.nodes.types import Method, Reference, Schema, Type
from ...model.nodes.walk import references
from ..parts.pairs import FieldPair, FormerPair, GatePair, MethodPair, Pair, RepeatPair, common
from ..parts.side import Side
from ..parts.stages import is_stable
from .counterparts import Pairing
from .flow import PEERS

Equal = Callable[[Type, Type], bool]
Row = tuple[str, Method]


def match_methods(old: Schema, new: Schema, equal: Equal, *, known_gates: bool) -> Iterator[MethodPair]:
    """All methods of both schemas, paired. A method of both sides counts once for each."""
    pairing = Pairing(_rows(old), _rows(new))
    pairing.take(lambda a, b: (a[0], a[1].path, a[1].kind) == (b[0], b[1].path, b[1].kind))
    pairing.take(lambda a, b: (a[1].path, a[1].kind) == (b[1].path, b[1].kind), "side")
    pairing.take(lambda a, b: (a[0], a[1].path) == (b[0], b[1].path), "kind")
    pairing.take(lambda a, b: (a[0], a[1].path, a[1].kind) == (b[0], b[1].former, b[1].kind), "former")
    pairing.take(lambda a, b: _same_shapes(a, b, equal) and _sole(a, b, pairing, equal), "renamed")
    for one, other, how in pairing.all():
        before, after = one[1] if one else None, other[1] if other else None
        yield MethodPair(
            old=before,
            new=after,
            how=how,
            side=(other or one or ("",))[0],
            known_gates=known_gates,
            in_band=_in_band(old, new, other) if other is not None and one is None else "",
            pointer=after.pointer if after is not None else "/$defs",
            base=before.pointer if before is not None else "/$defs",
            subject=(after or before).path,  # type: ignore[union-attr]
            stable=is_stable(old, before.rfd) if before is not None else after is None or is_stable(new, after.rfd),
        )


def _rows(schema: Schema) -> Iterator[Row]:
    for method in schema.methods:
        for side in PEERS if method.side == "both" else (method.side,):
            yield side, method


def _same_shapes(one: Row, other: Row, equal: Equal) -> bool:
    before, after = one[1], other[1]
    if (one[0], before.kind) != (other[0], after.kind):
        return False
    if not equal(Reference(before.params), Reference(after.params)):
        return False
    return before.result is None or after.result is None or equal(Reference(before.result), Reference(after.result))


def _sole(one: Row, other: Row, pairing: Pairing[Row], equal: Equal) -> bool:
    """Return whether two methods are each other's only counterpart, so that equal shapes are meaningful."""
    rivals = [r for r in pairing.right if r is not other and _same_shapes(one, r, equal)]
    rivals += [r for r in pairing.left if r is not one and _same_shapes(r, other, equal)]
    return not rivals


def _in_band(old: Schema, new: Schema, row: Row) -> str:
    """The reason, other than a capability, why nobody sends a request to a peer that does not know it."""
    side, method = row
    if not any(side == other for other, _ in _rows(old)):
        return f"no released peer implements side {side}"
    if method.capability is None and _needs_new_value(old, new, method):
        return "its params require a value that only new peers issue"
    return ""


def _needs_new_value(old: Schema, new: Schema, method: Method) -> bool:
    """Return whether the params require a value of a type that no old peer can have issued."""
    forms = WireForms(new)
    params = Reference(method.params)
    if not forms.is_object(params):
        return False
    required = [f.type for f in forms.form(params).fields.values() if f.required]
    fresh = {t.name for t in required if isinstance(t, Reference) and t.name not in old.definitions}
    if not fresh:
        return False
    own = {method.params, method.result}
    return any(name in fresh for d in new.definitions.values() if d.name not in own for name in references(d.type))


def repeat_pairs(methods: Sequence[MethodPair], old: Side, new: Side) -> Iterator[RepeatPair]:
    """Requests that may be repeated in only one schema. A schema without the keyword is ignored."""
    if is_bare(new.document) or not any(method.idempotent for method in old.schema.methods):
        return
    for pair in methods:
        if pair.how != "same" or pair.old is None or pair.new is None:
            continue
        if pair.old.idempotent != pair.new.idempotent:
            was, is_ = pair.old.idempotent or None, pair.new.idempotent or None
            yield RepeatPair(old=was, new=is_, method=pair.new, side=pair.side, **common(pair))


def former_pairs(methods: Sequence[MethodPair]) -> Iterator[FormerPair]:
    """Former names that a method has in only one schema. Removed methods are not included."""
    for pair in methods:
        if pair.new is not None:
            names = pair.old.former if pair.old is not None else None, pair.new.former
            for old, new in ((names[0], None), (None, names[1])) if names[0] != names[1] else ():
                if old or new:
                    yield FormerPair(old=old, new=new, method=pair.new, side=pair.side, **common(pair))


def gate_pairs(methods: Sequence[MethodPair], walked: Sequence[Pair], old: Side, *, known: bool) -> Iterator[GatePair]:
    """Methods and walked parts of messages with a different gate. `known`: the new file states gates.

    A gate whose capability was only renamed is reported there.
    """
    renamed = [pair for pair in walked if isinstance(pair, FieldPair) and pair.renamed]
    names = {(p.old.name, p.new.name) for p in renamed if p.old and p.new and any(n.capability for n in p.nodes)}

    def same(before: str | None, after: str | None) -> bool:
        steps = [split(locate(gate or "", "")[1]) for gate in (before, after)]
        owners = {locate(gate or "", "")[0] for gate in (before, after)}
        pairs = zip(*steps, strict=False)
        return len(owners) == 1 and len(steps[0]) == len(steps[1]) and all(a == b or (a, b) in names for a, b in pairs)

    for pair in methods:
        if pair.how != "same" or pair.old is None or pair.new is None or pair.old.gated is None:
            continue
        stated = pair.new.gated is not None or (known and pair.old.capability is not None)
        if stated and not same(pair.old.capability, pair.new.capability):
            was, is_ = pair.old.capability, pair.new.capability
            yield GatePair(old=was, new=is_, method=pair.new, side=pair.side, **common(pair))
    parts = [pair for pair in walked if isinstance(pair, GatePair) and not same(pair.old, pair.new)] if known else []
    stated_before = bool(parts) and not is_bare(old.document)
    yield from (pair for pair in parts if pair.old is not None or stated_before)
