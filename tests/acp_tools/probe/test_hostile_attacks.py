"""`probe --hostile`: what is lost in a flood, and what ends an agent."""

from __future__ import annotations

import pytest

from acp_tools.probe import runner as running
from acp_tools.probe.cases import robustness
from acp_tools.probe.context import Settings
from acp_tools.probe.results import Status
from acp_tools.probe.runner import Outcome, examine

from .instant import run_instantly
from .memory import InMemory
from .plants import Plant, dies_when


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the attacks, and smaller ones."""
    monkeypatch.setattr(running, "STEPS", ())
    for name, value in (("FLOOD", 300), ("SLOW", 300), ("HUGE", 1 << 16), ("DEPTH", 20_000)):
        monkeypatch.setattr(robustness, name, value)


def probed(plant: Plant = lambda agent: None) -> Outcome:
    return run_instantly(examine(InMemory(plant), Settings(bound=1e9), hostile=True))


def failures(outcome: Outcome) -> dict[str, str]:
    return {result.requirement.id: result.findings[0].text for result in outcome.sheet.of(Status.FAIL)}


def test_the_sound_agent_outlives_all_of_it_and_loses_nothing() -> None:
    outcome = probed()
    assert failures(outcome) == {}
    assert "survived, 0 of 300 responses lost" in outcome.sheet.notices["hostile/flood"]
    assert {"hostile/flood", "hostile/slow-reading", "hostile/huge-frame", "hostile/deep-frame"} <= set(
        outcome.sheet.notices
    )


def test_answers_that_are_lost_in_a_flood_are_counted() -> None:
    def plant(agent: object) -> None:
        agent.sending.append(lambda frame: None if str(frame.get("id")).endswith("99") else frame)  # type: ignore[attr-defined]

    found = failures(probed(plant))
    assert set(found) == {"hostile/flood", "hostile/slow-reading"}
    assert "3 of 300 responses lost" in found["hostile/flood"]


def test_what_ends_it_is_told() -> None:
    found = failures(probed(lambda agent: dies_when(agent, lambda line: b"[" * 10_000 in line)))
    assert set(found) == {"hostile/deep-frame"}
    assert "did not survive" in found["hostile/deep-frame"]


def test_a_frame_that_is_too_long_for_it_is_told() -> None:
    found = failures(probed(lambda agent: dies_when(agent, lambda line: len(line) > 1 << 16 and b"[[" not in line)))
    assert set(found) == {"hostile/huge-frame"}
