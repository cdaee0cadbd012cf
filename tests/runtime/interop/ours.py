"""Our peers for the conversation in ``scenario``: an agent to run on stdio, a client to drive any agent."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import scenario

# Started by other programs, with an environment of their making.
sys.path.insert(0, str(Path(__file__).parents[3]))

from generated import (
    Agent,
    CancelNotification,
    Client,
    ClientSideConnection,
    CloseSessionRequest,
    CreateTerminalRequest,
    CreateTerminalResponse,
    DeleteSessionRequest,
    ForkSessionRequest,
    ForkSessionResponse,
    KillTerminalRequest,
    ListSessionsRequest,
    ListSessionsResponse,
    NewSessionRequest,
    NewSessionResponse,
    PermissionOption,
    PromptRequest,
    PromptResponse,
    ReadTextFileRequest,
    ReadTextFileResponse,
    ReleaseTerminalRequest,
    RequestError,
    RequestPermissionRequest,
    RequestPermissionResponse,
    ResumeSessionRequest,
    ResumeSessionResponse,
    SessionNotification,
    SessionUpdate,
    TerminalOutputRequest,
    TerminalOutputResponse,
    TextContent,
    ToolCallUpdate,
    WaitForTerminalExitRequest,
    WaitForTerminalExitResponse,
    WriteTextFileRequest,
    from_dict,
    run_agent,
    to_dict,
)


class ScenarioAgent(Agent):
    """Does what a prompt's text says."""

    def __init__(self) -> None:
        self.cancelled: dict[str, asyncio.Event] = {}

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id=scenario.SESSION)

    def list_sessions(self, params: ListSessionsRequest) -> ListSessionsResponse:
        ids, cursor = scenario.PAGES[params.cursor or None]
        sessions = [{"sessionId": id, "cwd": "/project"} for id in ids]
        page = {"sessions": sessions} if cursor is None else {"sessions": sessions, "nextCursor": cursor}
        return from_dict(ListSessionsResponse, page)

    def fork_session(self, params: ForkSessionRequest) -> ForkSessionResponse:
        return ForkSessionResponse(session_id="sess_fork")

    def resume_session(self, params: ResumeSessionRequest) -> ResumeSessionResponse:
        return ResumeSessionResponse()

    def close_session(self, params: CloseSessionRequest) -> None:
        return None

    def delete_session(self, params: DeleteSessionRequest) -> None:
        return None

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        self.cancelled[params.session_id] = asyncio.Event()
        (block,) = params.prompt
        assert isinstance(block, TextContent)
        await getattr(self, f"do_{block.text.replace(' ', '_')}")(params.session_id)
        stopped = self.cancelled.pop(params.session_id).is_set()
        return PromptResponse(stop_reason="cancelled" if stopped else "end_turn")

    def cancel(self, params: CancelNotification) -> None:
        if event := self.cancelled.get(params.session_id):
            event.set()

    async def do_updates(self, session: str) -> None:
        for update in scenario.updates("common"):
            await self.client.session_update(session_id=session, update=from_dict(SessionUpdate, update))

    async def do_permission(self, session: str) -> None:
        response = await self.client.request_permission(
            session_id=session,
            tool_call=ToolCallUpdate(tool_call_id="call_1", title="Delete everything"),
            options=[from_dict(PermissionOption, option) for option in scenario.OPTIONS],
        )
        await self.say(session, to_dict(response.outcome).get("optionId", "cancelled"))

    async def do_files(self, session: str) -> None:
        path = next(iter(scenario.FILES))
        read = await self.client.read_text_file(session_id=session, path=path)
        await self.client.write_text_file(session_id=session, path="/project/note.md", content="note")
        await self.say(session, f"{read.content}written: note")

    async def do_terminal(self, session: str) -> None:
        terminal = (await self.client.create_terminal(session_id=session, command="echo", args=["hello"])).terminal_id
        exit = await self.client.wait_for_terminal_exit(session_id=session, terminal_id=terminal)
        output = await self.client.terminal_output(session_id=session, terminal_id=terminal)
        await self.client.kill_terminal(session_id=session, terminal_id=terminal)
        await self.client.release_terminal(session_id=session, terminal_id=terminal)
        await self.say(session, f"{output.output}exit {exit.exit_code}")

    async def do_missing_file(self, session: str) -> None:
        try:
            await self.client.read_text_file(session_id=session, path=scenario.MISSING)
        except RequestError as error:
            await self.say(session, str(error.code))

    async def do_fail(self, session: str) -> None:
        raise RequestError.resource_not_found(uri=scenario.MISSING)

    async def do_wait(self, session: str) -> None:
        await self.say(session, "waiting")
        await self.cancelled[session].wait()

    async def do_hang(self, session: str) -> None:
        await self.say(session, "hanging")
        await asyncio.Event().wait()

    async def say(self, session: str, text: str) -> None:
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        await self.client.session_update(session_id=session, update=from_dict(SessionUpdate, update))


