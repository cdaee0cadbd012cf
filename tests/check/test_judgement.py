"""The truth table of compatibility: effect x direction x openness x gate x leniency, and what the stage of an RFD does to it."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import asdict

from codegen.check.judgement import PEERS, RELATED, TABLE, Circumstances, judge
from codegen.findings.finding import DIRECTIONS, Direction
from codegen.findings.rule import Effect
from codegen.model.relation import Kind

NAMES = ("accepted", "gated", "opening", "forgiven", "unawaited")
ALL = [
    Circumstances(**dict(zip(NAMES, each, strict=True))) for each in itertools.product((False, True), repeat=len(NAMES))
]
EFFECTS = [Effect.ADDS, Effect.DROPS, Effect.BREAKS, Effect.OMITS, Effect.NARROWS, Effect.WIDENS]

NEW_READERS, OLD_READERS = "new agents reading from released clients", "released agents reading from new clients"


def expected(effect: Effect, case: Circumstances) -> tuple[str, tuple[str, ...], bool]:
    """Level, who breaks, and whether the opening request is why: each law in a line, stated apart from the table."""
    lenient = case.forgiven
    if effect is Effect.ADDS:
        return "info", (), False
    if effect is Effect.DROPS:
        return ("error" if case.opening else "warning"), (NEW_READERS,), case.opening
    if effect is Effect.BREAKS:
        return ("warning" if case.accepted else "error"), (NEW_READERS, OLD_READERS), False
    if effect is Effect.OMITS:
        return ("warning" if lenient else "error"), (OLD_READERS,), False
    if effect is Effect.NARROWS:
        return ("warning" if lenient or case.accepted else "error"), (NEW_READERS,), False
    if case.accepted or (case.gated and not case.opening):
        return "info", (), False
    if case.gated:
        return "error", (OLD_READERS,), True
    return ("warning" if lenient or case.unawaited else "error"), (OLD_READERS,), False


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


def test_a_gate_never_helps_against_narrowing_nor_leniency_against_what_is_lost_both_ways() -> None:
    for effect in (Effect.NARROWS, Effect.OMITS, Effect.BREAKS):
        assert judge(effect, "client-to-agent", Circumstances(gated=True)).level.name == "error"
    assert judge(Effect.BREAKS, "client-to-agent", Circumstances(forgiven=True)).level.name == "error"


def test_what_a_new_type_does_follows_from_how_it_is_related_to_the_old_one() -> None:
    assert {kind.value: effect.value for kind, effect in RELATED.items()} == {
        "equal": "adds",
        "narrower": "narrows",
        "wider": "widens",
        "overlapping": "breaks",
        "disjoint": "breaks",
    }
    assert set(RELATED) == set(Kind)
    assert PEERS == {"client-to-agent": ("client", "agent"), "agent-to-client": ("agent", "client")}


def test_without_circumstances_nothing_softens_a_change() -> None:
    assert set(asdict(Circumstances()).values()) == {False}
