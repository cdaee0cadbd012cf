"""An agent whose sessions outlive it: `SessionAgent` keeps, lists, loads, resumes, forks, closes and deletes them.

A script plays the model. Whatever a client says, it shows a plan, a thought, a message, an edit as a diff with the question
whether that is allowed, and a command in the client's terminal if it has one. It writes nothing.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from typing import Any

from .. import acp
from ..acp.stores import OpenSession, SessionAgent, Store

MODES = [acp.SessionMode(id=name, name=name.title()) for name in ("ask", "auto", "plan")]
WORK = {"echo": "Says something back, and nothing else.", "wait": "Counts, ten to the second, until it is cancelled."}
COMMANDS = [acp.AvailableCommand(name=name, description=text) for name, text in WORK.items()]
TERMINATED: dict[str, Any] = {"reason": "terminated", "terminatedBy": "daemon"}
DETACH = "_sandboxagent/session/detach"


class ReferenceAgent(SessionAgent):
    """One client's agent. `page_size`: sessions on a page of a list. `pace`: seconds between two pieces of an answer."""

    program: Mapping[str, Any] | None = {"name": "session-agent", "title": "Session agent", "version": "1.0.0"}

    def __init__(self, store: Store | None = None, page_size: int = 50, pace: float = 0.0) -> None:
        super().__init__(store)
        self.page_size = page_size
        self.pace = pace

    def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        sessions = acp.SessionCapabilities(additional_directories=acp.SessionAdditionalDirectoriesCapabilities())
        capabilities = acp.AgentCapabilities(
            prompt_capabilities=acp.PromptCapabilities(embedded_context=True), session_capabilities=sessions
        )
        return acp.InitializeResponse(protocol_version=acp.PROTOCOL_VERSION, agent_capabilities=capabilities)

    # What is rejected before anything changes

    def check_session(self, params: Any) -> None:
        directories: list[str] = acp.given(params.additional_directories) or []
        for path in (params.cwd, *directories):
            check_path(path)
        servers: list[acp.McpServer] = acp.given(params.mcp_servers) or []
        stdio = all(isinstance(server, acp.McpServerStdio) for server in servers)
        if not stdio or acp.given(params.system_prompt) is not None:
            raise rejected("mcpServers or systemPrompt has something that was not advertised")

    def check_prompt(self, params: acp.PromptRequest) -> None:
        if not params.prompt or any(isinstance(block, acp.ImageContent | acp.AudioContent) for block in params.prompt):
            raise rejected("the prompt is empty, or has content that was not advertised")

    async def list_sessions(self, params: acp.ListSessionsRequest) -> acp.ListSessionsResponse:
        if (cwd := acp.given(params.cwd)) is not None:
            check_path(cwd)
        return await super().list_sessions(params)

    # Modes and commands, in every answer that opens a session

    async def on_open(self, session: OpenSession) -> None:
        await self.client.session(session.id).commands(COMMANDS)

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        new = (await super().new_session(params)).session_id
        return acp.NewSessionResponse(session_id=new, modes=self.modes(new))

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        await super().load_session(params)
        return acp.LoadSessionResponse(modes=self.modes(params.session_id))

    async def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        await super().resume_session(params)
        return acp.ResumeSessionResponse(modes=self.modes(params.session_id))

    async def fork_session(self, params: acp.ForkSessionRequest) -> acp.ForkSessionResponse:
        new = (await super().fork_session(params)).session_id
        return acp.ForkSessionResponse(session_id=new, modes=self.modes(new))

    def modes(self, session_id: str) -> acp.SessionModeState:
        mode = self.opened(session_id).data.get("mode", "ask")
        return acp.SessionModeState(current_mode_id=mode, available_modes=MODES)

    async def set_session_mode(self, params: acp.SetSessionModeRequest) -> None:
        session = self.opened(params.session_id)
        if params.mode_id not in [mode.id for mode in MODES]:
            raise rejected("there is no such mode")
        session.data["mode"] = params.mode_id
        await self.save(session)
        await self.client.session(session.id).mode(params.mode_id)

    # The end of a session, for all clients or for one

    async def terminate_session(self, params: acp.TerminateSessionRequest) -> acp.TerminateSessionResponse:
        found = await self.end_session(params.session_id, TERMINATED)
        if "reason" not in found:  # it had ended before, and nobody had asked for it
            found |= {"reason": "error" if found["interrupted"] else "completed", "terminatedBy": "agent"}
        return acp.TerminateSessionResponse(
            terminated=True, reason=found["reason"], terminated_by=found["terminatedBy"]
        )

    async def on_ended(self, session: OpenSession, ended: dict[str, Any] | None) -> None:
        # Another client closed or deleted it, or somebody had it terminated: in each case somebody asked for it.
        await self.client.session_ended(session_id=session.id, reason="terminated", terminated_by="daemon")

    async def ext_method(self, method: str, params: Any) -> Any:
        if method != DETACH:
            raise acp.RequestError.method_not_found(method)
        await self.unwatch(acp.from_dict(acp.TerminateSessionRequest, params).session_id)
        return {}

    # The script

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        text = " ".join(block.text for block in params.prompt if isinstance(block, acp.TextContent)).lstrip()
        command, _, argument = text.partition(" ")
        commands = {"/echo": self.say, "/wait": self.wait}
        await (commands[command](argument) if command in commands else self.work(text))
        return acp.PromptResponse(stop_reason="end_turn")

    async def say(self, text: str) -> None:
        for piece in re.findall(r"\s*\S+\s*", text):
            await self.session.say(piece)
            await asyncio.sleep(self.pace)

    async def wait(self, count: str) -> None:
        for number in range(int(count) if count.isdecimal() else 10_000):
            await self.session.say(f"{number} ")
            await asyncio.sleep(0.1)

    async def work(self, text: str) -> None:
        session = self.opened(self.session.id)
        await self.plan("in_progress")
        await self.session.think("A note will do.")
        await self.say(f"(message {session.stored.turn}) You said: {text[:60]}")
        if session.data.get("mode") == "plan":
            await self.say("I have a plan. Leave the plan mode and I will carry it out.")
            return
        try:
            if await self.edit(session, text) and self.client.offers("create_terminal"):
                await self.check(session)
        except (acp.RequestError, acp.errors.InvalidResponse) as error:  # of the client
            await self.say(f"That failed: {error}")
        await self.plan("completed")

    async def plan(self, status: acp.PlanEntryStatus) -> None:
        await self.session.plan([acp.PlanEntry(content="Write it down", priority="medium", status=status)])

    async def edit(self, session: OpenSession, text: str) -> bool:
        """Propose an edit; whether it was allowed."""
        path = os.path.join(session.fields["cwd"], "NOTES.md")
        async with self.session.tool_call(
            "Write NOTES.md",
            tool_call_id=f"edit_{session.stored.turn}",
            kind="edit",
            status="pending",
            content=[acp.Diff(path=path, new_text=f"- {text[:60]}\n")],
        ) as call:
            allowed = session.data.get("mode") == "auto" or bool(await self.session.ask(call))
            await call.update(status="in_progress" if allowed else "failed")
        return allowed

    async def check(self, session: OpenSession) -> None:
        """Run a command in the client's terminal."""
        key = f"run_{session.stored.turn}"
        async with (
            self.session.tool_call("echo checked", tool_call_id=key, kind="execute", status="pending") as call,
            self.session.terminal(command="echo", args=["checked"], cwd=session.fields["cwd"]) as terminal,
        ):
            await call.update(status="in_progress", content=[acp.Terminal(terminal_id=terminal.id)])
            await terminal.finish()


def check_path(path: str) -> None:
    """Reject a path that is not absolute. Whether it exists is the client's affair: it may have a file system of its own."""
    if not os.path.isabs(path) or "\0" in path:
        raise rejected(f"{path!r} is not an absolute path")


def rejected(reason: str) -> acp.RequestError:
    """The error for params that cannot be honoured."""
    return acp.RequestError.invalid_params({"reason": reason})
