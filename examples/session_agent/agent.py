"""The handlers: one agent object for each connection, on top of the host that they share.

What a handler sends of a session, it sends before its answer. What it overrides is advertised; what is stated in
`initialize` is only what no method tells: kinds of content, transports, logins.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec

import msgspec

from .. import acp
from . import __version__, identity
from . import settings as options
from .brain import Ending
from .cursors import Cursors
from .errands import end_elsewhere
from .errors import answered
from .host import Host
from .journal import settle
from .news import announce, announce_commands
from .places import place_of
from .session import Key, Session
from .settings import Settings
from .store import SessionRow, Store, UnknownSession
from .titles import iso
from .workspace import check_content, check_cwd, check_directories, check_new_cwd, check_prompt, check_servers

__all__ = ["Options", "SessionAgent"]

logger = logging.getLogger(__name__)

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line sets."""

    page_size: int = 50
    """Sessions on a page."""
    keys: bool = False
    """Whether clients may log in with a key."""
    keep_deleted: bool = True
    """Whether a deleted session is kept for a while."""


class SessionAgent(acp.Agent):
    """One client's agent. `secret` is the store's: it signs cursors and hides keys."""

    program: Mapping[str, Any] | None = {"name": "session-agent", "title": "Session agent", "version": __version__}

    def __init__(self, host: Host, secret: bytes, options: Options = Options()) -> None:
        self._host = host
        self._store = host.store
        self._secret = secret
        self._options = options
        self._cursors = Cursors(secret)
        self._identity = identity.os_user()

    # The connection

    def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        return acp.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION,
            agent_capabilities=acp.AgentCapabilities(
                prompt_capabilities=acp.PromptCapabilities(image=False, audio=False, embedded_context=True),
                mcp_capabilities=acp.McpCapabilities(http=False, sse=False),
                session_capabilities=acp.SessionCapabilities(
                    additional_directories=acp.SessionAdditionalDirectoriesCapabilities()
                ),
            ),
            auth_methods=identity.methods(self._options.keys),
        )

    async def authenticate(self, params: acp.AuthenticateRequest) -> None:
        with answered():
            established = identity.establish(params, self._options.keys, self._secret)
        if established != self._identity:
            self._identity = established
            await self._host.leave(self)

    async def disconnected(self) -> None:
        """The client is gone: close what it leaves behind."""
        await self._host.leave(self)

    # Sessions, as they come

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        with answered():
            check_servers(params.mcp_servers)
            check_prompt(params.system_prompt)
            session = await self._made(
                Store.create,
                self._identity,
                check_cwd(params.cwd),
                check_directories(params.additional_directories),
                options.write(Settings()),
                self._host.clock(),
            )
        return acp.NewSessionResponse(
            session_id=session.key[1],
            modes=options.mode_state(session.settings),
            config_options=self._config_options(session),
        )

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        with answered(params.session_id):
            session = await self._reopen(params, replay=True)
        return acp.LoadSessionResponse(
            modes=options.mode_state(session.settings), config_options=self._config_options(session)
        )

    async def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        with answered(params.session_id):
            session = await self._reopen(params, replay=False)
        return acp.ResumeSessionResponse(
            modes=options.mode_state(session.settings), config_options=self._config_options(session)
        )

    async def fork_session(self, params: acp.ForkSessionRequest) -> acp.ForkSessionResponse:
        with answered(params.session_id):
            check_servers(params.mcp_servers)
            check_prompt(params.system_prompt)
            source = await self._store(Store.find, *self._key(params.session_id))
            session = await self._made(
                Store.fork,
                *self._key(params.session_id),
                check_new_cwd(params.cwd, source.cwd),
                check_directories(params.additional_directories),
                self._host.clock(),
                settle,
            )
        return acp.ForkSessionResponse(
            session_id=session.key[1],
            modes=options.mode_state(session.settings),
            config_options=self._config_options(session),
        )

    async def _made(self, make: Callable[Concatenate[Store, P], SessionRow], *of: P.args, **more: P.kwargs) -> Session:
        """Make a session and open it. One that cannot be opened, or is not wanted any more, was never there."""
        making = asyncio.create_task(self._store(make, *of, **more))
        try:
            row = await asyncio.shield(making)
            key = self._key(row.session_id)
            async with self._host.gate(key):
                session = await self._hold(key, row, fresh=True)
                await announce(self, session, row)
        except BaseException:
            await self._host.undertakings.begin(self._unmake(making))
            raise
        return session

    async def _unmake(self, making: asyncio.Task[SessionRow]) -> None:
        await asyncio.wait([making])
        if making.cancelled() or making.exception() is not None:
            return
        row = making.result()
        key = (row.identity, row.session_id)
        await self._host.release(self, key)
        async with self._host.gate(key):
            if key not in self._host.sessions:  # which somebody else may have found meanwhile
                await self._store(Store.remove, *key)

    async def _reopen(self, params: acp.LoadSessionRequest | acp.ResumeSessionRequest, replay: bool) -> Session:
        check_servers(params.mcp_servers)
        check_prompt(params.system_prompt)
        key = self._key(params.session_id)
        async with self._host.queue(self, key):
            if replay:
                self._host.not_speaking(self, key)
            async with self._host.gate(key):
                found = await self._store(Store.find, *key)
                await self._store(
                    Store.open,
                    *key,
                    check_new_cwd(params.cwd, found.cwd),
                    check_directories(params.additional_directories),
                    settle,
                )
            if replay:
                await self._replay(key)
            held = key in self._host.sessions and self in self._host.sessions[key].watchers
            try:
                async with self._host.gate(key):
                    row = await self._store(Store.find, *key)
                    session = await self._hold(key, row)
                await announce_commands(self, session)
            except BaseException:
                if not held:
                    await self._host.undertakings.begin(self._host.release(self, key))
                raise
            return session

    async def _hold(self, key: Key, row: SessionRow, fresh: bool = False) -> Session:
        """Open a session here, unless the client has logged in as someone else meanwhile."""
        session = await self._host.open(self, key, row, fresh)
        if key[0] != self._identity:
            session.watchers.discard(self)
            if not session.watchers:
                await self._host.undertakings.begin(self._host.close(key))
            raise UnknownSession(key[1])
        return session

    async def _replay(self, key: Key) -> None:
        """Show the client everything that was said, as it was shown then."""
        place = (0, 0)
        while entries := await self._store(Store.history, *key, place):
            for entry, payload in entries:
                try:
                    update = acp.decode(acp.SessionUpdate, payload)
                except msgspec.DecodeError as error:
                    logger.warning("session %s: entry %s is left out of its replay: %s", key[1], entry, error)
                    continue
                await self.client.session_update(session_id=key[1], update=update)
            place = entries[-1][0]

    # Sessions, as they are found

    async def list_sessions(self, params: acp.ListSessionsRequest) -> acp.ListSessionsResponse:
        now = self._host.clock()
        with answered():
            cwd = place_of(check_cwd(params.cwd)) if isinstance(params.cwd, str) else None
            after = None
            if isinstance(params.cursor, str):
                after = self._cursors.read(params.cursor, self._identity, cwd, now)
            rows, last = await self._store(Store.page, self._identity, cwd, after, self._options.page_size)
        return acp.ListSessionsResponse(
            sessions=[_info(row) for row in rows],
            next_cursor=acp.UNSET if last is None else self._cursors.write(last, self._identity, cwd, now),
        )

    # Sessions, as they go

    async def close_session(self, params: acp.CloseSessionRequest) -> None:
        key = self._key(params.session_id)

        async def close() -> None:
            here = await self._host.close(key, by=self)
            if not await end_elsewhere(self._host, key, "close") and not here:
                # Closed before: what was asked for is so. Of a session that never was, that cannot be said.
                await self._store(Store.find, *key)

        with answered(params.session_id):
            await self._host.alone(self, key, close)

    async def delete_session(self, params: acp.DeleteSessionRequest) -> None:
        key = self._key(params.session_id)

        async def delete() -> None:
            await self._host.close(key, by=self)
            await self._store(Store.delete, *key, self._host.clock())
            if not self._options.keep_deleted:
                await self._store(Store.purge, self._host.clock() + 1)

        with answered(params.session_id):
            await self._host.alone(self, key, delete)

    async def terminate_session(self, params: acp.TerminateSessionRequest) -> acp.TerminateSessionResponse:
        if self.client.capabilities is None:
            # The connection passes on methods of extensions before the handshake; this one is not for strangers.
            raise acp.RequestError.invalid_request({"reason": "initialize first"})
        key = self._key(params.session_id)

        async def terminate() -> Ending:
            ended = await self._store(Store.ended, *key)
            ending = await self._host.terminate(key)
            if await end_elsewhere(self._host, key, "terminate") and ending is None:
                ended = await self._store(Store.ended, *key)
            return ending or Ending.read(ended)

        with answered(params.session_id):
            ending = await self._host.alone(self, key, terminate)
        return acp.TerminateSessionResponse(terminated=True, reason=ending.reason, terminated_by=ending.terminated_by)

    # Turns

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        with answered(params.session_id):
            check_content(params.prompt)
            reason = await self._host.prompt(self, self._key(params.session_id), params.prompt)
        return acp.PromptResponse(stop_reason=reason)

    def cancel(self, params: acp.CancelNotification) -> None:
        self._host.cancel(self._key(params.session_id))

    # Settings

    async def set_session_mode(self, params: acp.SetSessionModeRequest) -> None:
        await self._configure(params.session_id, lambda now: options.with_mode(now, params.mode_id))

    async def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        present = await self._configure(
            params.session_id, lambda now: options.with_option(now, params.config_id, params.value)
        )
        return acp.SetSessionConfigOptionResponse(config_options=present)

    async def _configure(
        self, session_id: str, change: Callable[[Settings], Settings]
    ) -> list[acp.SessionConfigOption]:
        """Change the settings of a session and tell the client; all options, as they are then."""
        key = self._key(session_id)
        with answered(session_id):
            async with self._host.queue(self, key), self._host.gate(key):
                session = await self._host.find_open(self, key)
                before, changed = session.settings, change(session.settings)
                await self._store(Store.configure, *key, options.write(changed))
                session.settings = changed
        present = self._config_options(session)
        updates: list[acp.SessionUpdate] = [acp.ConfigOptionUpdate(config_options=present)]
        if changed.mode != before.mode:
            updates.insert(0, acp.CurrentModeUpdate(current_mode_id=changed.mode))
        for update in updates:
            await self.client.session_update(session_id=session_id, update=update)
        return present

    def _config_options(self, session: Session) -> list[acp.SessionConfigOption]:
        return options.config_options(session.settings, switches=_knows_switches(self.client.capabilities))

    def _key(self, session_id: str) -> Key:
        return (self._identity, session_id)


def _info(row: SessionRow) -> acp.SessionInfo:
    return acp.SessionInfo(
        session_id=row.session_id,
        cwd=row.cwd,
        additional_directories=list(row.directories) or acp.UNSET,
        title=row.title or acp.UNSET,
        updated_at=iso(row.updated_at),
    )


def _knows_switches(capabilities: acp.ClientCapabilities | None) -> bool:
    """Whether the client takes options that are on or off."""
    session = capabilities.session if capabilities else None
    kinds = session.config_options if session else None
    return bool(kinds and kinds.boolean)
