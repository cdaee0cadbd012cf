"""The connection to an agent: its capabilities, requests, and events about changes.

Invariant: every failure is raised as a Trouble with a sentence for the user. A separate task opens and closes a
connection, so that it can be reopened.
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

T = TypeVar("T")
Dial = Callable[[], AbstractAsyncContextManager[transports.Transport]]
"""Opens a transport to the agent."""


class Link:
    """The connection to one agent."""

    client: BrowserClient
    breakpoints: Breakpoints
    connection: acp.ClientSideConnection
    agent: acp.InitializeResponse

    def __init__(self, name: str, patience: float) -> None:
        self.name = name
        self.patience = patience
        """Seconds for a response, except for prompts and logins."""
        self.dial: Dial
        self.news = asyncio.Event()
        self.log = Log(self.changed)
        self.asks = Asks(self.changed)
        self.status = ""
        self.status_is_bad = False
        self.dead: str | None = None
        """The reason why the agent is disconnected; None while it is connected."""
        self._leave = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    def changed(self) -> None:
        """Notify the screens that something has changed."""
        self.news.set()

    def say(self, text: str, bad: bool = False) -> None:
        """Show a message to the user."""
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
        """Return whether the agent supports a call, by Python name."""
        return self.objection(call) is None

    def objection(self, call: str) -> acp.CapabilityError | None:
        """The error that a call (by Python name) would raise; None if it is possible."""
        if call == sandbox_extension.CALL:
            return sandbox_extension.objection(self.agent)
        return self.connection.objection(call)

    # The connection

    async def open_connection(self) -> None:
        """Connect to the agent and perform the handshake. Raises Trouble."""
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
        """Close the connection and end the agent."""
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
        """Record that the agent has disconnected."""
        if self.dead is None:
            self.dead = one_line(reason)
            self.asks.withdraw()
            self.changed()

    def last_words(self) -> list[str]:
        """The last lines of the agent's stderr."""
        return [f"  {line}" for line in self.log.tail(20)]

    # Logging in

    async def login(self, method_id: str) -> None:
        """Log in. The agent may open a browser, so there is no timeout."""
        await self.ask("authenticate", self.connection.authenticate(method_id=method_id), patient=True)

    async def logout(self) -> None:
        """Log out."""
        await self.ask("logout", self.connection.logout())

    # How it is asked

    async def ask(self, what: str, call: Awaitable[T], patient: bool = False) -> T:
        """Wait for the response to a call. `what` names it in errors; `patient` disables the timeout."""
        try:
            async with asyncio.timeout(None if patient else self.patience):
                return await call
        except TimeoutError:
            raise Trouble(f"no response to {what} within {self.patience:g} s") from None
        except Exception as error:  # what comes from outside becomes a sentence
            if isinstance(error, acp.ConnectionClosed):
                self.lost(str(error))
            raise trouble_with(what, error) from error
