"""The truth table of compatibility: relation x direction x cost x gate x stage, and the table of costs."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import asdict

from codegen.check.impact.cost import ACCEPTS, FORGIVES, IGNORES, cost
from codegen.check.impact.severity import PEERS, TABLE, Circumstances, judge
from codegen.check.rules import COMPATIBILITY
from codegen.findings.finding import DIRECTIONS, Cost, Direction, Loss
from codegen.findings.rule import RELATED, Effect
from codegen.model.algebra.change_kind import Kind
from codegen.model.nodes.types import Schema

NAMES = ("progress", "gated", "opening")
ALL = [
    Circumstances(**dict(zip(NAMES, each, strict=True)), cost=Cost(loss=loss))
    for each in itertools.product((False, True), repeat=len(NAMES))
    for loss in Loss
]
EFFECTS = [Effect.ADDS, Effect.DROPS, Effect.BREAKS, Effect.SHIFTS, Effect.OMITS, Effect.NARROWS, Effect.WIDENS]

NEW_READERS, OLD_READERS = "new agents reading from released clients", "released agents reading from new clients"


def expected(effect: Effect, case: Circumstances) -> tuple[str, tuple[str, ...], bool]:
    """Level, who breaks, and whether the opening request is why: each law in a line, stated apart from the table."""
    broken = {
        Effect.DROPS: (NEW_READERS,),
        Effect.NARROWS: (NEW_READERS,),
        Effect.WIDENS: (OLD_READERS,),
        Effect.OMITS: (OLD_READERS,),
    }.get(effect, (NEW_READERS, OLD_READERS))
    if case.progress or effect is Effect.ADDS:
        return "info", (), False
    if effect is Effect.DROPS and case.opening:
        return "error", broken, True
    if case.cost.loss is Loss.NOTHING or (effect is Effect.WIDENS and case.gated and not case.opening):
        return "info", (), False
    if effect is Effect.WIDENS and case.gated:
        return "error", broken, True
    return ("warning" if case.cost.loss is Loss.FIELD else "error"), broken, False


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.value)
def test_every_combination_has_the_level_and_the_victims_that_the_laws_give_it(effect: Effect) -> None:
    for case in ALL:
        found = judge(effect, "client-to-agent", case)
        assert (found.level.name, found.breaks, found.raised) == expected(effect, case), asdict(case)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_other_direction_is_the_same_with_the_peers_exchanged(direction: Direction) -> None:
    there = {"agent": "client", "client": "agent"}
    for effect, case in itertools.product(EFFECTS, ALL):
        found, other = judge(effect, direction, case), judge(effect, "client-to-agent", case)
        words = [
            " ".join(there.get(w[:-1], w[:-1]) + "s" if w[:-1] in there else w for w in who.split())
            for who in other.breaks
        ]
        assert list(found.breaks) == (words if direction == "agent-to-client" else list(other.breaks))
        assert (found.level, found.direction) == (other.level, direction)


@pytest.mark.parametrize("index", range(len(TABLE)))
def test_every_row_of_the_table_decides_something(index: int) -> None:
    without = (*TABLE[:index], *TABLE[index + 1 :])

    def told(effect: Effect, case: Circumstances, *, whole: bool) -> object:
        try:
            found = judge(effect, "client-to-agent", case, TABLE if whole else without)
        except StopIteration:
            return None
        return found.level, found.breaks, found.raised

    assert any(told(e, c, whole=True) != told(e, c, whole=False) for e, c in itertools.product(EFFECTS, ALL))


def test_a_gate_never_helps_against_narrowing() -> None:
    for effect in (Effect.NARROWS, Effect.OMITS, Effect.SHIFTS, Effect.BREAKS):
        assert judge(effect, "client-to-agent", Circumstances(gated=True)).level.name == "error"


SCHEMA = Schema(title="", definitions={}, methods=())
REACTIONS = [(), (ACCEPTS,), (FORGIVES,), (ACCEPTS, IGNORES), (ACCEPTS, FORGIVES), (IGNORES,)]


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.value)
@pytest.mark.parametrize("reactions", REACTIONS, ids=" ".join)
def test_what_is_lost_follows_from_what_the_receiver_does(effect: Effect, reactions: tuple[str, ...]) -> None:
    """Stated apart from the table."""
    found = cost(effect, reactions, [], SCHEMA).loss.name
    less = effect in (Effect.NARROWS, Effect.SHIFTS, Effect.BREAKS)
    if effect is Effect.ADDS:
        expected = "NOTHING"
    elif effect is Effect.DROPS:
        expected = "FIELD"
    elif effect is Effect.WIDENS:
        expected = "NOTHING" if ACCEPTS in reactions else "FIELD" if reactions else "MESSAGE"
    elif less and IGNORES in reactions:
        expected = "MESSAGE"
    elif (less and ACCEPTS in reactions) or (effect is not Effect.BREAKS and FORGIVES in reactions):
        expected = "FIELD"
    else:
        expected = "MESSAGE"
    assert found == expected


def test_what_a_new_type_does_follows_from_how_it_is_related_to_the_old_one() -> None:
    assert {kind.value: effect.value for kind, effect in RELATED.items()} == {
        "equal": "adds",
        "narrower": "narrows",
        "wider": "widens",
        "overlapping": "shifts",
        "disjoint": "breaks",
    }
    assert set(RELATED) == set(Kind)
    assert PEERS == {"client-to-agent": ("client", "agent"), "agent-to-client": ("agent", "client")}


def test_without_circumstances_nothing_softens_a_change() -> None:
    assert asdict(Circumstances()) == dict.fromkeys(NAMES, False) | {"cost": Cost(loss=Loss.MESSAGE)}


# --- relations ----------------------------------------------------------------------------------------------------------------

RELATIONS = {
    rule.id: {kind.value: effect.value for kind, effect in rule.when.items()}
    for rows in COMPATIBILITY.values()
    for rule in rows
    if rule.when
}


def test_the_rows_about_relations_mean_what_the_relation_means_but_for_those_with_a_reason() -> None:
    """Where a row says otherwise than `RELATED`, here is why."""
    usual = {kind.value: effect.value for kind, effect in RELATED.items()}
    unusual = {
        (id_, kind): effect for id_, when in RELATIONS.items() for kind, effect in when.items() if usual[kind] != effect
    }
    assert unusual == {
        ("required-property-removed", "wider"): "omits",  # no gate makes an old receiver do without
        ("optional-property-removed", "equal"): "drops",  # nobody refuses anything, and its meaning is lost
        ("error-code-removed", "narrower"): "drops",  # codes are any integer
        ("constraint-tightened", "equal"): "narrows",  # a format binds nobody: at most a warning
        ("constraint-relaxed", "equal"): "widens",
    }
    assert len(RELATIONS) > 20
