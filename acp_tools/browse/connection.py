"""The connection to an agent: its capabilities, requests to it, the reason why it was lost, and events about all these.

Invariant: every failure is raised as a Trouble with a sentence for the user, and nothing else is raised. A separate task opens and
closes a connection, so that it can be opened again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

import acp_generated as acp
from acp_generated import transports

from . import sandbox_extension
from .breakpoints import Breakpoints
from .client.handlers import CAPABILITIES, BrowserClient
from .client.questions import Asks
from .errors import Trouble, trouble_with
from .model.log import Log
from .sanitize import one_line

__all__ = ["Dial", "Link"]

T = TypeVar("T")
Dial = Callable[[], AbstractAsyncContextManager[transports.Transport]]
"""Reaches the agent."""


class Link:
    """An agent at the other end."""

    client: BrowserClient
    breakpoints: Breakpoints
    connection: acp.ClientSideConnection
    agent: acp.InitializeResponse

    def __init__(self, name: str, patience: float) -> None:
        self.name = name
        self.patience = patience
        """Seconds that an answer may take, those of a prompt and a login apart."""
        self.dial: Dial
        self.news = asyncio.Event()
        self.log = Log(self.changed)
        self.asks = Asks(self.changed)
        self.status = ""
        self.status_is_bad = False
        self.dead: str | None = None
        """Why the agent is gone; None: it is there."""
        self._leave = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    def changed(self) -> None:
        """Tell whoever shows this that it is no longer so."""
        self.news.set()

    def say(self, text: str, bad: bool = False) -> None:
        """Tell the user something."""
        self.status, self.status_is_bad = one_line(text), bad
        self.changed()

    @property
    def title(self) -> str:
        """The name that the agent reports for itself."""
        info = self.agent.agent_info
        return one_line(f"{info.title or info.name} {info.version}") if info else self.name

    @property
    def auth_methods(self) -> Sequence[acp.AuthMethod]:
        """The ways to log in."""
        return self.agent.auth_methods or ()

    def can(self, call: str) -> bool:
        """Whether the agent offers a call, by its Python name."""
        return self.objection(call) is None

    def objection(self, call: str) -> acp.CapabilityError | None:
        """The reason why a call, given by its Python name, is not possible: a capability that the agent lacks."""
        if call == sandbox_extension.CALL:
            return sandbox_extension.objection(self.agent)
        return self.connection.objection(call)

    # The connection

    async def open_connection(self) -> None:
        """Reach the agent and greet it. Raises Trouble."""
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._leave = asyncio.Event()
        self._keeper = asyncio.create_task(self._keep(ready, self._leave))
        try:
            await ready
        except Exception as error:  # what comes from outside becomes a sentence
            reason = getattr(error, "strerror", None) or error
            raise Trouble(one_line(f"cannot start or reach {self.name}: {reason}")) from error
        self.dead = None
        self.agent = await self.ask("initialize", self.connection.initialize(client_capabilities=CAPABILITIES))

    async def close_connection(self) -> None:
        """End the connection, and the agent with it."""
        self._leave.set()
        if self._keeper is not None:
            await asyncio.wait({self._keeper})
            self._keeper = None

    async def _keep(self, ready: asyncio.Future[None], leave: asyncio.Event) -> None:
        try:
            async with (
                self.dial() as transport,
                acp.ClientSideConnection(
                    self.client, self.breakpoints.open(transport), on_frame=self.breakpoints.received
                ) as connection,
            ):
                self.connection = connection
                ready.set_result(None)
                left = asyncio.create_task(leave.wait())
                closed = asyncio.create_task(connection.wait_closed())
                await asyncio.wait({left, closed}, return_when=asyncio.FIRST_COMPLETED)
                closed.cancel()
                if not left.done():
                    self.lost(str(connection.closed))
                    await left
        except Exception as error:  # noqa: BLE001 (the error goes to whoever waits)
            if ready.done():
                self.lost(str(error))
            else:
                ready.set_exception(error)

    def lost(self, reason: str) -> None:
        """The agent is gone."""
        if self.dead is None:
            self.dead = one_line(reason)
            self.asks.withdraw()
            self.changed()

    def last_words(self) -> list[str]:
        """The end of what the agent wrote to stderr."""
        return [f"  {line}" for line in self.log.tail(20)]

    # Logging in

    async def login(self, method_id: str) -> None:
        """Log in; the agent may open a browser and take its time."""
        await self.ask("authenticate", self.connection.authenticate(method_id=method_id), patient=True)

    async def logout(self) -> None:
        """End the login."""
        await self.ask("logout", self.connection.logout())

    # How it is asked

    async def ask(self, what: str, call: Awaitable[T], patient: bool = False) -> T:
        """The answer to a call, by the name that the user shall read; a patient one waits for as long as it takes."""
        try:
            async with asyncio.timeout(None if patient else self.patience):
                return await call
        except TimeoutError:
            raise Trouble(f"the agent did not answer {what} within {self.patience:g} s") from None
        except Exception as error:  # what comes from outside becomes a sentence
            if isinstance(error, acp.ConnectionClosed):
                self.lost(str(error))
            raise trouble_with(what, error) from error
