"""The official Python SDK's peers for the conversation in ``scenario``; runs in a virtual environment with that SDK.

python_sdk.py agent                 an agent on stdio
python_sdk.py serve                 an agent over HTTP and WebSocket, print its address (1.0.0rc3)
python_sdk.py client URL            drive the agent at an http or ws address, print the report (1.0.0rc3)
python_sdk.py client COMMAND...     drive the agent that the command starts, print the report
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
from collections.abc import AsyncIterator
from typing import Any

import acp
import scenario
from acp import schema
from acp.stdio import spawn_agent_process


class ScenarioAgent:
    client: Any

    def __init__(self) -> None:
        self.cancelled: dict[str, asyncio.Event] = {}

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> Any:
        session = {"list": {}, "fork": {}, "resume": {}, "close": {}}
        capabilities = {"loadSession": False, "sessionCapabilities": session}
        answer = {"protocolVersion": acp.PROTOCOL_VERSION, "agentCapabilities": capabilities}
        return schema.InitializeResponse.model_validate(answer)

    async def new_session(self, cwd: str, **_: Any) -> Any:
        return schema.NewSessionResponse(session_id=scenario.SESSION)

    async def list_sessions(self, cwd: str | None = None, cursor: str | None = None, **_: Any) -> Any:
        ids, following = scenario.PAGES[cursor]
        sessions = [schema.SessionInfo(session_id=id, cwd="/project") for id in ids]
        return schema.ListSessionsResponse(sessions=sessions, next_cursor=following)

    async def fork_session(self, session_id: str, cwd: str, **_: Any) -> Any:
        return schema.ForkSessionResponse(session_id="sess_fork")

    async def resume_session(self, session_id: str, cwd: str, **_: Any) -> Any:
        return schema.ResumeSessionResponse()

    async def close_session(self, session_id: str, **_: Any) -> Any:
        return None

    async def cancel(self, session_id: str, **_: Any) -> None:
        if event := self.cancelled.get(session_id):
            event.set()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> Any:
        self.cancelled[session_id] = asyncio.Event()
        await getattr(self, f"do_{prompt[0].text.replace(' ', '_')}")(session_id)
        stopped = self.cancelled.pop(session_id).is_set()
        return schema.PromptResponse(stop_reason="cancelled" if stopped else "end_turn")

    async def do_updates(self, session: str) -> None:
        for update in scenario.updates("common"):
            await self._update(session, update)

    async def do_permission(self, session: str) -> None:
        options = [schema.PermissionOption.model_validate(option) for option in scenario.OPTIONS]
        call = schema.ToolCallUpdate(tool_call_id="call_1", title="Delete everything")
        response = await self.client.request_permission(session_id=session, tool_call=call, options=options)
        await self.say(session, getattr(response.outcome, "option_id", "cancelled"))

    async def do_files(self, session: str) -> None:
        read = await self.client.read_text_file(session_id=session, path=next(iter(scenario.FILES)))
        await self.client.write_text_file(session_id=session, path="/project/note.md", content="note")
        await self.say(session, f"{read.content}written: note")

    async def do_terminal(self, session: str) -> None:
        created = await self.client.create_terminal(session_id=session, command="echo", args=["hello"])
        terminal = created.terminal_id if hasattr(created, "terminal_id") else created.id
        where = {"session_id": session, "terminal_id": terminal}
        exit = await self.client.wait_for_terminal_exit(**where)
        output = await self.client.terminal_output(**where)
        await self.client.kill_terminal(**where)
        await self.client.release_terminal(**where)
        await self.say(session, f"{output.output}exit {exit.exit_code}")

    async def do_missing_file(self, session: str) -> None:
        try:
            await self.client.read_text_file(session_id=session, path=scenario.MISSING)
        except acp.RequestError as error:
            await self.say(session, str(error.code))

    async def do_fail(self, session: str) -> None:
        raise acp.RequestError.resource_not_found(scenario.MISSING)

    async def do_wait(self, session: str) -> None:
        await self.say(session, "waiting")
        await self.cancelled[session].wait()

    async def say(self, session: str, text: str) -> None:
        await self._update(session, {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})

    async def _update(self, session: str, update: dict[str, Any]) -> None:
        notification = schema.SessionNotification.model_validate({"sessionId": session, "update": update})
        await self.client.session_update(session_id=session, update=notification.update)


class ScenarioClient:
    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        self.came = asyncio.Event()
        self.written: dict[str, str] = {}

    def on_connect(self, conn: Any) -> None:
        pass

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates.append(update.model_dump(mode="json", by_alias=True, exclude_none=True))
        self.came.set()

    async def request_permission(self, session_id: str, tool_call: Any, options: list[Any], **_: Any) -> Any:
        outcome = {"outcome": "selected", "optionId": options[0].option_id}
        return schema.RequestPermissionResponse.model_validate({"outcome": outcome})

    async def read_text_file(self, session_id: str, path: str, **_: Any) -> Any:
        if path not in scenario.FILES:
            raise acp.RequestError.resource_not_found(path)
        return schema.ReadTextFileResponse(content=scenario.FILES[path])

    async def write_text_file(self, session_id: str, path: str, content: str, **_: Any) -> None:
        self.written[path] = content

    async def create_terminal(self, session_id: str, command: str, **_: Any) -> Any:
        return schema.CreateTerminalResponse(terminal_id="term_1")

    async def wait_for_terminal_exit(self, session_id: str, terminal_id: str, **_: Any) -> Any:
        return schema.WaitForTerminalExitResponse(exit_code=0)

    async def terminal_output(self, session_id: str, terminal_id: str, **_: Any) -> Any:
        return schema.TerminalOutputResponse(output=scenario.OUTPUT, truncated=False)

    async def kill_terminal(self, session_id: str, terminal_id: str, **_: Any) -> None:
        return None

    async def release_terminal(self, session_id: str, terminal_id: str, **_: Any) -> None:
        return None

    async def heard(self, count: int) -> None:
        """Wait for updates: over HTTP the answer has a stream of its own, and this SDK has a task for each notification."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(20):
                while len(self.updates) < count:
                    self.came.clear()
                    await self.came.wait()

    def said(self) -> str:
        return self.updates[-1]["content"]["text"]


