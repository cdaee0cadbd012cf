# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Sessions of Agent Client Protocol as objects: a method for each update and each call that names a session."""

from __future__ import annotations

from typing import TYPE_CHECKING
from collections.abc import Sequence
from typing import Any, Literal, Self, overload

from msgspec import UNSET, UnsetType

from ._runtime.codec.codec import listed as _listed
from ._runtime.codec.payloads import params_of_variant
from ._runtime.session.agent_session import AgentSessionBase, Decision, as_blocks, new_key
from ._runtime.session.client_session import ClientSessionBase, Opening, opened
from ._runtime.session.handles import Entry
from ._runtime.session.subscription import Subscription, Turn
from .agent import TerminalHandle, ToolCallEntry
from .methods import METHODS
from .models import (
    AgentMessageChunk, AgentThoughtChunk, ArchiveSessionRequest, ArchiveSessionResponse, AvailableCommand,
    AvailableCommandsUpdate, CloseSessionRequest, CloseSessionResponse, CompactionId, CompactionStatus,
    CompactionSummaryChunk, CompactionUpdate, ConfigOptionUpdate, ContentBlock, Cost, CreateElicitationResponse,
    CreateTerminalResponse, CurrentModeUpdate, DeleteSessionRequest, DeleteSessionResponse, ElicitationId,
    ElicitationSchema, EnvVariable, ForkSessionRequest, KillTerminalResponse, McpServer, MessageId, Notice,
    NoticeSeverity, PermissionOption, Plan, PlanEntry, PlanId, PlanRemoved, PlanUpdate, PlanUpdateContent,
    PromptRequest, PromptResponse, ReadTextFileResponse, ReleaseTerminalResponse, RequestPermissionResponse,
    SessionConfigId, SessionConfigOption, SessionConfigValueId, SessionId, SessionInfoUpdate, SessionMessage,
    SessionMessageChunk, SessionModeId, SessionNotification, SessionStatusRequest, SessionStatusResponse, SessionUpdate,
    SetSessionConfigOptionRequestBoolean, SetSessionConfigOptionRequestValueId, SetSessionConfigOptionResponse,
    SetSessionModeRequest, SetSessionTitleRequest, SetSessionTitleResponse, StateUpdate, SubagentSessionCapabilities,
    SubagentUpdate, SystemPrompt, TerminalId, TerminalOutputResponse, TextContent, ToolCall, ToolCallContent,
    ToolCallId, ToolCallLocation, ToolCallProgress, ToolCallStatus, ToolCallUpdate, ToolKind, UnarchiveSessionRequest,
    UnarchiveSessionResponse, UsageUpdate, UserMessageChunk, WaitForTerminalExitResponse, WriteTextFileResponse,
)  # fmt: skip

from .state import SessionState

if TYPE_CHECKING:
    from .agent import AgentSideConnection
    from .client import ClientSideConnection


def _text_content(text: str) -> TextContent:
    return TextContent(text=text)


_UPDATE = METHODS["client", "session/update", "notification"]


_OPTIONS = (
    PermissionOption(option_id="allow_once", kind="allow_once", name="Allow once"),
    PermissionOption(option_id="allow_always", kind="allow_always", name="Allow always"),
    PermissionOption(option_id="reject_once", kind="reject_once", name="Reject once"),
    PermissionOption(option_id="reject_always", kind="reject_always", name="Reject always"),
)


