"""What can be done follows from the method table and from what the agent advertised, from nothing else."""

from __future__ import annotations

import pytest

import acp_generated as acp
from acp_tools.browse.gates import IN_LIST, IN_SESSION, Action, closed_gates, reason_against

ROWS = {row.python_name: row for row in acp.AGENT_METHODS.values()}
GATED = [row for row in acp.AGENT_METHODS.values() if row.capability is not None]


def nothing(call: str) -> acp.CapabilityError | None:
    """The objections of a connection to an agent that advertised nothing."""
    gate = ROWS[call].capability if call in ROWS else "_meta.extension"
    return acp.CapabilityError(call, gate, "agent") if gate else None


@pytest.mark.parametrize("row", GATED, ids=lambda row: row.python_name)
def test_an_action_that_makes_a_gated_call_names_its_gate(row: acp.Method) -> None:
    action = Action("x", "x", "x", "x", (row.python_name,))
    assert reason_against(nothing, action) == f"the agent did not advertise {row.capability}"


def test_one_open_call_is_enough() -> None:
    action = next(action for action in IN_LIST if action.name == "open")
    assert reason_against(lambda call: None if call == "resume_session" else nothing(call), action) is None
    assert reason_against(nothing, action) == "the agent did not advertise loadSession or sessionCapabilities.resume"


def test_an_agent_that_advertises_nothing_still_lets_one_start_a_session_and_talk() -> None:
    open_to_all = {action.name for action in (*IN_LIST, *IN_SESSION) if reason_against(nothing, action) is None}
    assert {"new", "send", "cancel", "mode", "options"} <= open_to_all


def test_an_extension_that_is_missing_is_not_spoken_of() -> None:
    assert "_meta.extension" not in closed_gates(nothing, IN_LIST)


def test_a_gate_that_several_actions_miss_is_named_once() -> None:
    assert closed_gates(nothing, IN_LIST).count("sessionCapabilities.list") == 1


@pytest.mark.parametrize("actions", [IN_LIST, IN_SESSION])
def test_no_key_does_two_things(actions: tuple[Action, ...]) -> None:
    assert len({action.key for action in actions}) == len(actions)
