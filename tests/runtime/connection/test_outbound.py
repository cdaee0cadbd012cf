"""Calls that take long: given up after their time, named in the log, and whose error it is that a handler leaves with."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import pytest
from peers import connected, streams, wired, wired_agent, wired_client

from generated import Agent, AgentSideConnection, Client, ClientSideConnection, PromptRequest, RequestError
from generated._runtime.connection.outbound import PendingRequest, _listed
from tests.runtime.connection.test_connection import SESSION, Opens, Prompted, answer
from tests.support.waiting import advance, settled, until

# How long a call may take


async def test_a_call_without_an_answer_is_given_up_after_its_time_and_the_peer_is_told() -> None:
    agent = Prompted()
    async with connected(agent, Client(), call_timeout={"session/prompt": 60}) as connection:
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await agent.prompted.wait()
        advance(61)
        with pytest.raises(TimeoutError, match=r"session/prompt timed out: no response after 60 seconds"):
            await turn
        await until(lambda: agent.given_up)
        assert len(connection._inbound.pending) == 0


async def test_a_time_may_be_that_of_every_call() -> None:
    async with wired(ClientSideConnection, Client(), call_timeout=0.05) as (_, connection):
        for call in (connection.initialize, lambda: connection.ext_request("_x")):
            with pytest.raises(TimeoutError, match=r"timed out: no response after 0\.05 seconds"):
                await call()


async def test_methods_may_have_times_of_their_own() -> None:
    agent = Prompted()
    async with connected(agent, Client(), call_timeout={"session/new": 60}) as connection:
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await agent.prompted.wait()
        advance(61)
        await settled()
        assert not turn.done()
        await connection.cancel(session_id="s")
        assert (await turn).stop_reason == "end_turn"


async def test_a_timeout_of_the_caller_is_its_own() -> None:
    agent = Prompted()
    async with connected(agent, Client(), call_timeout=60) as connection:
        turn = asyncio.create_task(asyncio.wait_for(connection.prompt(session_id="s", prompt=[]), 30))
        await agent.prompted.wait()
        advance(31)
        with pytest.raises(TimeoutError) as caught:
            await turn
        assert "given up" not in str(caught.value)


async def test_an_answer_that_comes_too_late_is_nobodys() -> None:
    async with wired_client(Client(), call_timeout={"session/new": 30}) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        advance(31)
        with pytest.raises(TimeoutError):
            await call
        assert (await wire.receive())["params"] == {"requestId": id}
        await wire.send(answer(id, {"sessionId": SESSION}))
        assert (await wire.ask(1, "_x", {}))["error"]["code"] == -32601


@pytest.mark.parametrize(("calls", "code"), [(1, -32700), (1, -32600), (2, -32700), (1, -32603)])
async def test_an_error_without_an_id_ends_the_only_open_call_that_was_not_read(calls: int, code: int) -> None:
    async with wired(ClientSideConnection, Client()) as (wire, connection):
        asking = [asyncio.create_task(connection.ext_request(f"_{number}")) for number in range(calls)]
        ids = [(await wire.receive())["id"] for _ in asking]
        await wire.send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": "Parse error"}})
        if calls == 2 or code == -32603:  # nobody knows whose it is
            await wire.send(*({"jsonrpc": "2.0", "id": id, "result": id} for id in ids))
            assert await asyncio.gather(*asking) == ids
        else:
            with pytest.raises(RequestError, match="Parse error"):
                await asyncio.wait_for(asking[0], 60)


async def test_calls_that_are_open_for_long_are_named_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        async with wired_client(Client(), report_after=0.02) as (wire, connection):
            calls = [asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[])) for _ in range(5)]
            ids = [(await wire.receive())["id"] for _ in calls]
            await until(lambda: f"(id {ids[-1]}," in caplog.text)
            late = asyncio.create_task(connection.set_session_mode(session_id="s", mode_id="m"))
            ids.append((await wire.receive())["id"])
            await until(lambda: "session/set_mode" in caplog.text)
            await wire.send(*(answer(id, {"sessionId": SESSION}) for id in ids))
            await asyncio.gather(*calls, late)
    said = [record.getMessage() for record in caplog.records if "no answer yet" in record.getMessage()]
    assert [int(id) for text in said for id in re.findall(r"\(id (\d+), \d+ s\)", text)] == ids
    assert re.fullmatch(rf"client-to-agent: no answer yet to session/set_mode \(id {ids[-1]}, \d+ s\)", said[-1])


async def test_of_many_calls_that_are_open_for_long_some_are_named() -> None:
    future = asyncio.get_running_loop().create_future()
    calls = [PendingRequest(id, "m", None, None, 0, future) for id in range(12)]
    assert _listed(calls, calls[0].since + 90).endswith("m (id 8, 90 s), m (id 9, 90 s), 2 more")


# Whose error it is


class Reads(Opens):
    """Asks its client for a file, and is not prepared for what may come of it."""

    async def prompt(self, params: PromptRequest) -> Any:  # type: ignore[override]
        await self.client.ext_request("_read")


class Locked(Client):
    def ext_method(self, method: str, params: Any) -> Any:
        raise RequestError.auth_required({"which": "the client's"})


async def test_an_error_of_the_peer_that_nobody_catches_is_an_internal_error(caplog: pytest.LogCaptureFixture) -> None:
    async with connected(Reads(), Locked()) as connection:
        with pytest.raises(RequestError) as caught:
            await connection.prompt(session_id="s", prompt=[])
    error = caught.value
    assert (error.code, error.message) == (-32603, "Internal error")
    assert f"error {error.data['errorId']}" in caplog.text
    assert "the client's" in caplog.text


async def test_an_error_of_the_peer_can_be_passed_on() -> None:
    class Passes(Reads):
        async def prompt(self, params: PromptRequest) -> Any:  # type: ignore[override]
            try:
                await super().prompt(params)
            except RequestError as error:
                raise RequestError(error.code, error.message, error.data) from error

    async with connected(Passes(), Locked()) as connection:
        with pytest.raises(RequestError) as caught:
            await connection.prompt(session_id="s", prompt=[])
    assert caught.value.code == RequestError.AUTH_REQUIRED


async def test_a_proxy_answers_with_the_error_of_the_agent_behind_it() -> None:
    class Behind(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            raise RequestError.auth_required()

    class Proxy(Agent):
        def __init__(self, onward: ClientSideConnection) -> None:
            self.onward = onward

        def ext_method(self, method: str, params: Any) -> Any:
            return self.onward.ext_request(method, params)

    async with connected(Behind(), Client()) as onward, connected(Proxy(onward), Client()) as connection:
        with pytest.raises(RequestError) as caught:
            await connection.ext_request("_x")
    assert caught.value.code == RequestError.AUTH_REQUIRED


async def test_an_internal_error_has_an_id_that_the_log_repeats(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            raise KeyError("secret")

    async with wired_agent(Broken()) as wire:
        ids = {(await wire.ask(id, "_x", {}))["error"]["data"]["errorId"] for id in (1, 2)}
    assert len(ids) == 2
    for id in ids:
        assert re.fullmatch(r"[0-9a-f]{8}", id)
        assert f"the handler of _x failed, error {id}" in caplog.text


# One connection for each object


async def test_an_agent_that_serves_one_connection_is_refused_on_another() -> None:
    agent = Agent()
    async with connected(agent, Client()) as connection:
        (ours, first), (theirs, second) = await streams()
        with pytest.raises(
            RuntimeError, match=r"Agent already serves another connection .* create one per connection with Agent\(\)"
        ):
            AgentSideConnection(agent, theirs, second)
        assert connection.protocol_version == agent.client.protocol_version == 1
        for writer in (first, second):
            writer.close()
            await writer.wait_closed()
    assert ours is not theirs


async def test_an_agent_whose_connection_is_closed_may_serve_another() -> None:
    agent = Opens()
    for _ in range(2):
        async with connected(agent, Client()) as connection:
            assert (await connection.new_session(cwd="/", mcp_servers=[])).session_id == SESSION


async def test_a_connection_makes_its_own_agent_where_it_is_given_a_class() -> None:
    made: list[Opens] = []

    def make() -> Opens:
        made.append(Opens())
        return made[-1]

    for given in (Opens, make):
        ours, theirs = await streams()
        async with AgentSideConnection(given, *theirs), ClientSideConnection(Client, *ours) as connection:
            await connection.initialize()
            assert (await connection.new_session(cwd="/", mcp_servers=[])).session_id == SESSION
    assert made[0].client.closed is not None
