"""One program for two versions of the protocol: the opening request selects, and the other version decodes nothing."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.upstream import HERE as UPSTREAM

from .documents import ROOT
from .test_two_releases import packages as packages  # noqa: PLC0414

pytestmark = pytest.mark.slow
Packages = tuple[ModuleType, ModuleType]


@asynccontextmanager
async def served(packages: Packages, **options: Any) -> AsyncGenerator[tuple[Callable[..., Any], str]]:
    """A server at a TCP port whose agents speak both versions, and a function that exchanges frames with it."""
    one, two = packages
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.ensure_future(
        one.serve(one.Agent, "tcp://127.0.0.1:0", versions=[two.Agent], on_ready=ready.set_result, **options)
    )
    address = await ready

    async def exchange(*frames: str, answers: int = 1) -> list[Any]:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writer.write("".join(f"{frame}\n" for frame in frames).encode())
        lines = [await reader.readline() for _ in range(answers)]
        writer.close()
        return [json.loads(line) for line in lines]

    try:
        yield exchange, address
    finally:
        serving.cancel()
        await asyncio.wait([serving])


def opening(version: Any, **more: Any) -> str:
    return json.dumps(
        {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {"protocolVersion": version, **more}}
    )


@pytest.mark.parametrize(
    ("asked", "selected"),
    [(1, 1), (2, 2), (3, 2), (0, 2), (65535, 2), ("1", 2), (None, 2), (True, 2), (1.0, 2)],
)
async def test_the_first_request_selects(packages: Packages, asked: Any, selected: int) -> None:
    async with served(packages) as (exchange, _):
        info = {"info": {"name": "test", "version": "1"}} if selected == 2 else {}
        (answer,) = await exchange(opening(asked, **info))
        if "result" in answer:
            assert answer["result"]["protocolVersion"] == selected
            assert ("agentCapabilities" in answer["result"]) is (selected == 1)
        else:
            assert not isinstance(asked, int) or isinstance(asked, bool), answer
            assert "protocolVersion" in json.dumps(answer["error"]), "the latest version says what is wrong"


async def test_what_precedes_the_opening_request_is_refused_and_decides_nothing(packages: Packages) -> None:
    async with served(packages) as (exchange, _):
        early = '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}'
        note = '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}'
        batch = f"[{opening(1)}]"
        answers = await exchange(early, note, batch, "{", '{"jsonrpc":"2.0","id":9,"result":{}}', opening(1), answers=4)
        assert [(each.get("id"), each.get("error", {}).get("code")) for each in answers] == [
            (1, -32600),
            (None, -32600),
            (None, -32700),
            (7, None),
        ]


async def test_the_frames_behind_the_opening_request_come_through(packages: Packages) -> None:
    async with served(packages) as (exchange, _):
        answers = await exchange(opening(1), '{"jsonrpc":"2.0","id":8,"method":"session/nothing"}', answers=2)
        assert [each["id"] for each in answers] == [7, 8]
        assert answers[1]["error"]["code"] == -32601


async def test_a_client_that_leaves_before_it_opens_costs_nothing(packages: Packages) -> None:
    async with served(packages) as (exchange, _):
        await exchange(answers=0)
        (answer,) = await exchange(opening(2, info={"name": "test", "version": "1"}))
        assert answer["result"]["protocolVersion"] == 2


@pytest.mark.parametrize(
    ("served_by", "scheme"),
    [((0,), "tcp"), ((0,), "http"), ((0,), "ws"), ((1,), "tcp"), ((0, 1), "tcp"), ((0, 1), "http"), ((0, 1), "ws")],
)
async def test_a_client_of_both_versions_speaks_that_of_its_agent(
    packages: Packages, served_by: tuple[int, ...], scheme: str
) -> None:
    first, *others = (packages[index] for index in served_by)
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    versions = [package.Agent for package in others]
    serving = asyncio.ensure_future(
        first.serve(
            first.Agent,
            f"{scheme.replace('ws', 'http')}://127.0.0.1:0",
            versions=versions,
            on_ready=ready.set_result,
        )
    )
    one, two = packages
    try:
        address = (await ready).replace("http", "ws") if scheme == "ws" else await ready
        async with one.connect(address, one.Client(), versions=[two.Client()]) as agent:
            package = packages[max(served_by)]
            assert isinstance(agent, package.ClientSideConnection)
            answer = await agent.initialize()
            assert type(answer) is package.InitializeResponse
            assert agent.protocol_version == max(served_by) + 1
            with pytest.raises(package.RequestError, match="_nothing"):
                await agent.ext_request("_nothing")
            with pytest.raises(ValueError, match="versions"):
                await agent.initialize(protocol_version=1)
    finally:
        serving.cancel()
        await asyncio.wait([serving])


def test_two_handlers_of_one_version_and_strangers_are_refused(packages: Packages) -> None:
    one, two = packages
    for versions, message in (
        ([one.Agent], "two handlers speak version 1"),
        ([object()], "object is not an agent"),
        ([two.Client], "Client is not an agent"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            asyncio.run(one.run_agent(one.Agent(), versions=versions))


async def test_an_agent_process_speaks_the_version_of_its_client(packages: Packages, tmp_path: Path) -> None:
    one, two = packages
    folders = [str(Path(str(package.__file__)).parents[1]) for package in packages]
    program = tmp_path / "agent.py"
    program.write_text(
        f"import asyncio, sys\nsys.path += {folders}\nimport {one.__name__} as one, {two.__name__} as two\n"
        "asyncio.run(one.run_agent(one.Agent(), versions=[two.Agent()]))\n"
    )
    command = sys.executable, str(program)
    async with one.spawn_agent(one.Client(), *command) as agent:
        assert (await agent.initialize()).protocol_version == 1
    async with one.spawn_agent(one.Client(), *command, versions=[two.Client()]) as agent:
        assert isinstance(agent, two.ClientSideConnection)
        assert agent.process is not None
    async with two.spawn_agent(two.Client(), *command) as agent:
        assert (await agent.initialize()).protocol_version == 2


async def test_an_agent_that_ends_or_answers_nonsense_is_an_error(packages: Packages) -> None:
    one, two = packages
    for said, error in (
        ("", one.ConnectionClosed),
        ('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":7}}', one.errors.VersionError),
        ('{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no"}}', one.RequestError),
        ('{"jsonrpc":"2.0","id":0,"result":[}', one.errors.InvalidResponse),
        ('{"jsonrpc":"2.0","id":0,"result":[]}', one.errors.VersionError),
    ):
        program = f"input(); print({said!r})"
        with pytest.raises(error):
            async with one.spawn_agent(one.Client(), sys.executable, "-c", program, versions=[two.Client()]):
                pass


@pytest.fixture(scope="module")
def plan() -> str:
    from codegen.bridge.command import plan_text, read_bridge

    schemas = (UPSTREAM / name / "schema.json" for name in ("current", "current-v2"))
    return plan_text(read_bridge(*schemas, ROOT / "examples/bridge/v1-v2.json"))


class TestBridged:
    """An agent of version 1 serves clients of version 2."""

    @staticmethod
    def agent(acp: ModuleType) -> Any:
        modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "do", "name": "Do"}]}

        async def new_session(_: Any, params: Any) -> Any:
            return acp.from_dict(acp.NewSessionResponse, {"sessionId": "s", "modes": modes})

        async def prompt(agent: Any, params: Any) -> Any:
            call = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Look", "kind": "read"}
            call_update = acp.from_dict(acp.SessionNotification, {"sessionId": "s", "update": call})
            await agent.client.session_update(session_id="s", update=call_update.update)
            option = acp.PermissionOption(option_id="o", name="Yes", kind="allow_once")
            asked = acp.ToolCallUpdate(tool_call_id="t", title="Look")
            answer = await agent.client.request_permission(session_id="s", tool_call=asked, options=[option])
            text = acp.TextContent(text=answer.outcome.option_id)
            await agent.client.session_update(session_id="s", update=acp.AgentMessageChunk(content=text))
            return acp.PromptResponse(stop_reason="end_turn")

        async def set_mode(_: Any, params: Any) -> Any:
            return acp.SetSessionModeResponse()

        handlers = {"new_session": new_session, "prompt": prompt, "set_session_mode": set_mode}
        return type("OldAgent", (acp.Agent,), handlers)

    async def test_a_turn_with_a_tool_call_a_permission_and_a_mode(self, packages: Packages, plan: str) -> None:
        one, two = packages
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        agent, seen, ended = self.agent(one), list[Any](), asyncio.Event()

        async def request_permission(_: Any, params: Any) -> Any:
            seen.append(params.subject.tool_call.tool_call_id)
            selected = {"outcome": {"outcome": "selected", "optionId": "o"}}
            return two.from_dict(two.RequestPermissionResponse, selected)

        async def update_session(_: Any, params: Any) -> None:
            seen.append(two.to_dict(params)["update"])
            if seen[-1].get("state") == "idle":
                ended.set()

        handlers = {"request_permission": request_permission, "update_session": update_session}
        client = type("NewClient", (two.Client,), handlers)()
        serving = asyncio.ensure_future(
            one.serve(
                agent, "tcp://127.0.0.1:0", versions=[lambda: one.Bridged(agent, plan)], on_ready=ready.set_result
            )
        )
        try:
            async with two.connect(await ready, client) as connection:
                await connection.initialize()
                assert connection.protocol_version == 2
                made = await connection.new_session(cwd="/w")
                assert [each.current_value for each in made.config_options] == ["ask"]
                value = {"sessionId": "s", "configId": "mode", "type": "id", "value": "do"}
                request = two.from_dict(two.SetSessionConfigOptionRequest, value)
                chosen = await connection.set_session_config_option(request)
                assert [each.current_value for each in chosen.config_options] == ["do"]
                accepted = await connection.prompt(session_id="s", prompt=[two.TextContent(text="go")])
                assert accepted.message_id
                await ended.wait()
        finally:
            serving.cancel()
            await asyncio.wait([serving])
        assert [each if isinstance(each, str) else each["sessionUpdate"] for each in seen] == [
            *("state_update", "tool_call_update", "t", "agent_message_chunk", "state_update")
        ]
        assert seen[-1]["stopReason"] == "end_turn"

    def test_a_plan_for_other_versions_is_refused(self, packages: Packages, plan: str) -> None:
        bridged = packages[0].Bridged(packages[0].Agent, plan)
        assert bridged.number(1) == 2
        with pytest.raises(ValueError, match="versions 1 and 2, not 3"):
            bridged.number(3)
