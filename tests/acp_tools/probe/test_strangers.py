"""The probe finds defects that were planted by someone who had not read it, and accuses no healthy agent."""

from __future__ import annotations

import pytest

from acp_tools.probe.client.runner import examine_client
from acp_tools.probe.context import Settings
from acp_tools.probe.results import Status
from acp_tools.probe.runner import examine
from tests.support.sampling import exhaustive

from . import strangers_three
from .instant import run_instantly
from .sound_client import Clients
from .strangers import FOUND, MENTIONED, STRANGERS, Strange, Wire


def probed(plant: type[Wire]) -> tuple[set[str], set[str]]:
    """The ids of requirements that fail, and of notices."""
    sheet = run_instantly(examine(Strange(plant), Settings(bound=1e9))).sheet
    return {result.requirement.id for result in sheet.of(Status.FAIL)}, set(sheet.notices)


def test_the_healthy_agent_is_not_accused() -> None:
    assert probed(Wire) == (set(), {"prompt/second", "sequences"})


def test_every_defect_has_a_verdict() -> None:
    assert {*FOUND, *MENTIONED} == {*STRANGERS}


@pytest.mark.parametrize("name", exhaustive(list(STRANGERS), stay=("WritesFirst", "ForkEmpty", "UsesReleased")))
def test_a_strangers_defect_is_found_or_mentioned(name: str) -> None:
    failures, notices = probed(STRANGERS[name])
    found = {FOUND[name]} <= failures if name in FOUND else {MENTIONED[name]} <= notices
    assert found, (failures, notices)


def test_every_later_defect_has_a_verdict() -> None:
    assert {*strangers_three.FOUND, *strangers_three.MISSED} == {*strangers_three.AGENTS, *strangers_three.CLIENTS}


@pytest.mark.parametrize(
    "name", exhaustive(list(strangers_three.FOUND), stay=("StdioServersRefused", "hides_truncation"))
)
def test_a_later_defect_is_found(name: str) -> None:
    plant = strangers_three.AGENTS.get(name)
    settings = Settings(bound=1e9)
    run = (
        examine(Strange(plant), settings) if plant else examine_client(Clients(strangers_three.CLIENTS[name]), settings)
    )
    failed = {result.requirement.id for result in run_instantly(run).sheet.of(Status.FAIL)}
    assert strangers_three.FOUND[name] in failed
