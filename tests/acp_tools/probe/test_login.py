"""Agents that need a login: what is found without one, with one, and when it does not work."""

from __future__ import annotations

import asyncio

import pytest

from acp_tools.probe import runner
from acp_tools.probe.cases import handshake, login, turns
from acp_tools.probe.context import Probe, Settings
from acp_tools.probe.frame_log import Log
from acp_tools.probe.results import Sheet, Status

from .faulty_agent import LOGIN_FAULTS, LoginAgent
from .instant import run_instantly
from .test_lifecycle import InMemory

IDS = ("login/needed", "login/works", "login/out")


def probed(fault: str = "", *, method: str | None = "key") -> Probe:
    async def run() -> Probe:
        clock = asyncio.get_running_loop().time
        probe = Probe(InMemory(fault, LoginAgent), Sheet(runner.ROWS), Log(clock), Settings(bound=1e9, login=method))
        await handshake.open_(probe)
        await login.logged_in(probe)
        await turns.first(probe)
        return probe

    return run_instantly(run())


def test_without_a_login_sessions_are_out_of_reach_and_nothing_fails() -> None:
    probe = probed(method=None)
    assert probe.sheet.of(Status.FAIL) == []
    assert "-32000" in probe.facts.locked
    assert {probe.sheet.results[id_].reason for id_ in IDS} == {"the option --login was not given"}


def test_with_a_login_turns_are_reached() -> None:
    probe = probed()
    assert probe.sheet.of(Status.FAIL) == []
    assert (probe.facts.locked, probe.facts.silent) == ("", "")
    assert {probe.sheet.results[id_].status for id_ in IDS} == {Status.PASS}


@pytest.mark.parametrize("fault", LOGIN_FAULTS)
def test_a_login_that_does_not_work_is_found(fault: str) -> None:
    failed = {result.requirement.id for result in probed(fault).sheet.of(Status.FAIL)}
    assert failed & set(IDS) == LOGIN_FAULTS[fault]
