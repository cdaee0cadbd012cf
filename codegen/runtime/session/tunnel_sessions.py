"""An agent's sessions with the servers of its client, through the connection that both have.

The sessions are those of the official `mcp` package, which this module imports on first use. The messages have no
connection of their own: each request names its server and an id, and notifications name the pending request. A
notification for a request that has ended is ignored.
"""

# ruff: noqa: PLC0415
from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from ..codec.codec import from_dict, to_dict
from ..codec.payloads import attribute_of
from ..errors import RequestError
from ..schema.definitions import Method, Tunnel

if TYPE_CHECKING:
    from mcp import ClientSession  # type: ignore[import-not-found, unused-ignore]

logger = logging.getLogger(__name__)
_pending: WeakValueDictionary[str, _Pending] = WeakValueDictionary()
"""The requests of this process to servers, by id."""


def attribute(type: Any, wire: str) -> str:
    """The attribute of a class for a property that the schema names."""
    return attribute_of(type, wire) or ""


def names(connection: Any) -> tuple[Tunnel, Method, Method]:
    """The names of a protocol, with the rows of the request and the notification."""
    protocol = connection._protocol
    rows = {row.kind: row for row in protocol.methods.values() if row.method == protocol.tunnel.method}
    return protocol.tunnel, rows["request"], rows["notification"]


@contextlib.asynccontextmanager
async def connect(client: Any, server: Any, **options: Any) -> AsyncGenerator[ClientSession, None]:
    """A session of the package `mcp` with a server of the client. `options`: arguments of `mcp.ClientSession`.

    `server`: its entry in the request that opened the session. The agent's handler of the notifications is `deliver`.
    """
    from mcp import ClientSession  # type: ignore[import-not-found, unused-ignore]

    tunnel, row, _ = names(client)
    id_ = getattr(server, attribute(type(server), tunnel.server))
    dispatcher: Any = _Dispatcher(client, row, tunnel, id_)
    async with ClientSession(dispatcher=dispatcher, **options) as session:
        await session.discover()
        yield session


def deliver(self: Any, params: Any) -> Awaitable[None] | None:
    """The handler of an agent for the notifications of servers: `the_handler = acp.mcp.deliver` in its class."""
    tunnel, _, note = names(self.client)
    found = _pending.get(getattr(params, attribute(note.params, tunnel.request)))
    if found is None:
        logger.debug("a notification of a server is ignored: its request has ended")
        return None
    return found.hear(params.method, to_dict(params).get("params"))


class _Pending:
    """A request to a server that waits for its result."""

    def __init__(self, dispatcher: _Dispatcher, progress: Any, token: Any) -> None:
        self._dispatcher, self._progress, self._token = dispatcher, progress, token

    async def hear(self, method: str, params: dict[str, Any] | None) -> None:
        given = params or {}
        if self._progress is not None and method.endswith("/progress") and given.get("progressToken") == self._token:
            await self._progress(given.get("progress"), given.get("total"), given.get("message"))
        await self._dispatcher.hear(method, params)


class _Dispatcher:
    """The interface that `mcp.ClientSession` sends through."""

    def __init__(self, connection: Any, row: Method, tunnel: Tunnel, server: str) -> None:
        self._connection, self._row, self._tunnel, self._server = connection, row, tunnel, server
        self._heard: Any = None
        self._intercept: Any = None

    async def run(self, on_request: Any, on_notify: Any, on_notify_intercept: Any = None, *, task_status: Any) -> None:  # noqa: ARG002
        self._heard, self._intercept = on_notify, on_notify_intercept
        task_status.started()
        await asyncio.Event().wait()

    async def hear(self, method: str, params: dict[str, Any] | None) -> None:
        from mcp.shared.dispatcher import run_notify_intercept  # type: ignore[import-not-found, unused-ignore]

        if not run_notify_intercept(self._intercept, method, params) and self._heard is not None:
            await self._heard(None, method, params)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: Any = None) -> None:  # noqa: ARG002
        logger.debug("%s is not sent: only servers send notifications", method)

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Send a request and return its result. Raises MCPError for an error of the server, and when time is up."""
        from mcp.shared.exceptions import MCPError  # type: ignore[import-not-found, unused-ignore]
        from mcp.types import REQUEST_TIMEOUT  # type: ignore[import-not-found, unused-ignore]

        options, id_ = opts or {}, secrets.token_hex(16)
        body = dict(params) if params is not None else {}
        pending = _pending[id_] = _Pending(self, progress := options.get("on_progress"), id_)
        if progress is not None:
            body["_meta"] = {**body.get("_meta", {}), "progressToken": id_}
        given = {self._tunnel.server: self._server, self._tunnel.request: id_, "method": method, "params": body}
        try:
            async with asyncio.timeout(options.get("timeout")):
                response = await self._connection._request(self._row, from_dict(self._row.params, given))
        except TimeoutError:
            raise MCPError(REQUEST_TIMEOUT, f"{method}: no answer in time") from None
        except RequestError as error:
            raise MCPError(error.code, error.message, error.data) from None
        finally:
            del pending
        outcome = to_dict(response)
        if "result" not in outcome:
            said = outcome["error"]
            raise MCPError(said["code"], said["message"], said.get("data"))
        found: dict[str, Any] = outcome["result"]
        return found
