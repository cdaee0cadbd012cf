"""Options and arguments that make no sense are refused where they are given: none is ignored, none fails only later."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from generated import Agent, AgentSideConnection, Client, ClientSideConnection, Peer, spawn_agent


def connection(kind: Any = AgentSideConnection, handler: Any = None, **options: Any) -> Any:
    return kind(handler or Agent(), asyncio.StreamReader(), None, **options)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("call_timeouts", "call_timeouts is not an option of a connection; did you mean call_timeout?"),
        ("retries", "retries is not an option of a connection. Options: any_name, backlog_limit, "),
    ],
)
async def test_a_name_that_no_option_has_is_refused(name: str, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        connection(**{name: 5})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"frame_limit": 0}, "frame_limit is 0, expected an integer from 1 on"),
        ({"queue_limit": "5"}, "queue_limit is '5', expected an integer from 1 on"),
        ({"memory_limit": 1e9}, "memory_limit is 1000000000.0, expected an integer from 1 on"),
        ({"request_limit": True}, "request_limit is True, expected an integer from 1 on"),
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


async def test_values_that_make_sense_are_taken() -> None:
    connection(call_timeout={"session/prompt": 0.5}, report_after=None, linger=0, frame_limit=1, on_frame=None)
    connection(call_timeout=None, report_after=0.1)


async def test_a_client_is_not_served_as_an_agent() -> None:
    with pytest.raises(
        TypeError, match="Client has no handler of an agent: derive it from the emitted base of that side"
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
        ((Client(),), "no command: spawn_agent(client, program, *arguments)"),
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