@contextlib.asynccontextmanager
async def reaching(client: Any, place: list[str]) -> AsyncIterator[Any]:
    """The agent at an address, or the one that a command starts."""
    scheme = place[0].partition("://")[0]
    if scheme not in ("http", "ws"):
        async with spawn_agent_process(client, place[0], *place[1:], use_unstable_protocol=True) as (agent, _):
            yield agent
        return
    if scheme == "ws":
        from acp.ws import create_websocket_stream

        stream = await create_websocket_stream(place[0])
    else:
        from acp.http import create_http_stream

        stream = create_http_stream(place[0])
    agent = acp.connect_to_agent(client, stream, use_unstable_protocol=True)
    try:
        yield agent
    finally:
        await agent.close()


async def serve() -> None:
    """Serve until killed."""
    from acp.http.asgi import create_asgi_app
    from hypercorn.asyncio import serve as run
    from hypercorn.config import Config

    listening = socket.create_server(("127.0.0.1", 0))
    config = Config()
    config.bind = [f"fd://{listening.fileno()}"]
    config.errorlog = None
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/acp", flush=True)
    await run(create_asgi_app(lambda _: ScenarioAgent()), config)


async def drive(place: list[str]) -> dict[str, Any]:
    client = ScenarioClient()
    async with reaching(client, place) as agent:
        raw = agent._conn.send_request
        able = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True, "plan": {}}
        capabilities = schema.ClientCapabilities.model_validate(able)
        opened = await agent.initialize(protocol_version=acp.PROTOCOL_VERSION, client_capabilities=capabilities)
        report: dict[str, Any] = {"version": opened.protocol_version}
        session = (await agent.new_session(cwd="/project", mcp_servers=[])).session_id
        report["session"] = session
        page = await agent.list_sessions()
        report["pages"] = [[info.session_id for info in page.sessions]]
        page = await agent.list_sessions(cursor=page.next_cursor)
        report["pages"].append([info.session_id for info in page.sessions])

        async def turn(text: str, updates: int = 0) -> Any:
            before = len(client.updates)
            answer = await agent.prompt(session_id=session, prompt=[schema.TextContentBlock(type="text", text=text)])
            await client.heard(before + updates)
            return answer

        await turn("updates", len(scenario.updates("common")))
        report["updates"] = client.updates[:]
        for text in ("permission", "files", "terminal", "missing file"):
            await turn(text, 1)
            report[text] = client.said()
        report["failing turn"] = await _code(turn("fail"))
        report["wrong params"] = await _code(raw("session/new", {"cwd": []}))
        report["unknown method"] = await _code(agent.ext_method("nobody/knows", {}))
        said = len(client.updates)
        waiting = asyncio.create_task(turn("wait"))
        await client.heard(said + 1)
        await agent.cancel(session_id=session)
        report["cancelled turn"] = (await waiting).stop_reason
        report["forked"] = (await agent.fork_session(session_id=session, cwd="/project")).session_id
        report["resumed"] = (await agent.resume_session(session_id=session, cwd="/project")) is not None
        report["closed"] = (await agent.close_session(session_id=session)) is not None
        report["deleted"] = (await raw("session/delete", {"sessionId": session})) == {}
        return report


async def _code(call: Any) -> int | None:
    try:
        await call
    except acp.RequestError as error:
        return error.code
    return None


if __name__ == "__main__":
    if sys.argv[1] == "agent":
        asyncio.run(acp.run_agent(ScenarioAgent(), use_unstable_protocol=True))
    elif sys.argv[1] == "serve":
        asyncio.run(serve())
    else:
        json.dump(asyncio.run(drive(sys.argv[2:])), sys.stdout)
