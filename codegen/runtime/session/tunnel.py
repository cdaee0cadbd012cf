"""Servers of the official `mcp` package that a client offers to the agent of a session.

A server in this process is offered directly if the agent accepts that. Otherwise it is offered at a loopback address
with a random secret. The messages have no connection of their own: each request names its server and an id, and a
server's notifications name the pending request. This module imports `mcp` on first use.

    a request to an unknown server        invalid params
    the session ends during a request     the request fails, and its handler is cancelled
    the agent gives a request up          its handler is cancelled
    a server sends faster than the peer   its handler waits for buffer space
"""

# ruff: noqa: PLC0415
from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from ..codec.codec import from_dict, to_dict
from ..errors import RequestError
from ..schema.definitions import Method
from ..tasks import background
from .client_session import Opening, S, opened
from .tunnel_sessions import attribute, names

logger = logging.getLogger(__name__)
Answer = Callable[[Any, str, Mapping[str, Any] | None], Awaitable[dict[str, Any]]]
_offered: WeakKeyDictionary[Any, dict[str, _Offered]] = WeakKeyDictionary()
"""The servers of each connection, by id."""


def opened_with(kind: type[S], agent: Any, method: Method, params: Any, servers: Sequence[Any]) -> Opening[S]:
    """Open a session that has servers of this process. They stop when it ends.

    Opening raises TypeError for an object that is not a server, and CapabilityError if the agent accepts neither form.
    """

    async def open() -> S:
        host = _Host(agent, method, servers)
        try:
            entries = await host.start()
            name = attribute(method.params, agent._protocol.tunnel.servers)
            session = await opened(
                kind, agent, method, msgspec.structs.replace(params, **{name: [*getattr(params, name), *entries]})
            )
        except BaseException:
            host.stop()
            await host.wait_stopped()
            raise
        session.on_leave(host.stop, host.wait_stopped)
        return session

    return Opening(open)


class _Host:
    """The servers of one session. One task starts and stops them all, because their context managers require that."""

    def __init__(self, agent: Any, method: Method, servers: Sequence[Any]) -> None:
        from mcp.server.lowlevel import Server  # type: ignore[import-not-found, unused-ignore]

        self._agent, self._method = agent, method
        self._servers = [getattr(each, "_lowlevel_server", each) for each in servers]
        for each in self._servers:
            if not isinstance(each, Server):
                raise TypeError(
                    f"{type(each).__name__} is not a server of the package mcp: expected MCPServer or Server"
                )
        self._ids: list[str] = []
        self._ended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> list[Any]:
        """Start the servers. Returns their entries for the request that opens the session."""
        ready: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        self._task = background(self._run(ready))
        waited: list[asyncio.Future[Any]] = [ready, self._task]
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            self._task.result()  # raises the error of a server that does not start
        return ready.result()

    async def _run(self, ready: asyncio.Future[list[Any]]) -> None:
        async with AsyncExitStack() as stack:
            entries = [await self._offer(server, stack) for server in self._servers]
            ready.set_result(entries)
            await self._ended.wait()

    async def _offer(self, server: Any, stack: AsyncExitStack) -> Any:
        tunnel, _, _ = names(self._agent)
        models = sys.modules[self._method.params.__module__]
        name = attribute(self._method.params, tunnel.servers)
        id_ = secrets.token_hex(16)
        direct = from_dict(vars(models)[tunnel.direct], {"name": server.name, tunnel.server: id_})
        refused = self._agent.objection(self._method, **{name: [direct]})
        if refused is None:
            await self._serve(server, id_, stack)
            return direct
        at: dict[str, Any] = {"name": server.name, "url": "", "headers": []}
        if self._agent.objection(self._method, **{name: [from_dict(vars(models)[tunnel.http], at)]}) is not None:
            raise refused
        url, secret = await stack.enter_async_context(_endpoint(server))
        header = {"name": "Authorization", "value": f"Bearer {secret}"}
        return from_dict(vars(models)[tunnel.http], {**at, "url": url, "headers": [header]})

    async def _serve(self, server: Any, id_: str, stack: AsyncExitStack) -> None:
        from mcp.server.runner import modern_on_request  # type: ignore[import-not-found, unused-ignore]

        state = await stack.enter_async_context(server.lifespan(server))
        servers = _offered.get(self._agent)
        if servers is None:
            servers = _offered[self._agent] = {}
            _, row, _ = names(self._agent)
            self._agent._provide(row, partial(_answer, self._agent))
        servers[id_] = _Offered(modern_on_request(server, state))
        self._ids.append(id_)

    def stop(self) -> None:
        """Stop the servers and cancel their requests. Repeated calls are allowed."""
        servers = _offered.get(self._agent, {})
        for id_ in self._ids:
            if (found := servers.pop(id_, None)) is not None:
                found.stop()
        self._ended.set()

    async def wait_stopped(self) -> None:
        """Wait until the servers are stopped. An error of their shutdown is logged."""
        assert self._task is not None
        await asyncio.wait([self._task])
        if not self._task.cancelled() and (error := self._task.exception()) is not None:
            logger.warning("a server of a session did not stop properly", exc_info=error)