class ScenarioClient(Client):
    """An editor with two files and one terminal."""

    def __init__(self) -> None:
        self.updates: list[dict[str, Any]] = []
        self.written: dict[str, str] = {}

    async def session_update(self, params: SessionNotification) -> None:
        await asyncio.sleep(0)
        self.updates.append(to_dict(params.update))

    def request_permission(self, params: RequestPermissionRequest) -> RequestPermissionResponse:
        choice = {"outcome": "selected", "optionId": params.options[0].option_id}
        return from_dict(RequestPermissionResponse, {"outcome": choice})

    def read_text_file(self, params: ReadTextFileRequest) -> ReadTextFileResponse:
        if params.path not in scenario.FILES:
            raise RequestError.resource_not_found(uri=params.path)
        return ReadTextFileResponse(content=scenario.FILES[params.path])

    def write_text_file(self, params: WriteTextFileRequest) -> None:
        self.written[params.path] = params.content

    def create_terminal(self, params: CreateTerminalRequest) -> CreateTerminalResponse:
        return CreateTerminalResponse(terminal_id="term_1")

    async def wait_for_terminal_exit(self, params: WaitForTerminalExitRequest) -> WaitForTerminalExitResponse:
        await asyncio.sleep(0.01)
        return WaitForTerminalExitResponse(exit_code=0)

    def terminal_output(self, params: TerminalOutputRequest) -> TerminalOutputResponse:
        return TerminalOutputResponse(output=scenario.OUTPUT, truncated=False)

    def kill_terminal(self, params: KillTerminalRequest) -> None:
        return None

    def release_terminal(self, params: ReleaseTerminalRequest) -> None:
        return None

    def said(self) -> str:
        """The text of the last update."""
        text: str = self.updates[-1]["content"]["text"]
        return text


async def drive(
    connection: ClientSideConnection, client: ScenarioClient, *, deletes: bool = True, forks: bool = True
) -> dict[str, Any]:
    """Hold the conversation and report it."""
    report: dict[str, Any] = {"version": (await connection.initialize()).protocol_version}
    session = (await connection.new_session(cwd="/project", mcp_servers=[])).session_id
    report["session"] = session
    report["pages"] = await _pages(connection)

    async def turn(text: str) -> PromptResponse:
        return await connection.prompt(session_id=session, prompt=[TextContent(text=text)])

    await turn("updates")
    report["updates"] = scenario.without_nulls(client.updates)
    for text, name in [("permission",) * 2, ("files",) * 2, ("terminal",) * 2, ("missing file",) * 2]:
        await turn(text)
        report[name] = client.said()
    assert client.written == {"/project/note.md": "note"}
    report["failing turn"] = await _code(turn("fail"))
    report["wrong params"] = await _code(connection._outbound.call("session/new", b'{"cwd":[]}'))
    report["unknown method"] = await _code(connection.ext_request("_nobody/knows", {}))

    waiting = asyncio.create_task(turn("wait"))
    while client.said() != "waiting":  # noqa: ASYNC110  # messages over HTTP may overtake each other
        await asyncio.sleep(0.01)
    await connection.cancel(session_id=session)
    report["cancelled turn"] = (await waiting).stop_reason

    report["forked"] = forks and (await connection.fork_session(session_id=session, cwd="/project")).session_id
    report["resumed"] = bool(await connection.resume_session(session_id=session, cwd="/project", mcp_servers=[]))
    report["closed"] = bool(await connection.close_session(session_id=session))
    report["deleted"] = deletes and bool(await connection.delete_session(session_id=session))
    return report


async def _pages(connection: ClientSideConnection) -> list[list[str]]:
    pages: list[list[str]] = []
    page = await connection.list_sessions()
    pages.append([session.session_id for session in page.sessions])
    while page.next_cursor:
        page = await connection.list_sessions(cursor=page.next_cursor)
        pages.append([session.session_id for session in page.sessions])
    return pages


async def _code(call: Any) -> int | None:
    try:
        await call
    except RequestError as error:
        return error.code
    return None


if __name__ == "__main__":
    assert sys.argv[1:] == ["agent"]
    # It plays every kind of update, also those that its client does not advertise.
    asyncio.run(run_agent(ScenarioAgent(), check_capabilities=False))
