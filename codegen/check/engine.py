"""Findings for two loaded schemas: the comparison, the flow of messages, the severity and the rules combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ..document.projection import ERROR
from ..findings.finding import DIRECTIONS, Category, Direction, Finding, Level
from ..findings.rule import Effect, Hit, Rule
from ..model.nodes.types import Method, Reference
from .compare.compare import Comparison
from .compare.flow import Flow, Use, directions
from .compare.meanings import meaning_pairs
from .compare.methods import former_pairs, gate_pairs, match_methods, repeat_pairs
from .compare.python_names import call_names, definitions, error_names, given, renamed
from .compare.root_keywords import requirement_pairs, root_pairs, session_pairs, update_pairs
from .impact.cost import ACCEPTS, FORGIVES, IGNORES, MISREADS, cost
from .impact.deprecation import deprecations
from .impact.gated_removals import mark_asked_first
from .impact.severity import Circumstances, Judgement, judge, way_out
from .impact.witnesses import Witnesses
from .parts.pairs import (
    Context,
    FieldPair,
    FormerPair,
    GatePair,
    MeaningPair,
    MethodPair,
    Node,
    Pair,
    Place,
    RepeatPair,
    RequirementPair,
    RfdPair,
    RootPair,
    SessionsPair,
    StagePair,
    ValuePair,
    VariantPair,
)
from .parts.phrases import in_words
from .parts.schemas import enveloped
from .parts.side import Side, unchanged
from .parts.stages import gone_with_their_rfd, restaged, unmarked
from .rules import COMPATIBILITY


def diff(
    old: Side, new: Side, *, unstable: bool = False, known_gates: bool = True, brief: bool = False
) -> list[Finding]:
    """The changes between two schemas with the affected peers, each rule by itself. `unstable`: treat RFDs in
    progress like stable parts.

    `brief`: without Python names and examples.
    """
    return _Diff(old, new, unstable=unstable, known_gates=known_gates, brief=brief).findings()


class _Diff:
    def __init__(self, old: Side, new: Side, *, unstable: bool, known_gates: bool, brief: bool) -> None:
        self.old, self.new, self.unstable, self.known_gates, self.brief = old, new, unstable, known_gates, brief
        # What stages change is in no definition, so all are walked then.
        same = unchanged(old, new) if old.schema.rfds == new.schema.rfds else set[str]()
        self.comparison = Comparison(old.schema, new.schema, same)
        self.flow = Flow(old.schema, new.schema)
        self.witnesses = Witnesses(self.comparison.relations, self.comparison.old, self.comparison.new)

    def findings(self) -> list[Finding]:
        pairs = self._walk()
        found: dict[tuple[object, ...], tuple[Rule, Pair, Hit, list[Node]]] = {}
        for pair in pairs:
            for rule in COMPATIBILITY.get(type(pair), ()):
                for hit in rule.hits(pair):
                    key = (rule.id, hit.pointer or pair.pointer, hit.message)
                    if key in found:
                        found[key][3].extend(pair.nodes)
                    else:
                        found[key] = (rule, pair, hit, list(pair.nodes))
        return [self._finding(rule, pair, hit, nodes) for rule, pair, hit, nodes in found.values()]

    # --- walking -------------------------------------------------------------------------------------------------------

    def _walk(self) -> list[Pair]:
        old, new = self.old.schema, self.new.schema
        methods = list(match_methods(old, new, self.comparison.equal, known_gates=self.known_gates))
        for pair in methods:
            if pair.old is not None and pair.new is not None:
                self._method(pair, pair.old, pair.new)
        self._everywhere()
        self._unused()
        self.flow.spread()
        self.flow.mark_capabilities(self._advertised())
        for other in self.comparison.pairs:
            if isinstance(other, ValuePair):
                uses = [use for node in other.nodes for use in self.flow.of(node.every)]
                other.error = other.accepted and any(use.role == "error" for use in uses)
        mark_asked_first(self.old, self.new, [*methods, *self.comparison.pairs])
        changed = [pair for pair in methods if pair.how != "same" or pair.old is None or pair.new is None]
        gates = gate_pairs(methods, self.comparison.pairs, self.old, known=self.known_gates)
        same = [pair for pair in self.comparison.pairs if not isinstance(pair, GatePair)]
        parts = list(gone_with_their_rfd(self.old, self.new, [*changed, *same]))
        return [
            *root_pairs(self.old, self.new),
            *update_pairs(self.old, self.new),
            *session_pairs(methods, self.old, self.new),
            *repeat_pairs(methods, self.old, self.new),
            *former_pairs(methods),
            *requirement_pairs(self.old, self.new),
            *meaning_pairs(self.old, self.new, self._renamed(methods)),
            *restaged(old, new, methods, self.comparison.pairs, self._named()),
            *gates,
            *parts,
            *unmarked(old, new, parts),
            *deprecations(self.old, self.new),
            *definitions(self.old, self.new, self.comparison, methods),
            *(() if self.brief else self._in_python(methods, is_changed=bool(changed or self.comparison.pairs))),
        ]

    def _in_python(self, methods: list[MethodPair], *, is_changed: bool) -> Iterator[Pair]:
        """Names that programs import."""
        old, new = self.old, self.new
        if is_changed or old.lock != new.lock or given(old.schema) != given(new.schema):
            yield from renamed(old, new, methods)
        yield from error_names(old, new)
        yield from (pair for pair in call_names(old, new) if pair.old != pair.new)

    def _renamed(self, methods: list[MethodPair]) -> dict[str, str]:
        """The new names of methods and definitions."""
        news = self.new.schema.definitions
        found = {m.old.path: m.new.path for m in methods if m.how == "renamed" and m.old and m.new}
        return found | {a: b for a, b in self.comparison.definitions if a and b and a not in news}

    def _named(self) -> dict[str, Node]:
        """The pairs of definitions with equal names in both schemas, by place."""
        places = {node.pointer: node for node in self.comparison.nodes.values()}
        found = {name: places.get(d.pointer) for name, d in self.new.schema.definitions.items()}
        return {name: node for name, node in found.items() if node is not None}

    def _method(self, pair: MethodPair, old: Method, new: Method) -> None:
        stable = pair.stable
        ends = [(old.params, new.params, "notification" if new.kind == "notification" else "request")]
        if old.result is not None and new.result is not None:
            ends.append((old.result, new.result, "response"))
        for before, after, role in ends:
            node = self._compare(before, after)
            uses = [self._use(d, new.path, role) for d in directions(pair.side, role)]
            self.flow.enter(node, uses, stable=stable)

    def _use(self, direction: Direction, path: str, role: str) -> Use:
        handshake = self.new.schema.handshake or self.old.schema.handshake
        opening = role == "request" and handshake is not None and path == handshake.method
        return Use(direction=direction, method=path, role=role, opening=opening)

    def _compare(self, before: str, after: str) -> Node:
        old, new = self.old.schema.definitions[before], self.new.schema.definitions[after]
        context = Context(nodes=[], pointer=new.pointer, base=old.pointer, subject=after)
        return self.comparison.types(Reference(before), Reference(after), context)

    def _everywhere(self) -> None:
        """Record that the contents of envelopes are sent in both directions, in responses and requests."""
        names = [ERROR, *enveloped(self.old.document), *enveloped(self.new.document)]
        own = {n for schema in (self.old.schema, self.new.schema) for m in schema.methods for n in (m.params, m.result)}
        for name in dict.fromkeys(names):
            if name in self.old.schema.definitions and name in self.new.schema.definitions and name not in own:
                role = "error" if name == ERROR else "request"
                uses = [Use(direction=d, method="", role=role) for d in DIRECTIONS]
                self.flow.enter(self._compare(name, name), uses, stable=True)

    def _unused(self) -> None:
        """Compare definitions that no message contains. Their changes break nobody."""
        faced = {name for pair in self.comparison.definitions for name in pair}
        for name in self.old.schema.definitions:
            if name in self.new.schema.definitions and name not in faced:
                self._compare(name, name)

    def _advertised(self) -> Iterator[Node]:
        handshake = self.new.schema.handshake or self.old.schema.handshake
        if handshake is None:
            return
        for node, mask, _ in self.flow.roots:
            if any(use.method == handshake.method for use in self.flow.of(mask)):
                yield from (edge.to for edge in node.edges if edge.label in handshake.capabilities.values())

    # --- judging -------------------------------------------------------------------------------------------------------

    def _finding(self, rule: Rule, pair: Pair, hit: Hit, nodes: Sequence[Node]) -> Finding:
        effect = _effect(rule, pair, hit)
        level, judgements = self._judged(rule, pair, hit, nodes, unstable=self.unstable)
        now = judgements if level > Level.info else ()
        completed = None
        if getattr(pair, "old", pair) is None and level < Level.error:
            # What is new in an RFD will be new to released peers on the day when it is completed.
            then, later = self._judged(rule, pair, hit, nodes, unstable=True)
            if then > level:
                completed, judgements = then, later
        worst = max((v.level for v in judgements), default=Level.info)
        shows = level > Level.info or completed is not None
        opening = any(v.raised for v in judgements) and level == Level.error
        shown = [v for v in judgements if v.breaks and v.level == worst] if shows else []
        row = _RAISED if opening and rule.category is Category.WIRE else rule
        pointer, base = hit.pointer or pair.pointer, hit.base or pair.base
        found = Finding(
            id=row.id,
            level=level,
            completed=completed,
            category=row.category,
            family=rule.family,
            found_by=rule.id,
            pointer=pointer,
            place=self.new.place(pointer),
            base=self.old.place(base),
            base_pointer=base,
            directions=tuple(dict.fromkeys(v.direction for v in judgements)),
            breaks=tuple(dict.fromkeys(who for v in shown for who in v.breaks)),
            lost=str(max((v.cost for v in shown if v.cost is not None), default="")),
            costs=tuple(dict.fromkeys((who, v.cost) for v in now for who in v.breaks)),
            message=_message(pair, hit) + (f" ({rule.id}){_OPENING}" if row is not rule else ""),
            instead=way_out(row, hit, effect, max(level, completed or level)),
            via=self._via(nodes),
            subject=pair.subject,
            alike=_alike(pair, nodes),
        )
        if self.brief or found.worst == Level.info or found.category is not Category.WIRE:
            return found
        if isinstance(pair, MethodPair):
            return replace(found, example=self.witnesses.call(pair))
        if isinstance(pair, RfdPair):
            return replace(found, example=None if pair.new is not None else self.witnesses.withdrawn(pair.subject))
        strict = 0
        for node in nodes:
            strict |= node.steady_strict_old | node.steady_strict_new
        rejecting = {*self.flow.of(strict)}
        carriers = sorted(self._carriers(nodes), key=lambda use: use not in rejecting)
        return replace(found, example=self.witnesses.example(found, effect, carriers))

    def _judged(
        self, rule: Rule, pair: Pair, hit: Hit, nodes: Sequence[Node], *, unstable: bool
    ) -> tuple[Level, list[Judgement]]:
        """The level of a hit, with its effect in each direction. `unstable`: as if all RFDs were completed."""
        effect = _effect(rule, pair, hit)
        progress = not unstable and _unfinished(pair, nodes)
        judgements = list(self._judgements(rule, effect, pair, hit, nodes, unstable=unstable, progress=progress))
        # What no message carries still is a matter for programs.
        alone = Level.warning if effect is Effect.SOURCE and not progress else Level.info
        return min(max((v.level for v in judgements), default=alone), hit.ceiling), judgements

    def _judgements(
        self, rule: Rule, effect: Effect, pair: Pair, hit: Hit, nodes: Sequence[Node], *, unstable: bool, progress: bool
    ) -> Iterator[Judgement]:
        if effect is Effect.SOURCE:
            return
        if isinstance(pair, _ABSTRACT):
            circumstances = Circumstances(progress=progress, cost=cost(effect, (), (), self.new.schema))
            yield from (replace(judge(effect, each, circumstances), cost=None) for each in DIRECTIONS)
            return
        method = _method(pair)
        if method is not None:
            yield from self._method_judgements(effect, method, hit, progress=progress)
            return
        reactions = (
            [MISREADS]
            if hit.misread
            else [ACCEPTS]
            if hit.accepted or (isinstance(pair, Place) and pair.accepted)
            else []
        )
        if reactions and isinstance(pair, VariantPair) and pair.became == "removed":
            reactions.append(IGNORES)
        gate = hit.gate or (pair.gate if isinstance(pair, Place) else None)
        steady = not unstable and any(node.steady for node in nodes)
        every, strict = self._masks(effect, pair, nodes, steady=steady, own=not hit.absent)
        if rule.family == "capabilities":
            strict = every  # what a peer advertises means the same to a lenient reader
        for direction in DIRECTIONS:
            mask = self.flow.mask(direction)
            if every & mask:
                rejecting = list(self.flow.of(strict & mask))
                circumstances = Circumstances(
                    progress=progress,
                    gated=gate is not None and self.flow.protects(gate, direction),
                    opening=any(use.opening for use in self.flow.of(every & mask)),
                    cost=cost(effect, reactions if rejecting else [*reactions, FORGIVES], rejecting, self.new.schema),
                )
                yield judge(effect, direction, circumstances)

    def _masks(self, effect: Effect, pair: Pair, nodes: Sequence[Node], *, steady: bool, own: bool) -> tuple[int, int]:
        """The uses that reach a change, and the uses for which the receiver's leniency does not help. `own`: the
        property's own keyword helps.
        """
        every = before = after = 0
        for node in nodes:
            every |= node.steady if steady else node.every
            before |= node.steady_strict_old if steady else node.strict_old
            after |= node.steady_strict_new if steady else node.strict_new
        before = 0 if pair.lenient_old and own else before
        after = 0 if pair.lenient_new and own else after
        if effect is Effect.SHIFTS:
            return every, before | after
        return every, after if effect in (Effect.NARROWS, Effect.DROPS) else before

    def _method_judgements(
        self, effect: Effect, method: tuple[Method, str], hit: Hit, *, progress: bool
    ) -> Iterator[Judgement]:
        part, side = method
        role = "notification" if part.kind == "notification" else "request"
        for direction in directions(side, role):
            gated = hit.gate is not None and self.flow.protects(hit.gate, direction)
            reactions = [ACCEPTS] * hit.accepted + [IGNORES] * (role == "notification")
            lost = cost(effect, reactions, [self._use(direction, part.path, role)], self.new.schema)
            circumstances = Circumstances(progress=progress, gated=gated, cost=lost)
            yield judge(effect, direction, circumstances)

    def _via(self, nodes: Sequence[Node]) -> tuple[str, ...]:
        """The messages that contain the change."""
        return tuple(sorted({f"{use.method} ({use.role})" for use in self._carriers(nodes)}))

    def _carriers(self, nodes: Sequence[Node]) -> list[Use]:
        """The messages that contain any of some places."""
        reached = 0
        for node in nodes:
            reached |= node.every
        return [use for use in self.flow.of(reached) if use.method]


_ABSTRACT = (RootPair, RfdPair, RequirementPair, MeaningPair)
"""Pairs that no message contains."""


def _message(pair: Pair, hit: Hit) -> str:
    own = (
        pair.gate
        if isinstance(pair, Place)
        else pair.new and pair.new.capability
        if isinstance(pair, MethodPair)
        else ""
    )
    gate = f"gated by {own}" if own and pair.became == "added" else ""
    return ", ".join(filter(None, (hit.message, gate, pair.asked_first)))


def _effect(rule: Rule, pair: Pair, hit: Hit) -> Effect:
    """The effect of a hit: an explicit one, or the effect of the relation."""
    if pair.asked_first and rule.effect is not Effect.SOURCE:
        return Effect.ADDS
    return hit.effect or (rule.when.get(pair.kind) if isinstance(pair, Place) else None) or rule.effect


def _unfinished(pair: Pair, nodes: Sequence[Node]) -> bool:
    """Return whether only an RFD in progress is affected."""
    if isinstance(pair, StagePair) or (isinstance(pair, RfdPair) and pair.new is not None):
        return False
    reached = any(node.every for node in nodes)
    return not pair.stable or (reached and not any(node.steady for node in nodes))


def _alike(pair: Pair, nodes: Sequence[Node]) -> str:
    """The type and role that equally named properties must share for their edits to be grouped."""
    field = (pair.new or pair.old) if isinstance(pair, FieldPair) else None
    return f"{in_words(field.type) if field is not None else ''} {any(node.capability for node in nodes)}"


def _method(pair: Pair) -> tuple[Method, str] | None:
    """The method of a pair, and its implementing side."""
    if isinstance(pair, (FormerPair, GatePair, RepeatPair, SessionsPair)):
        return (pair.method, pair.side) if pair.method is not None else None
    if isinstance(pair, (MethodPair, StagePair)):
        part = pair.new or pair.old
        return (part, pair.side) if isinstance(part, Method) else None
    return None


_OPENING = ", in the request that opens the connection"
_RAISED = next(row for rows in COMPATIBILITY.values() for row in rows if row.id == "handshake-changed")