class AgentSession(AgentSessionBase):
    """A session on the agent's side: `self.session` in a handler, `self.client.session(id)` elsewhere.

    It has a method for each update and each call to the client about the session. They fill in the session id.
    """

    id: SessionId

    def __init__(self, client: AgentSideConnection, id: SessionId) -> None:
        super().__init__(client, id)
        self.client = client
        """The connection to the client."""

    async def send(self, update: SessionUpdate) -> None:
        """Send an update object."""
        await self._notify(_UPDATE, SessionNotification(session_id=self.id, update=update))

    async def user_said(
        self,
        content: str | ContentBlock | Sequence[str | ContentBlock],
        *,
        message_id: MessageId | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Next piece of a message from the user."""
        for block in as_blocks(content, _text_content):
            await self._notify(
                _UPDATE,
                SessionNotification(
                    session_id=self.id, update=UserMessageChunk(content=block, message_id=message_id, meta=meta)
                ),
            )

    async def say(
        self,
        content: str | ContentBlock | Sequence[str | ContentBlock],
        *,
        message_id: MessageId | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Next piece of the agent's reply."""
        for block in as_blocks(content, _text_content):
            await self._notify(
                _UPDATE,
                SessionNotification(
                    session_id=self.id, update=AgentMessageChunk(content=block, message_id=message_id, meta=meta)
                ),
            )

    async def think(
        self,
        content: str | ContentBlock | Sequence[str | ContentBlock],
        *,
        message_id: MessageId | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Next piece of the agent's reasoning."""
        for block in as_blocks(content, _text_content):
            await self._notify(
                _UPDATE,
                SessionNotification(
                    session_id=self.id, update=AgentThoughtChunk(content=block, message_id=message_id, meta=meta)
                ),
            )

    def tool_call(
        self,
        title: str,
        *,
        tool_call_id: ToolCallId | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        kind: ToolKind | UnsetType = UNSET,
        status: ToolCallStatus | UnsetType = UNSET,
        content: Sequence[ToolCallContent] | UnsetType = UNSET,
        locations: Sequence[ToolCallLocation] | UnsetType = UNSET,
        raw_input: Any = UNSET,
        raw_output: Any = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> ToolCallEntry:
        """Action that the model requested and the agent performs, such as reading a file, running code or fetching
        data.
        """
        return self.client.tool_call(
            self.id,
            ToolCall(
                title=title,
                tool_call_id=new_key() if tool_call_id is UNSET else tool_call_id,
                name=name,
                kind=kind,
                status=status,
                content=_listed(content),
                locations=_listed(locations),
                raw_input=raw_input,
                raw_output=raw_output,
                meta=meta,
            ),
        )

    async def tool_call_update(
        self,
        tool_call_id: ToolCallId,
        *,
        kind: ToolKind | None | UnsetType = UNSET,
        status: ToolCallStatus | None | UnsetType = UNSET,
        title: str | None | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        content: Sequence[ToolCallContent] | None | UnsetType = UNSET,
        locations: Sequence[ToolCallLocation] | None | UnsetType = UNSET,
        raw_input: Any = UNSET,
        raw_output: Any = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """A known tool call has progressed or delivered results."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id,
                update=ToolCallProgress(
                    tool_call_id=tool_call_id,
                    kind=kind,
                    status=status,
                    title=title,
                    name=name,
                    content=_listed(content),
                    locations=_listed(locations),
                    raw_input=raw_input,
                    raw_output=raw_output,
                    meta=meta,
                ),
            ),
        )

    async def plan(self, entries: Sequence[PlanEntry], *, meta: dict[str, Any] | None | UnsetType = UNSET) -> None:
        """The agent's plan for the current work, shown to the user as a list of entries; it may change while the
        work goes on.
        """
        await self._notify(
            _UPDATE, SessionNotification(session_id=self.id, update=Plan(entries=_listed(entries), meta=meta))
        )

    async def plan_update(self, plan: PlanUpdateContent, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> None:
        """Announces new content for the plan whose `planId` it carries. Unstable: RFD plan-updates (draft)."""
        await self._notify(_UPDATE, SessionNotification(session_id=self.id, update=PlanUpdate(plan=plan, meta=meta)))

    async def plan_removed(self, plan_id: PlanId, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> None:
        """Announces that the plan named by `planId` no longer exists. Unstable: RFD plan-updates (draft)."""
        await self._notify(
            _UPDATE, SessionNotification(session_id=self.id, update=PlanRemoved(plan_id=plan_id, meta=meta))
        )

    async def commands(
        self, available_commands: Sequence[AvailableCommand], *, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> None:
        """Announces the session's commands, at first and whenever they change."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id,
                update=AvailableCommandsUpdate(available_commands=_listed(available_commands), meta=meta),
            ),
        )

    async def mode(self, current_mode_id: SessionModeId, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> None:
        """Announces that the session now runs in another mode."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id, update=CurrentModeUpdate(current_mode_id=current_mode_id, meta=meta)
            ),
        )

    async def config(
        self, config_options: Sequence[SessionConfigOption], *, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> None:
        """Announces a change in the session's configuration options."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id, update=ConfigOptionUpdate(config_options=_listed(config_options), meta=meta)
            ),
        )

    async def info(
        self,
        *,
        title: str | None | UnsetType = UNSET,
        updated_at: str | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Announces changed session metadata, such as the title."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id, update=SessionInfoUpdate(title=title, updated_at=updated_at, meta=meta)
            ),
        )

    async def usage(
        self,
        *,
        used: int,
        size: int,
        cost: Cost | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Announces the use of the context window and the cost of the session."""
        await self._notify(
            _UPDATE,
            SessionNotification(session_id=self.id, update=UsageUpdate(used=used, size=size, cost=cost, meta=meta)),
        )

    async def notice(
        self,
        *,
        severity: NoticeSeverity,
        title: str,
        description: str | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """A message to the user about something happening right now."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id, update=Notice(severity=severity, title=title, description=description, meta=meta)
            ),
        )

    async def compaction_update(
        self,
        *,
        compaction_id: CompactionId,
        status: CompactionStatus,
        summary: Sequence[ContentBlock] | None | UnsetType = UNSET,
        error: str | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Creates or patches a context compaction; its first update fixes its place in the timeline."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id,
                update=CompactionUpdate(
                    compaction_id=compaction_id, status=status, summary=_listed(summary), error=error, meta=meta
                ),
            ),
        )

    async def compaction_summary_chunk(
        self,
        *,
        compaction_id: CompactionId,
        content: str | ContentBlock | Sequence[str | ContentBlock],
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Adds one content block to a compaction's summary, in order of arrival."""
        for block in as_blocks(content, _text_content):
            await self._notify(
                _UPDATE,
                SessionNotification(
                    session_id=self.id,
                    update=CompactionSummaryChunk(compaction_id=compaction_id, content=block, meta=meta),
                ),
            )

    async def subagent_update(
        self,
        session_id: SessionId,
        *,
        title: str | None | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        capabilities: SubagentSessionCapabilities | None | UnsetType = UNSET,
        state: StateUpdate | None | UnsetType = UNSET,
        cwd: str | None | UnsetType = UNSET,
        additional_directories: list[str] | tuple[str, ...] | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Announces or patches a child session owned by the session it is sent on. Unstable: RFD subagents
        (draft).
        """
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id,
                update=SubagentUpdate(
                    session_id=session_id,
                    title=title,
                    description=description,
                    capabilities=capabilities,
                    state=state,
                    cwd=cwd,
                    additional_directories=_listed(additional_directories),
                    meta=meta,
                ),
            ),
        )

    async def session_message(
        self,
        message_id: MessageId,
        *,
        sender_session_id: SessionId | None | UnsetType = UNSET,
        recipient_session_id: SessionId | None | UnsetType = UNSET,
        sender_message_id: MessageId | None | UnsetType = UNSET,
        recipient_message_id: MessageId | None | UnsetType = UNSET,
        content: Sequence[ContentBlock] | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Creates or patches a message that one session sends to another. Unstable: RFD subagents (draft)."""
        await self._notify(
            _UPDATE,
            SessionNotification(
                session_id=self.id,
                update=SessionMessage(
                    message_id=message_id,
                    sender_session_id=sender_session_id,
                    recipient_session_id=recipient_session_id,
                    sender_message_id=sender_message_id,
                    recipient_message_id=recipient_message_id,
                    content=_listed(content),
                    meta=meta,
                ),
            ),
        )

    async def session_message_chunk(
        self,
        *,
        message_id: MessageId,
        content: str | ContentBlock | Sequence[str | ContentBlock],
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Streams one more block of a message between sessions. Unstable: RFD subagents (draft)."""
        for block in as_blocks(content, _text_content):
            await self._notify(
                _UPDATE,
                SessionNotification(
                    session_id=self.id, update=SessionMessageChunk(message_id=message_id, content=block, meta=meta)
                ),
            )

    async def ask(
        self,
        tool_call: ToolCallUpdate | ToolCallEntry,
        options: Sequence[PermissionOption] = _OPTIONS,
    ) -> Decision[PermissionOption]:
        """Ask for permission: `if await session.ask(call):` is true if the user allowed it. See `AgentSideConnection.request_permission`."""
        subject = tool_call.about(ToolCallUpdate) if isinstance(tool_call, Entry) else tool_call
        response = await self.client.request_permission(session_id=self.id, tool_call=subject, options=options)
        picked = getattr(response.outcome, "option_id", None)
        option = next((each for each in options if each.option_id == picked), None)
        return Decision(option, allowed=option is not None and option.kind in ("allow_once", "allow_always"))

    async def request_permission(
        self,
        *,
        tool_call: ToolCallUpdate,
        options: Sequence[PermissionOption],
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> RequestPermissionResponse:
        """Asks the client to let the user decide whether a sensitive tool call may go ahead. Raises the errors of
        `AgentSideConnection.request_permission`.
        """
        return await self.client.request_permission(session_id=self.id, tool_call=tool_call, options=options, meta=meta)

    async def read_text_file(
        self,
        path: str,
        *,
        line: int | None | UnsetType = UNSET,
        limit: int | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> ReadTextFileResponse:
        """Asks the client for the text of a file, whole or in part; needs `fs.readTextFile`. Raises the errors of
        `AgentSideConnection.read_text_file`.
        """
        return await self.client.read_text_file(session_id=self.id, path=path, line=line, limit=limit, meta=meta)

    async def write_text_file(
        self, *, path: str, content: str, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> WriteTextFileResponse:
        """Asks the client to store text in a file; needs `fs.writeTextFile`. Raises the errors of
        `AgentSideConnection.write_text_file`.
        """
        return await self.client.write_text_file(session_id=self.id, path=path, content=content, meta=meta)

    async def create_terminal(
        self,
        command: str,
        *,
        args: list[str] | tuple[str, ...] | UnsetType = UNSET,
        env: Sequence[EnvVariable] | UnsetType = UNSET,
        cwd: str | None | UnsetType = UNSET,
        output_byte_limit: int | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> CreateTerminalResponse:
        """Asks the client to open a terminal and start a command in it. Raises the errors of
        `AgentSideConnection.create_terminal`.
        """
        return await self.client.create_terminal(
            session_id=self.id,
            command=command,
            args=args,
            env=env,
            cwd=cwd,
            output_byte_limit=output_byte_limit,
            meta=meta,
        )

    async def terminal_output(
        self, terminal_id: TerminalId, *, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> TerminalOutputResponse:
        """Asks the client for the output of a terminal so far, and whether its command has ended. Raises the
        errors of `AgentSideConnection.terminal_output`.
        """
        return await self.client.terminal_output(session_id=self.id, terminal_id=terminal_id, meta=meta)

    async def wait_for_terminal_exit(
        self, terminal_id: TerminalId, *, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> WaitForTerminalExitResponse:
        """Asks the client to answer once the command in a terminal has ended. Raises the errors of
        `AgentSideConnection.wait_for_terminal_exit`.
        """
        return await self.client.wait_for_terminal_exit(session_id=self.id, terminal_id=terminal_id, meta=meta)

    async def kill_terminal(
        self, terminal_id: TerminalId, *, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> KillTerminalResponse:
        """Asks the client to stop the command in a terminal; the terminal itself stays valid until released.
        Raises the errors of `AgentSideConnection.kill_terminal`.
        """
        return await self.client.kill_terminal(session_id=self.id, terminal_id=terminal_id, meta=meta)

    async def release_terminal(
        self, terminal_id: TerminalId, *, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> ReleaseTerminalResponse:
        """Asks the client to release a terminal and all its resources. Raises the errors of
        `AgentSideConnection.release_terminal`.
        """
        return await self.client.release_terminal(session_id=self.id, terminal_id=terminal_id, meta=meta)

    @overload
    async def create_elicitation(
        self,
        /,
        *,
        mode: Literal["form"],
        message: str,
        requested_schema: ElicitationSchema,
        meta: dict[str, Any] | None | UnsetType = UNSET,
        tool_call_id: ToolCallId | None | UnsetType = UNSET,
    ) -> CreateElicitationResponse: ...
    @overload
    async def create_elicitation(
        self,
        /,
        *,
        mode: Literal["url"],
        message: str,
        elicitation_id: ElicitationId,
        url: str,
        meta: dict[str, Any] | None | UnsetType = UNSET,
        tool_call_id: ToolCallId | None | UnsetType = UNSET,
    ) -> CreateElicitationResponse: ...

    async def create_elicitation(self, /, **given: Any) -> CreateElicitationResponse:
        """Asks the client to obtain input from the user, through a form or at a URL. Raises the errors of
        `AgentSideConnection.create_elicitation`.
        """
        return await self.client.create_elicitation(session_id=self.id, **given)

    def terminal(
        self,
        *,
        command: str,
        args: list[str] | tuple[str, ...] | UnsetType = UNSET,
        env: Sequence[EnvVariable] | UnsetType = UNSET,
        cwd: str | None | UnsetType = UNSET,
        output_byte_limit: int | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> TerminalHandle:
        """`create_terminal`  as an `async with` block. The end of the block releases it. An exception or a cancelled turn also kills it."""
        return self.client.terminal(
            session_id=self.id,
            command=command,
            args=args,
            env=env,
            cwd=cwd,
            output_byte_limit=output_byte_limit,
            meta=meta,
        )


class ClientSession(ClientSessionBase):
    """A session on the client's side, returned by `session` or `open` of the connection.

    `state` follows its updates. It has a method for each call to the agent about the session, which fills in the session id.
    """

    id: SessionId
    state: SessionState
    _key = "session_id"
    _note = METHODS["client", "session/update", "notification"]
    _part = "update"
    _state = SessionState
    _closing = (METHODS["agent", "session/close", "request"],)

    def __init__(self, agent: ClientSideConnection, id: SessionId) -> None:
        super().__init__(agent, id)
        self.agent = agent
        """The connection to the agent."""

    def updates(self, *, turns: bool = False) -> Subscription[SessionUpdate]:
        """The updates outside of turns, until the session ends. With `turns`, all updates."""
        subscription: Subscription[SessionUpdate] = self._subscribe(turns=turns)
        return subscription

    def prompt(
        self,
        prompt: str | ContentBlock | Sequence[str | ContentBlock],
        *,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> Turn[SessionUpdate, PromptResponse]:
        """Asks the agent to work on a message from the user, given with any context that belongs to it. Raises the
        errors of `ClientSideConnection.prompt`.
        """
        turn: Turn[SessionUpdate, PromptResponse] = self._turn(
            METHODS["agent", "session/prompt", "request"],
            PromptRequest(session_id=self.id, prompt=as_blocks(prompt, _text_content), meta=meta),
        )
        return turn

    def fork(
        self,
        cwd: str,
        *,
        additional_directories: list[str] | tuple[str, ...] | UnsetType = UNSET,
        mcp_servers: Sequence[McpServer] | UnsetType = UNSET,
        system_prompt: SystemPrompt | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> Opening[Self]:
        """Asks the agent to create a session with the context of an existing one. Raises the errors of
        `ClientSideConnection.fork_session`. Unstable: RFD session-fork (draft).
        """
        return opened(
            type(self),
            self.agent,
            METHODS["agent", "session/fork", "request"],
            ForkSessionRequest(
                session_id=self.id,
                cwd=cwd,
                additional_directories=_listed(additional_directories),
                mcp_servers=_listed(mcp_servers),
                system_prompt=system_prompt,
                meta=meta,
            ),
        )

    async def set_mode(self, value: SessionConfigValueId) -> None:
        """The setting chooses the session mode. Sets the option of this category, or calls `set_session_mode` if
        the session has none.
        """
        option = self._option("options", "category", "mode")
        if option is not None:
            await self.request(
                METHODS["agent", "session/set_config_option", "request"],
                SetSessionConfigOptionRequestValueId(session_id=self.id, config_id=option.id, value=value),
            )
        else:
            await self.request(
                METHODS["agent", "session/set_mode", "request"],
                SetSessionModeRequest(session_id=self.id, mode_id=value),
            )

    async def set_model(self, value: SessionConfigValueId) -> None:
        """The setting chooses the model. Sets the option of this category. Raises LookupError if there is none."""
        option = self._option("options", "category", "model")
        if option is not None:
            await self.request(
                METHODS["agent", "session/set_config_option", "request"],
                SetSessionConfigOptionRequestValueId(session_id=self.id, config_id=option.id, value=value),
            )
        else:
            raise self._no_option("options", "category", "model")

    async def set_thought_level(self, value: SessionConfigValueId) -> None:
        """The setting chooses how much the model reasons. Sets the option of this category. Raises LookupError if
        there is none.
        """
        option = self._option("options", "category", "thought_level")
        if option is not None:
            await self.request(
                METHODS["agent", "session/set_config_option", "request"],
                SetSessionConfigOptionRequestValueId(session_id=self.id, config_id=option.id, value=value),
            )
        else:
            raise self._no_option("options", "category", "thought_level")

    async def close(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> CloseSessionResponse:
        """Asks the agent to close an open session. Raises the errors of `ClientSideConnection.close_session`."""
        response: CloseSessionResponse = await self.request(
            METHODS["agent", "session/close", "request"], CloseSessionRequest(session_id=self.id, meta=meta)
        )
        return response

    async def delete(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> DeleteSessionResponse:
        """Asks the agent to remove a session from the results of `session/list`. Raises the errors of
        `ClientSideConnection.delete_session`.
        """
        response: DeleteSessionResponse = await self.request(
            METHODS["agent", "session/delete", "request"], DeleteSessionRequest(session_id=self.id, meta=meta)
        )
        return response

    async def archive(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> ArchiveSessionResponse:
        """Asks the agent to hide a session from default listings, keeping its id and history. Raises the errors of
        `ClientSideConnection.archive_session`. Unstable: RFD session-archive (draft).
        """
        response: ArchiveSessionResponse = await self.request(
            METHODS["agent", "session/archive", "request"], ArchiveSessionRequest(session_id=self.id, meta=meta)
        )
        return response

    async def unarchive(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> UnarchiveSessionResponse:
        """Asks the agent to list an archived session by default again, id and history unchanged, without opening
        it. Raises the errors of `ClientSideConnection.unarchive_session`. Unstable: RFD session-archive
        (draft).
        """
        response: UnarchiveSessionResponse = await self.request(
            METHODS["agent", "session/unarchive", "request"], UnarchiveSessionRequest(session_id=self.id, meta=meta)
        )
        return response

    async def status(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> SessionStatusResponse:
        """Asks the agent what state a session is in. Raises the errors of `ClientSideConnection.session_status`.
        Unstable: RFD session-status (draft).
        """
        response: SessionStatusResponse = await self.request(
            METHODS["agent", "session/status", "request"], SessionStatusRequest(session_id=self.id, meta=meta)
        )
        return response

    async def set_title(
        self, title: str, *, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> SetSessionTitleResponse:
        """Asks the agent to rename a session, open or not, that `session/list` could return. Raises the errors of
        `ClientSideConnection.set_session_title`. Unstable: RFD session-title (draft).
        """
        response: SetSessionTitleResponse = await self.request(
            METHODS["agent", "session/set_title", "request"],
            SetSessionTitleRequest(session_id=self.id, title=title, meta=meta),
        )
        return response

    @overload
    async def set_config_option(
        self,
        /,
        *,
        type: Literal["boolean"],
        config_id: SessionConfigId,
        value: bool,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> SetSessionConfigOptionResponse: ...
    @overload
    async def set_config_option(
        self,
        /,
        *,
        config_id: SessionConfigId,
        value: SessionConfigValueId,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> SetSessionConfigOptionResponse: ...

    async def set_config_option(self, /, **given: Any) -> SetSessionConfigOptionResponse:
        """Asks the agent to change one configuration option of a session. Raises the errors of
        `ClientSideConnection.set_session_config_option`.
        """
        response: SetSessionConfigOptionResponse = await self.request(
            METHODS["agent", "session/set_config_option", "request"],
            params_of_variant(
                "set_config_option",
                None,
                {"session_id": self.id, **given},
                (SetSessionConfigOptionRequestBoolean, {"type": "boolean"}),
                (SetSessionConfigOptionRequestValueId, {}),
            ),
        )
        return response

    async def cancel(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> None:
        """Asks the agent to stop all work in a session. Raises the errors of `ClientSideConnection.cancel`."""
        await self.agent.cancel(session_id=self.id, meta=meta)
