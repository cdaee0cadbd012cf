"""An agent with one planted fault, or none: `python -m tests.acp_tools.probe.faulty_agent [FAULT]`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import generated as acp

MODES = [acp.SessionMode(id=name, name=name) for name in ("ask", "write")]
PAGE = 10
TURN = 0.3
"""Seconds that a turn takes."""

FAULTS: dict[str, set[str]] = {
    "history not replayed": {"load/replays"},
    "history replayed twice": {"load/turns"},
    "history reversed": {"load/turns"},
    "only the last turn is replayed": {"load/turns"},
    "only the first turn is replayed": {"load/text", "load/turns"},
    "tool calls are not replayed": {"load/same"},
    "the agent's words are not replayed": {"load/same"},
    "the history of another session is replayed": {"load/text", "turn/apart"},
    "permissions ignored": {"turn/permission-waited"},
    "rejected tools completed": {"turn/permission-kept"},
    "rejected files written": {"turn/permission-kept"},
    "a cancel ends every turn": {"cancel/own"},
    "a cancel ends the next turn": {"cancel/own"},
    "another session's files": {"turn/files-own"},
    "relative paths": {"turn/paths"},
    "relative locations": {"turn/paths"},
    "line zero": {"turn/paths"},
    "terminals never released": {"turn/handles-released"},
    "tools left open": {"turn/tools-ended"},
    "modes forgotten by load": {"load/settings"},
    "options forgotten by load": {"load/settings"},
    "second initialize forgets sessions": {"handshake/again"},
    "second initialize is never answered": {"wire/answer-every"},
    "second cancel breaks the session": {"cancel/again"},
    "second cancel ends the agent": {"end/stays"},
    "duplicate session ids": {"session/id-new"},
    "duplicate tool ids": {"turn/tool-ids"},
    "a page skips an entry": {"list/whole"},
    "a page repeats an entry": {"session-list/cursor-stable", "list/whole"},
    "a list ignores its directory": {"list/filtered"},
    "a list has no titles": {"list/title"},
    "words go to another session": {"turn/apart"},
    "words after the turn": {"turn/before-answer"},
    "what was allowed once is remembered": {"turn/permission-once"},
    "a file gets other text than its diff": {"turn/diff"},
    "a terminal is shown after its release": {"turn/handles-own"},
    "plans have only the entry under way": {"turn/plan-whole"},
    "a change of the mode is not told": {"load/settings"},
    "prompts forgotten by load": {"load/context"},
    "listed times are those of the opening": {"list/updated"},
}
"""Each fault with requirements of which at least one has to fail."""


def now() -> str:
    """The time of the event loop, so that runs are the same under a leaping clock."""
    return datetime.fromtimestamp(asyncio.get_running_loop().time(), UTC).isoformat()


class Session:
    """What is kept of a session."""

    def __init__(self, id_: str, cwd: str) -> None:
        self.id, self.cwd = id_, cwd
        self.turns: list[list[acp.SessionUpdate]] = []
        self.mode, self.model, self.title = "ask", "small", ""
        self.cancels = 0
        self.spoilt = self.allowed = False
        self.said: list[str] = []
        self.opened = self.changed = now()


class Store:
    """What outlives connections."""

    def __init__(self) -> None:
        self.sessions: dict[str, Session] = {}
        self.tools = self.opened = 0


class FaultyAgent(acp.Agent):
    """One connection."""

    def __init__(self, fault: str = "", store: Store | None = None) -> None:
        assert not fault or fault in FAULTS
        self.fault, self.store = fault, store or Store()
        self.initialized = 0
        self.exit: Callable[[], object] = sys.exit
        self.running: dict[str, asyncio.Task[str]] = {}

    def known(self, id_: str) -> Session:
        if id_ not in self.store.sessions:
            raise acp.RequestError(-32002, "no such session")
        return self.store.sessions[id_]

    async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        self.initialized += 1
        if self.initialized > 1 and self.fault == "second initialize forgets sessions":
            self.store.sessions.clear()
        if self.initialized > 1 and self.fault == "second initialize is never answered":
            await asyncio.Event().wait()
        return acp.InitializeResponse(protocol_version=1)

    # --- sessions -----------------------------------------------------------------------------------------------------

    def settings(self, session: Session) -> dict[str, Any]:
        options = [acp.SessionConfigSelectOption(value=name, name=name) for name in ("small", "large")]
        model = acp.SessionConfigOptionSelect(id="model", name="Model", current_value=session.model, options=options)
        return {
            "modes": acp.SessionModeState(current_mode_id=session.mode, available_modes=MODES),
            "config_options": [model],
        }

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        same = self.fault == "duplicate session ids" and self.store.opened > 2
        self.store.opened += 1
        id_ = f"session-{1 if same else self.store.opened:04}"
        session = self.store.sessions.setdefault(id_, Session(id_, params.cwd))
        return acp.NewSessionResponse(session_id=id_, **self.settings(session))

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        session = self.known(params.session_id)
        turns = session.turns
        others = [other for other in self.store.sessions.values() if other is not session and other.turns]
        match self.fault:
            case "history not replayed":
                turns = []
            case "history replayed twice":
                turns = turns * 2
            case "history reversed":
                turns = turns[::-1]
            case "only the last turn is replayed":
                turns = turns[-1:]
            case "only the first turn is replayed":
                turns = turns[:1]
            case "the history of another session is replayed" if others:
                turns = others[0].turns
            case "tool calls are not replayed":
                turns = [[u for u in turn if not isinstance(u, acp.ToolCall | acp.ToolCallProgress)] for turn in turns]
            case "the agent's words are not replayed":
                turns = [[u for u in turn if not isinstance(u, acp.AgentMessageChunk)] for turn in turns]
        for turn in turns:
            for update in turn:
                await self.client.session_update(session_id=session.id, update=update)
        if self.fault == "prompts forgotten by load":
            session.said.clear()
        fresh = Session(session.id, session.cwd)
        fresh.mode = fresh.mode if self.fault == "modes forgotten by load" else session.mode
        fresh.model = fresh.model if self.fault == "options forgotten by load" else session.model
        return acp.LoadSessionResponse(**self.settings(fresh))

    async def list_sessions(self, params: acp.ListSessionsRequest) -> acp.ListSessionsResponse:
        cwd = None if self.fault == "a list ignores its directory" else params.cwd
        found = [s for s in self.store.sessions.values() if s.turns and (not cwd or s.cwd == cwd)]
        if params.cursor and not params.cursor.isdecimal():
            raise acp.RequestError.invalid_params({"cursor": params.cursor})
        start = int(params.cursor or 0)
        end = start + PAGE
        following = end + {"a page skips an entry": 1, "a page repeats an entry": -1}.get(self.fault, 0)
        named = self.fault != "a list has no titles"
        stale = self.fault == "listed times are those of the opening"
        entries = [
            acp.SessionInfo(
                session_id=s.id,
                cwd=s.cwd,
                title=s.title if named else None,
                updated_at=s.opened if stale else s.changed,
            )
            for s in found[start:end]
        ]
        more = {"next_cursor": str(following)} if following < len(found) else {}
        return acp.ListSessionsResponse(sessions=entries, **more)

    async def close_session(self, params: acp.CloseSessionRequest) -> None:
        self.known(params.session_id)
        await self.stop(params.session_id)

    async def delete_session(self, params: acp.DeleteSessionRequest) -> None:
        await self.stop(params.session_id)
        self.store.sessions.pop(params.session_id, None)

    async def set_session_mode(self, params: acp.SetSessionModeRequest) -> None:
        if params.mode_id not in {mode.id for mode in MODES}:
            raise acp.RequestError.invalid_params({"modeId": params.mode_id})
        self.known(params.session_id).mode = params.mode_id

    async def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        if params.config_id != "model" or params.value not in {"small", "large"}:
            raise acp.RequestError.invalid_params({"value": params.value})
        session = self.known(params.session_id)
        session.model = str(params.value)
        return acp.SetSessionConfigOptionResponse(config_options=self.settings(session)["config_options"])

    # --- turns --------------------------------------------------------------------------------------------------------

    async def stop(self, id_: str) -> None:
        task = self.running.get(id_)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def cancel(self, params: acp.CancelNotification) -> None:
        session = self.store.sessions.get(params.session_id)
        if session is None:
            return
        session.cancels += 1
        if session.cancels > 1 and self.fault == "second cancel ends the agent":
            self.exit()
        session.spoilt |= session.cancels > 1 and self.fault == "second cancel breaks the session"
        if self.fault == "a cancel ends the next turn" and session.id not in self.running:
            session.spoilt = True
        ending = list(self.running.values()) if self.fault == "a cancel ends every turn" else []
        for task in (*ending, self.running.get(session.id)):
            if task is not None:
                task.cancel()

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        session = self.known(params.session_id)
        if session.id in self.running:
            raise acp.RequestError(-32600, "a turn runs")
        if session.spoilt:
            if self.fault == "a cancel ends the next turn":
                session.spoilt = False
                return acp.PromptResponse(stop_reason="cancelled")
            raise acp.RequestError(-32603, "the session is broken")
        task = self.running[session.id] = asyncio.ensure_future(self.turn(session, params))
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()
            del self.running[session.id]
            if self.fault == "words after the turn":
                self.late = asyncio.ensure_future(self.afterwards(session))
        return acp.PromptResponse(stop_reason="cancelled" if task.cancelled() else task.result())

    async def tell(self, session: Session, update: acp.SessionUpdate) -> None:
        session.turns[-1].append(update)
        await self.client.session_update(session_id=session.id, update=update)

    async def turn(self, session: Session, params: acp.PromptRequest) -> str:
        text = "".join(block.text for block in params.prompt if isinstance(block, acp.TextContent))
        session.turns.append([acp.UserMessageChunk(content=acp.TextContent(text=text))])
        session.title, session.changed = text, now()
        told = acp.SessionInfoUpdate(title=text, updated_at=session.changed)
        await self.client.session_update(session_id=session.id, update=told)
        others = [s for s in self.store.sessions.values() if s is not session and s.id in self.running]
        await self.tell(
            session,
            acp.AgentMessageChunk(content=acp.TextContent(text=f"You said: {'; '.join([*session.said, text])}. ")),
        )
        session.said.append(text)
        await self.plan(session, "in_progress", "pending")
        if self.fault == "words go to another session" and others:
            await self.tell(others[0], acp.AgentMessageChunk(content=acp.TextContent(text=f"They said: {text}. ")))
        await self.edit(session, text)
        await self.run(session)
        await self.plan(session, "completed", "in_progress")
        await asyncio.sleep(TURN)
        await self.plan(session, "completed", "completed")
        await self.tell(session, acp.AgentMessageChunk(content=acp.TextContent(text="Done.")))
        return "end_turn"

    async def afterwards(self, session: Session) -> None:
        await asyncio.sleep(0.01)
        await self.tell(session, acp.AgentMessageChunk(content=acp.TextContent(text="Late.")))

    async def plan(self, session: Session, *stages: Any) -> None:
        steps = [
            acp.PlanEntry(content=step, priority="medium", status=stage)
            for step, stage in zip(("Edit", "End"), stages, strict=True)
            if self.fault != "plans have only the entry under way" or stage == "in_progress" or len(set(stages)) == 1
        ]
        await self.tell(session, acp.Plan(entries=steps))

    async def edit(self, session: Session, text: str) -> None:
        """A tool that needs a permission. Its file has what was said in each session of the directory."""
        self.store.tools += 1
        tool = "tool" if self.fault == "duplicate tool ids" else f"tool-{self.store.tools}"
        line = 0 if self.fault == "line zero" else 1
        others = [s.cwd for s in self.store.sessions.values() if s.cwd != session.cwd]
        cwd = others[-1] if others and self.fault == "another session's files" else session.cwd
        path = "notes.txt" if self.fault == "relative paths" else f"{cwd}/notes.txt"
        where = acp.ToolCallLocation(path="notes.txt" if self.fault == "relative locations" else path, line=line)
        await self.tell(session, acp.ToolCall(tool_call_id=tool, title="Edit", kind="edit", locations=[where]))
        before = (await self.client.read_text_file(session_id=session.id, path=path, line=line)).content
        change = acp.Diff(path=path, old_text=before, new_text=f"{before}{text}\n")
        await self.tell(session, acp.ToolCallProgress(tool_call_id=tool, content=[change]))
        if session.mode == "write" or session.allowed:
            await self.tell(session, acp.ToolCallProgress(tool_call_id=tool, status="completed"))
            return
        asking = asyncio.ensure_future(
            self.client.request_permission(
                session_id=session.id,
                tool_call=acp.ToolCallUpdate(tool_call_id=tool),
                options=[
                    acp.PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
                    acp.PermissionOption(option_id="always", name="Always", kind="allow_always"),
                    acp.PermissionOption(option_id="no", name="No", kind="reject_once"),
                ],
            )
        )
        if self.fault == "permissions ignored":
            await asyncio.sleep(0)
            await self.tell(session, acp.ToolCallProgress(tool_call_id=tool, status="completed"))
            await asking
            return
        answer = await asking
        chosen = answer.outcome.option_id if isinstance(answer.outcome, acp.SelectedPermissionOutcome) else "no"
        allowed = chosen != "no"
        session.allowed = allowed and self.fault == "what was allowed once is remembered"
        if chosen == "always":
            session.mode = "write"
            if self.fault != "a change of the mode is not told":
                mode = acp.CurrentModeUpdate(current_mode_id="write")
                await self.client.session_update(session_id=session.id, update=mode)
        content = text if self.fault == "a file gets other text than its diff" else change.new_text
        if allowed or self.fault == "rejected files written":
            await self.client.write_text_file(session_id=session.id, path=path, content=content)
        if self.fault == "tools left open":
            return
        status = "completed" if allowed or self.fault == "rejected tools completed" else "failed"
        await self.tell(session, acp.ToolCallProgress(tool_call_id=tool, status=status, content=[change]))

    async def run(self, session: Session) -> None:
        """A terminal, which is shown by a tool call and released."""
        self.store.tools += 1
        tool = "run" if self.fault == "duplicate tool ids" else f"tool-{self.store.tools}"
        await self.tell(session, acp.ToolCall(tool_call_id=tool, title="Run", kind="other", status="in_progress"))
        made = await self.client.create_terminal(session_id=session.id, command="true")
        shown = acp.ToolCallProgress(tool_call_id=tool, content=[acp.Terminal(terminal_id=made.terminal_id)])
        late = self.fault == "a terminal is shown after its release"
        try:
            if not late:
                await self.tell(session, shown)
            await self.client.wait_for_terminal_exit(session_id=session.id, terminal_id=made.terminal_id)
        finally:
            if self.fault != "terminals never released":
                await asyncio.shield(
                    asyncio.ensure_future(
                        self.client.release_terminal(session_id=session.id, terminal_id=made.terminal_id)
                    )
                )
        if late:
            await self.tell(session, shown)
        status = "in_progress" if self.fault == "tools left open" else "completed"
        await self.tell(session, acp.ToolCallProgress(tool_call_id=tool, status=status))


LOGIN_FAULTS = {
    "sessions open without a login": set(),
    "another code": {"login/needed", "login/out"},
    "a login that is forgotten": {"login/works"},
    "a login that fails": {"login/works"},
    "a logout that changes nothing": {"login/out"},
}


class LoginAgent(FaultyAgent):
    """An agent that needs a login, by a key that everybody has."""

    def __init__(self, fault: str = "", store: Store | None = None) -> None:
        assert not fault or fault in LOGIN_FAULTS
        super().__init__("", store)
        self.fault = fault
        self.logged_in = fault == "sessions open without a login"

    async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        return acp.InitializeResponse(protocol_version=1, auth_methods=[acp.AuthMethodAgent(id="key", name="Key")])

    async def authenticate(self, params: acp.AuthenticateRequest) -> None:
        if params.method_id != "key" or self.fault == "a login that fails":
            raise acp.RequestError.invalid_params({"methodId": params.method_id})
        self.logged_in = self.fault != "a login that is forgotten"

    async def logout(self, params: acp.LogoutRequest) -> None:
        self.logged_in = self.fault == "a logout that changes nothing"

    def known(self, id_: str) -> Session:
        self.checked()
        return super().known(id_)

    def checked(self) -> None:
        if not self.logged_in:
            raise acp.RequestError(-32603 if self.fault == "another code" else -32000, "log in first")

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        self.checked()
        return await super().new_session(params)


if __name__ == "__main__":
    asyncio.run(acp.run_agent(FaultyAgent(*sys.argv[1:])))
