"""The client's handlers: they process updates, ask the user for permission, and access files and terminals.

Every capability follows from a method below, so only implemented ones are advertised.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from copy import copy
from types import MappingProxyType
from typing import Any, Protocol

import acp_generated as acp

from ..model.session import Session
from . import files
from .questions import Asks, Option
from .terminals import Terminals

CAPABILITIES = acp.ClientCapabilities(
    plan=acp.PlanCapabilities(),
    session=acp.ClientSessionCapabilities(
        notices=acp.NoticeCapabilities(),
        config_options=acp.SessionConfigOptionsCapabilities(boolean=acp.BooleanConfigOptionCapabilities()),
    ),
)
"""The kinds of updates and options that the browser can show. Other capabilities follow from the methods below."""

CONSENT = (
    Option("once", "Allow once", "allow_once"),
    Option("session", "Allow for this session", "allow_always"),
    Option("no", "Refuse", "reject_once"),
)


class Home(Protocol):
    """The functions that the client calls in the surrounding program."""

    asks: Asks
    terminals: Terminals

    def session(self, session_id: str) -> Session:
        """Return the session with this id, and create its record if necessary."""
        ...

    def changed(self) -> None:
        """Request a redraw."""
        ...


class BrowserClient(acp.Client):
    """The client's side of the connection."""

    program = MappingProxyType({"name": "acp-browse", "title": "Session browser", "version": "0.1.0"})

    def __init__(self, home: Home) -> None:
        self._home = home
        self._allowed: set[tuple[str, str]] = set()
        """Sessions and kinds of requests that the user has allowed permanently."""

    def session_update(self, params: acp.SessionNotification) -> None:
        pass  # the story has taken it from its frame

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        call = params.tool_call
        known = self._home.session(params.session_id).tool_call(call.tool_call_id)
        options = tuple(Option(option.option_id, option.name, option.kind) for option in params.options)
        chosen = await self._home.asks.ask(params.session_id, "The agent asks", _updated(known, call), options)
        if chosen is None:
            return acp.RequestPermissionResponse(outcome=acp.RequestPermissionOutcomeCancelled())
        return acp.RequestPermissionResponse(outcome=acp.SelectedPermissionOutcome(option_id=chosen))

    # Files

    async def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:
        path = files.locate(params.path, self._root(params.session_id))
        await self._consent(params.session_id, "read", f"Read {path}")
        text = await asyncio.to_thread(files.read, path, params.line or None, params.limit or None)
        return acp.ReadTextFileResponse(content=text)

    async def write_text_file(self, params: acp.WriteTextFileRequest) -> None:
        path = files.locate(params.path, self._root(params.session_id))
        try:
            old = await asyncio.to_thread(files.read, path, None, None)
        except acp.RequestError:  # it is new, or nothing to compare with
            old = None
        difference = acp.Diff(path=str(path), old_text=old, new_text=params.content)
        await self._consent(params.session_id, "edit", f"Write {path}", content=[difference])
        await asyncio.to_thread(files.write, files.locate(str(path), self._root(params.session_id)), params.content)

    # Terminals

    async def create_terminal(self, params: acp.CreateTerminalRequest) -> acp.CreateTerminalResponse:
        session_id, root = params.session_id, self._root(params.session_id)
        cwd = str(files.locate(params.cwd or root, root))
        argv = [params.command, *(params.args or [])]
        if len(argv) == 1 and any(character.isspace() for character in params.command):
            argv = ["/bin/sh", "-c", params.command]  # many agents send a line for the shell
        env = {variable.name: variable.value for variable in params.env or []}
        shown = " ".join([*(f"{name}={shlex.quote(value)}" for name, value in env.items()), shlex.join(argv)])
        await self._consent(session_id, "execute", f"Run: {shown}", given={"argv": argv, "cwd": cwd, "env": env})
        limit = params.output_byte_limit
        terminal_id = await self._home.terminals.start(
            session_id, argv, cwd, env, limit if isinstance(limit, int) else None
        )
        return acp.CreateTerminalResponse(terminal_id=terminal_id)

    def terminal_output(self, params: acp.TerminalOutputRequest) -> acp.TerminalOutputResponse:
        return self._home.terminals.output(params.session_id, params.terminal_id)

    async def wait_for_terminal_exit(self, params: acp.WaitForTerminalExitRequest) -> acp.WaitForTerminalExitResponse:
        return await self._home.terminals.wait(params.session_id, params.terminal_id)

    def kill_terminal(self, params: acp.KillTerminalRequest) -> None:
        self._home.terminals.kill(params.session_id, params.terminal_id)

    def release_terminal(self, params: acp.ReleaseTerminalRequest) -> None:
        self._home.terminals.release(params.session_id, params.terminal_id)

    # Consent

    def _root(self, session_id: str) -> str:
        root = self._home.session(session_id).cwd
        if not root:
            raise acp.RequestError.resource_not_found(data={"sessionId": session_id})
        return root

    async def _consent(
        self,
        session_id: str,
        kind: acp.ToolKind,
        title: str,
        *,
        content: Sequence[acp.ToolCallContent] = (),
        given: Any = acp.UNSET,
    ) -> None:
        """Return once the user has agreed. Raises RequestError otherwise."""
        if (session_id, kind) in self._allowed:
            return
        about = acp.ToolCall(tool_call_id="", title=title, kind=kind, content=list(content), raw_input=given)
        answer = await self._home.asks.ask(session_id, "The agent wants to use your machine", about, CONSENT)
        if answer == "session":
            self._allowed.add((session_id, kind))
        elif answer != "once":
            raise acp.RequestError(acp.RequestError.INVALID_REQUEST, "The user did not allow it")


def _updated(known: acp.ToolCall | None, update: acp.ToolCallUpdate) -> acp.ToolCall:
    """Merge the details of a question into a tool call. Absent and null fields stay unchanged."""
    call = copy(known) if known else acp.ToolCall(tool_call_id=update.tool_call_id, title="a tool call")
    for name in ("title", "kind", "status", "content", "locations", "raw_input", "raw_output"):
        if (value := getattr(update, name)) not in (acp.UNSET, None):
            setattr(call, name, value)
    return call
