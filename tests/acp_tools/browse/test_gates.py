"""What can be done follows from the method table and from what the agent advertised, from nothing else."""

from __future__ import annotations

import re

import pytest

import acp_generated as acp
from acp_tools.browse.actions import IN_LIST, IN_SESSION, Action, not_offered, reason_against

ROWS = {row.python_name: row for row in acp.methods.AGENT_METHODS.values()}
GATED = [row for row in acp.methods.AGENT_METHODS.values() if row.capability is not None]


def nothing(call: str) -> acp.CapabilityError | None:
    """The objections of a connection to an agent that advertised nothing."""
    gate = ROWS[call].capability if call in ROWS else "_meta.extension"
    return acp.CapabilityError(call, gate, "agent") if gate else None


@pytest.mark.parametrize("row", GATED, ids=lambda row: row.python_name)
def test_an_action_that_makes_a_gated_call_names_its_gate(row: acp.methods.Method) -> None:
    action = Action("x", "x", "x", "x", (row.python_name,))
    assert reason_against(nothing, action) == f"the agent did not advertise {row.capability}"


def test_one_open_call_is_enough() -> None:
    action = next(action for action in IN_LIST if action.name == "open")
    assert reason_against(lambda call: None if call == "resume_session" else nothing(call), action) is None
    assert reason_against(nothing, action) == "the agent did not advertise loadSession or sessionCapabilities.resume"


def test_an_agent_that_advertises_nothing_still_lets_one_start_a_session_and_talk() -> None:
    open_to_all = {action.name for action in (*IN_LIST, *IN_SESSION) if reason_against(nothing, action) is None}
    assert {"new", "send", "cancel", "mode", "options"} <= open_to_all


@pytest.mark.parametrize("actions", [IN_LIST, IN_SESSION])
def test_what_is_not_offered_is_counted_if_it_is_much(actions: tuple[Action, ...]) -> None:
    told = not_offered(nothing, actions)
    assert re.fullmatch(r"not supported by this agent: \d+ actions \(\? shows the reasons\)", told)


def test_what_is_not_offered_is_named_if_it_is_little() -> None:
    told = not_offered(lambda call: nothing(call) if call in ("fork_session", "logout") else None, IN_LIST)
    assert told == "not supported by this agent: fork, log out (? shows the reasons)"


def test_an_agent_that_lacks_extensions_alone_offers_everything() -> None:
    assert not_offered(lambda call: None if call in ROWS else nothing(call), IN_LIST) == ""


@pytest.mark.parametrize("actions", [IN_LIST, IN_SESSION])
def test_no_key_does_two_things(actions: tuple[Action, ...]) -> None:
    assert len({action.key for action in actions}) == len(actions)
