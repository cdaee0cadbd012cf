"""Options and arguments that make no sense are refused where they are given: none is ignored, none fails only later."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from generated import Agent, AgentSideConnection, Client, ClientSideConnection, Limits, spawn_agent
from generated.connection import Peer


def connection(kind: Any = AgentSideConnection, handler: Any = None, **options: Any) -> Any:
    return kind(handler or Agent(), asyncio.StreamReader(), None, **options)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("call_timeouts", "call_timeouts is not an option of a connection; did you mean call_timeout?"),
        ("retries", "retries is not an option of a connection. Options: any_name, call_timeout, check_capabilities, "),
    ],
)
async def test_a_name_that_no_option_has_is_refused(name: str, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        connection(**{name: 5})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limits": {"frame": 5}}, "limits is 5, expected an object of the class Limits"),
        ({"limits": None}, "limits is None, expected an object of the class Limits"),
        ({"call_timeout": "5"}, "call_timeout is '5', expected seconds, a number above 0"),
        ({"call_timeout": {"session/prompt": 0}}, "call_timeout is 0, expected seconds, a number above 0"),
        ({"report_after": -1}, "report_after is -1, expected seconds, a number above 0"),
        ({"linger": None}, "linger is None, expected seconds, a number from 0 on"),
    ],
    ids=str,
)
async def test_a_value_that_makes_no_sense_is_refused(options: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match="^" + message.replace(".", r"\.")):
        connection(**options)


@pytest.mark.parametrize(
    ("limit", "value"),
    [("frame", 0), ("queue", "5"), ("memory", 1e9), ("requests", True), ("hard_queue", -1), ("backlog", None)],
)
def test_a_limit_that_makes_no_sense_is_refused(limit: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^Limits: {limit} is {value!r}, expected an integer from 1 on$"):
        Limits(**{limit: value})


def test_the_limits_have_the_defaults_that_the_guide_states() -> None:
    limits = Limits()
    assert (limits.frame, limits.queue, limits.hard_queue) == (32 << 20, 1_000, 100_000)
    assert (limits.requests, limits.backlog, limits.memory) == (10_000, 32 << 20, 256 << 20)


@pytest.mark.parametrize(
    ("option", "limit"),
    [
        ("frame_limit", "frame"),
        ("queue_limit", "queue"),
        ("hard_queue_limit", "hard_queue"),
        ("request_limit", "requests"),
        ("backlog_limit", "backlog"),
        ("memory_limit", "memory"),
    ],
)
async def test_a_limit_that_is_given_as_an_option_is_refused_and_the_error_says_where_it_goes(
    option: str, limit: str
) -> None:
    with pytest.raises(TypeError) as caught:
        connection(**{option: 5})
    assert str(caught.value) == f"{option} is not an option of a connection: pass limits=Limits({limit}=...)"


async def test_values_that_make_sense_are_taken() -> None:
    connection(call_timeout={"session/prompt": 0.5}, report_after=None, linger=0, limits=Limits(frame=1), on_frame=None)
    connection(call_timeout=None, report_after=0.1)


async def test_a_client_is_not_served_as_an_agent() -> None:
    with pytest.raises(
        TypeError, match="Client has no handler of an agent: derive it from the generated base class of that side"
    ):
        connection(handler=Client())
    with pytest.raises(TypeError, match="Agent has no handler of a client"):
        connection(ClientSideConnection, Agent())


async def test_an_implementer_of_both_sides_and_one_of_extensions_alone_are_served() -> None:
    class Both(Agent, Client):  # type: ignore[misc]
        pass

    class Extends(Peer):
        pass

    for handler in (Both(), Extends()):
        connection(handler=handler)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Client(),), "the command is missing: spawn_agent(client, program, *arguments)"),
        ((sys.executable, "agent.py"), "str is not a Peer: the client comes first, then the command"),
    ],
)
async def test_nothing_is_started_without_a_client_and_a_command(arguments: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        async with spawn_agent(*arguments):
            pass
    assert message in str(caught.value)


async def test_nothing_is_started_with_an_option_that_there_is_not(tmp_path: Any) -> None:
    program = f"open({str(tmp_path / 'started')!r}, 'w')"
    with pytest.raises(
        TypeError, match="inherit_environment is not an option of a connection; did you mean inherit_env"
    ):
        async with spawn_agent(Client(), sys.executable, "-c", program, inherit_environment=True):  # type: ignore[call-arg]
            pass
    assert not (tmp_path / "started").exists()
