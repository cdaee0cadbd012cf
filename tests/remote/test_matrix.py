"""Every message over every way: what goes over standard streams goes over sockets, WebSocket and HTTP, with the same outcome."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import ours
import pytest
import scenario
from remote_hosts import WAYS, served

import generated as acp
from generated._runtime.entrypoints.serve import HostOptions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "messages"


async def conversation(url: str, **options: Any) -> dict[str, Any]:
    client = ours.ScenarioClient()
    async with asyncio.timeout(60), acp.connect(url, client, **options) as agent:
        return await ours.drive(agent, client)


async def test_the_conversation_of_the_interop_tests_over_each_way(way: dict[str, Any]) -> None:
    async with served(ours.ScenarioAgent, check_capabilities=False) as url:
        assert await conversation(url, **way) == scenario.REPORT


async def test_it_over_tcp() -> None:
    async with served(ours.ScenarioAgent, "tcp://127.0.0.1:0", check_capabilities=False) as url:
        assert await conversation(url) == scenario.REPORT


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no Unix sockets in asyncio")
async def test_it_over_a_unix_socket(tmp_path: Path) -> None:
    async with served(ours.ScenarioAgent, f"unix:{tmp_path / 'agent.sock'}", check_capabilities=False) as url:
        assert await conversation(url) == scenario.REPORT


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no uvloop")
@pytest.mark.parametrize("scheme", [*WAYS, "tcp", "unix"])
def test_it_under_uvloop(scheme: str, tmp_path: Path) -> None:
    """More runs under uvloop in the environment tests (tests/runtime/scenarios/test_eager.py)."""
    import uvloop

    async def converse() -> dict[str, Any]:
        address = {"tcp": "tcp://127.0.0.1:0", "unix": f"unix:{tmp_path / 's'}"}.get(scheme, "http://127.0.0.1:0")
        async with served(ours.ScenarioAgent, address, check_capabilities=False) as url:
            return await conversation(url, **WAYS.get(scheme, {}))

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(converse()) == scenario.REPORT


def example(side: str, method: str, kind: str) -> bytes | None:
    """The first example of a message."""
    found = sorted((EXAMPLES / side / method).glob(f"*.{kind}.json"))
    return found[0].read_bytes() if found else None


ENDING = acp.methods.PROTOCOL.sessions.close
"""What is called last: a session that was closed takes no prompt."""
ROWS = sorted(
    (row for row in acp.methods.METHODS.values() if row.side in ("agent", "client") and row.method != "initialize"),
    key=lambda row: row.method in ENDING,
)


def answering(base: Any, side: str, seen: list[tuple[str, Any]]) -> Any:
    """A peer that notes what it gets and answers with the example of its method."""

    def handler(row: acp.methods.Method) -> Any:
        async def handle(self: Any, params: Any) -> Any:
            seen.append((row.method, acp.to_dict(params)))
            text = example(side, row.method, "response")
            return None if row.result is None or text is None else acp.decode(row.result, text)

        return handle

    return type("Everything", (base,), {row.python_name: handler(row) for row in ROWS if row.side == side})


@pytest.mark.parametrize("side", ["agent", "client"])
async def test_every_method_of_a_side_arrives_and_is_answered(side: str, way: dict[str, Any]) -> None:
    seen: list[tuple[str, Any]] = []
    backs: list[Any] = []
    held: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    class Calling(answering(acp.Agent, "agent", seen)):  # type: ignore[misc]
        def __init__(self) -> None:
            held.set_result(self)

    options: Any = {"check_capabilities": False, "check_messages": False}
    async with (
        asyncio.timeout(60),
        served(Calling if side == "client" else answering(acp.Agent, "agent", seen), **options) as url,
        acp.connect(url, answering(acp.Client, "client", seen)(), **way, **options) as agent,
    ):
        await agent.initialize()
        caller = agent if side == "agent" else (await held).client
        sent: list[tuple[str, Any]] = []
        for row in ROWS:
            text = example(side, row.method, row.kind)
            if row.side != side or text is None:
                continue
            params = acp.decode(row.params, text)
            sent.append((row.method, acp.to_dict(params)))
            if row.kind == "request":
                backs.append(await caller._request(row, params))
            else:
                await caller._notify(row, params)
        while len(seen) < len(sent):  # noqa: ASYNC110  # the last ones may be notifications
            await asyncio.sleep(0.005)
        assert sorted(map(str, seen)) == sorted(map(str, sent))
        assert len(sent) > 10


def test_the_options_of_a_connection_are_those_of_a_served_one() -> None:
    assert {*acp.connection.Options.__annotations__} < {*HostOptions.__annotations__}
