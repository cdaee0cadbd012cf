"""`probe --client`: each planted fault is found, and nothing else is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_tools.probe.client.runner import examine_client
from acp_tools.probe.context import Settings
from acp_tools.probe.results import Status
from acp_tools.probe.runner import Outcome

from .catalogue import Fault
from .instant import run_instantly
from .plant_clients import CATALOGUE, Plant
from .sound_client import Clients, SoundClient

RunCli = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[3]


def probed(plant: Plant = lambda client: None) -> Outcome:
    return run_instantly(examine_client(Clients(plant), Settings(bound=1e9)))


def failures(outcome: Outcome) -> set[str]:
    return {result.requirement.id for result in outcome.sheet.of(Status.FAIL)}


def test_nothing_is_found_in_the_sound_client() -> None:
    outcome = probed()
    assert failures(outcome) == set()
    assert outcome.sheet.notices == {}
    assert len(outcome.sheet.of(Status.PASS)) > 70


@pytest.mark.parametrize("fault", CATALOGUE, ids=[fault.name for fault in CATALOGUE])
def test_a_planted_fault_is_found_and_nothing_else(fault: Fault[SoundClient]) -> None:
    outcome = probed(fault.plant)
    assert (failures(outcome), set(outcome.sheet.notices)) == (fault.fails, fault.tells)
    assert all(finding.frames for result in outcome.sheet.of(Status.FAIL) for finding in result.findings)


@pytest.mark.slow
def test_our_example_client_breaks_nothing_as_it_is_run(run_cli: RunCli) -> None:
    command = (sys.executable, str(ROOT / "examples" / "client.py"), "{agent}")
    ran = run_cli("probe", "--client", "--patience", "30", "--bound", "600", "--fail-on", "may", "--", *command)
    assert ran.code == 0, ran.out
    assert "0 fail" in ran.out


def test_a_client_that_starts_no_agent_is_told(run_cli: RunCli) -> None:
    ran = run_cli("probe", "--client", "--patience", "1", "--bound", "1", "--", sys.executable, "-c", "pass")
    assert ran.code == 1
    assert "FAIL MUST client/handshake" in ran.out
