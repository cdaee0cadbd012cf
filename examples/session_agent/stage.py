"""What a model can do to its client while it answers a prompt: show something, ask the user, run a command."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Final, Protocol

import msgspec

from .. import acp

__all__ = ["META", "ClientStage", "CommandResult", "PermissionCancelled", "Stage", "Task"]

OUTPUT_LIMIT: Final = 65_536
"""Bytes of a command's output that the client keeps for us."""

META: Final = "examples.session_agent"
"""Our key in `_meta`, between an agent and the processes of its sessions."""

_RELEASE_WITHIN: Final = 1.0
"""Seconds that the client has to give a terminal up after the turn was cancelled."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked: the message, the number of the turn, where and how to work."""

    text: str
    turn: int
    cwd: str
    mode: str = "ask"
    model: str = "parrot"
    thoughts: str = "brief"
    show_plan: bool = True
    terminal: bool = False
    """Whether the client runs commands."""
    pace: float = 0.0
    """Seconds between two pieces of an answer."""


class CommandResult(msgspec.Struct, frozen=True):
    """How a command in the client's terminal ended; the exit code is None where a signal ended it."""

    output: str
    exit_code: int | None


class PermissionCancelled(Exception):
    """The client answered a permission request with `cancelled`: the turn is over."""


class Stage(Protocol):
    """The client, as a model sees it."""

    async def update(self, update: acp.SessionUpdate) -> None:
        """Show something."""
        ...

    async def permitted(self, tool_call: acp.ToolCallUpdate) -> bool:
        """Ask the user whether a tool call may go ahead. PermissionCancelled where the turn is over instead."""
        ...

    async def run(self, tool_call_id: str, command: str, args: list[str], cwd: str) -> CommandResult:
        """Run a command in the client's terminal, shown in a tool call. Only where the task says that there is one."""
        ...


class ClientStage:
    """A stage that is a client on the other end of a connection."""

    def __init__(self, client: acp.AgentSideConnection, session_id: str) -> None:
        self.client = client
        self.session_id = session_id

    def request_meta(self) -> dict[str, Any] | acp.UnsetType:
        """`_meta` of the requests that the model makes."""
        return acp.UNSET

    async def update(self, update: acp.SessionUpdate) -> None:
        await self.client.session_update(session_id=self.session_id, update=update)

    async def permitted(self, tool_call: acp.ToolCallUpdate) -> bool:
        try:
            answer = await self.client.request_permission(
                session_id=self.session_id, tool_call=tool_call, options=_OPTIONS, meta=self.request_meta()
            )
        except (acp.RequestError, msgspec.ValidationError):
            return False  # whoever cannot ask has not allowed it
        match answer.outcome:
            case acp.SelectedPermissionOutcome(option_id=chosen):
                return chosen == "allow"
            case acp.RequestPermissionOutcomeCancelled():
                raise PermissionCancelled
            case _:
                return False

    async def run(self, tool_call_id: str, command: str, args: list[str], cwd: str) -> CommandResult:
        creating = asyncio.create_task(
            self.client.create_terminal(
                session_id=self.session_id,
                command=command,
                args=args,
                cwd=cwd,
                output_byte_limit=OUTPUT_LIMIT,
                meta=self.request_meta(),
            )
        )
        try:
            # Cancelled or not: a terminal that the client makes has to be given up.
            terminal = await asyncio.shield(creating)
            names: dict[str, Any] = {"session_id": self.session_id, "terminal_id": terminal.terminal_id}
            shown: acp.ToolCallContent = acp.Terminal(terminal_id=terminal.terminal_id)
            await self.update(acp.SessionUpdateToolCallUpdate(tool_call_id=tool_call_id, content=[shown]))
            ended = await self.client.wait_for_terminal_exit(**names, meta=self.request_meta())
            output = await self.client.terminal_output(**names, meta=self.request_meta())
            return CommandResult(output.output, ended.exit_code if isinstance(ended.exit_code, int) else None)
        finally:
            await self._release(creating)

    async def _release(self, creating: asyncio.Task[acp.CreateTerminalResponse]) -> None:
        """Give up a terminal, or one that is still being made. Also ends the command, where it still runs."""
        with contextlib.suppress(acp.RequestError, ConnectionError, TimeoutError, msgspec.ValidationError):
            async with asyncio.timeout(_RELEASE_WITHIN):
                terminal = await creating
                await self.client.release_terminal(session_id=self.session_id, terminal_id=terminal.terminal_id)


_OPTIONS: Final = [
    acp.PermissionOption(option_id="allow", name="Allow", kind="allow_once"),
    acp.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
]