class _Offered:
    """A server with its running requests."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.calls: set[asyncio.Future[Any]] = set()
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True
        for call in self.calls:
            call.cancel()


async def _answer(connection: Any, params: Any, otherwise: Callable[[Any], Awaitable[Any]] | None) -> Any:
    """The response to a request for a server. `otherwise` handles requests to servers of the program's own."""
    from mcp.server.runner import modern_error_data  # type: ignore[import-not-found, unused-ignore]
    from mcp.shared.inbound import (  # type: ignore[import-not-found, unused-ignore]
        InboundLadderRejection,
        classify_inbound_request,
    )

    tunnel, row, _ = names(connection)
    server = _offered[connection].get(getattr(params, attribute(row.params, tunnel.server)))
    if server is None:
        if otherwise is not None:
            return await otherwise(params)
        raise RequestError.invalid_params({"path": f"$.{tunnel.server}", "reason": "no open session has this server"})
    inner = to_dict(params).get("params")
    verdict = classify_inbound_request({"method": params.method, "params": inner or {}})
    if isinstance(verdict, InboundLadderRejection):
        return _response(row, error={"code": verdict.code, "message": verdict.message, "data": verdict.data})
    call = asyncio.ensure_future(server.answer(_context(connection, params), params.method, inner))
    server.calls.add(call)
    try:
        return _response(row, result=await call)
    except asyncio.CancelledError:
        if not server.stopped:
            raise
        raise RequestError.internal_error({"reason": "the session of the server was closed"}) from None
    except Exception as error:  # noqa: BLE001  # reported to the peer by the rules of the package
        return _response(row, error=modern_error_data(error).model_dump(mode="json", exclude_none=True))
    finally:
        call.cancel()
        server.calls.discard(call)


def _response(row: Method, **outcome: Any) -> Any:
    return from_dict(row.result, outcome)


def _context(connection: Any, params: Any) -> Any:
    """The context of a request for the server: its notifications go to the peer."""
    import anyio  # type: ignore[import-not-found, unused-ignore]
    from mcp.shared.exceptions import NoBackChannelError  # type: ignore[import-not-found, unused-ignore]
    from mcp.shared.jsonrpc_dispatcher import (  # type: ignore[import-not-found, unused-ignore]
        progress_token_from_params,
    )
    from mcp.shared.transport_context import TransportContext  # type: ignore[import-not-found, unused-ignore]

    tunnel, row, note = names(connection)
    ids = {wire: getattr(params, attribute(row.params, wire)) for wire in (tunnel.server, tunnel.request)}
    token = progress_token_from_params(to_dict(params).get("params"))

    class Context:
        transport = TransportContext(kind="tunnel", can_send_request=False)
        can_send_request = False
        request_id = ids[tunnel.request]
        message_metadata = None
        progress_token = token
        cancel_requested = anyio.Event()

        async def send_raw_request(self, method: str, params: Any, opts: Any = None) -> dict[str, Any]:  # noqa: ARG002
            raise NoBackChannelError(method)

        async def notify(self, method: str, params: Any, opts: Any = None) -> None:  # noqa: ARG002
            body = {} if params is None else {"params": dict(params)}
            await connection._notify(note, from_dict(note.params, {**ids, "method": method, **body}))

        async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
            if token is not None:
                given = {"progressToken": token, "progress": progress, "total": total, "message": message}
                await self.notify("notifications/progress", {k: v for k, v in given.items() if v is not None})

    return Context()


@contextlib.asynccontextmanager
async def _endpoint(server: Any) -> AsyncGenerator[tuple[str, str], None]:
    """Serve at a loopback address. Yields the URL and the secret that requests must carry."""
    import uvicorn  # type: ignore[import-not-found, unused-ignore]
    from mcp.server.streamable_http_manager import (  # type: ignore[import-not-found, unused-ignore]
        StreamableHTTPSessionManager,
    )

    secret = secrets.token_urlsafe(32)
    wanted = f"Bearer {secret}".encode()
    manager = StreamableHTTPSessionManager(app=server)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope["headers"]).get(b"authorization", b"")
        if scope["type"] == "http" and hmac.compare_digest(given, wanted):
            await manager.handle_request(scope, receive, send)
        else:
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    class Host(uvicorn.Server):
        def capture_signals(self) -> Any:  # the program has its own handlers
            return contextlib.nullcontext()

    config = uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_config=None, timeout_graceful_shutdown=1)
    listener = config.bind_socket()
    host = Host(config)
    async with manager.run():
        task = background(host.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/", secret
        finally:
            host.should_exit = True
            await asyncio.wait([task])
            listener.close()
