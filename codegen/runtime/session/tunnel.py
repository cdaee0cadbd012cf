"""Servers of the official `mcp` package on a connection: those of a client, and the sessions of an agent with them.

A server in this process is offered directly if the agent accepts that. Otherwise it is offered at a loopback address
with a random secret. The messages have no connection of their own: each request names its server and an id, and a
server's notifications name the pending request. This module imports `mcp` on first use.

    a request to an unknown server        invalid params
    the session ends during a request     the request fails, and its handler is cancelled
    the agent gives a request up          its handler is cancelled
    a server sends faster than the peer   its handler waits for buffer space
    a message for an ended request        ignored
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import msgspec

from ..codec.codec import from_dict, to_dict
from ..errors import RequestError
from ..schema.definitions import Method, Tunnel
from ..tasks import background
from .client_session import Opening, S, opened

if TYPE_CHECKING:
    from mcp import ClientSession

logger = logging.getLogger(__name__)
Answer = Callable[[Any, str, Mapping[str, Any] | None], Awaitable[dict[str, Any]]]
_offered: WeakKeyDictionary[Any, dict[str, _Offered]] = WeakKeyDictionary()
"""The servers of each connection, by id."""
_pending: WeakValueDictionary[str, _Pending] = WeakValueDictionary()
"""The requests of this process to servers, by id."""


def _attribute(type: Any, wire: str) -> str:
    return next(field.name for field in msgspec.structs.fields(type) if field.encode_name == wire)


def _tunnel(connection: Any) -> tuple[Tunnel, Method, Method]:
    """The names of a protocol, with the rows of the request and the notification."""
    protocol = connection._protocol
    rows = {row.kind: row for row in protocol.methods.values() if row.method == protocol.tunnel.method}
    return protocol.tunnel, rows["request"], rows["notification"]


# --- a client: its servers -------------------------------------------------------------------------------------------


def opened_with(kind: type[S], agent: Any, method: Method, params: Any, servers: Sequence[Any]) -> Opening[S]:
    """Open a session that has servers of this process. They stop when it ends.

    Opening raises TypeError for an object that is not a server, and CapabilityError if the agent accepts neither form.
    """

    async def open() -> S:
        host = _Host(agent, method, servers)
        try:
            entries = await host.start()
            name = _attribute(method.params, agent._protocol.tunnel.servers)
            session = await opened(
                kind, agent, method, msgspec.structs.replace(params, **{name: [*getattr(params, name), *entries]})
            )
        except BaseException:
            host.stop()
            raise
        session.on_leave(host.stop)
        return session

    return Opening(open)


class _Host:
    """The servers of one session. One task starts and stops them all, because their context managers require that."""

    def __init__(self, agent: Any, method: Method, servers: Sequence[Any]) -> None:
        from mcp.server.lowlevel import Server  # noqa: PLC0415

        self._agent, self._method = agent, method
        self._servers = [getattr(each, "_lowlevel_server", each) for each in servers]
        for each in self._servers:
            if not isinstance(each, Server):
                raise TypeError(f"{type(each).__name__} is not a server of the package mcp: expected MCPServer or Server")
        self._ids: list[str] = []
        self._ended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> list[Any]:
        """Start the servers. Returns their entries for the request that opens the session."""
        ready: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        self._task = background(self._run(ready))
        await asyncio.wait([ready, self._task], return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            self._task.result()  # raises the error of a server that does not start
        return ready.result()

    async def _run(self, ready: asyncio.Future[list[Any]]) -> None:
        async with AsyncExitStack() as stack:
            entries = [await self._offer(server, stack) for server in self._servers]
            ready.set_result(entries)
            await self._ended.wait()

    async def _offer(self, server: Any, stack: AsyncExitStack) -> Any:
        tunnel, _, _ = _tunnel(self._agent)
        models = sys.modules[self._method.params.__module__]
        name = _attribute(self._method.params, tunnel.servers)
        id_ = secrets.token_hex(16)
        direct = from_dict(vars(models)[tunnel.direct], {"name": server.name, tunnel.server: id_})
        refused = self._agent.objection(self._method, **{name: [direct]})
        if refused is None:
            await self._serve(server, id_, stack)
            return direct
        at = {"name": server.name, "url": "", "headers": []}
        if self._agent.objection(self._method, **{name: [from_dict(vars(models)[tunnel.http], at)]}) is not None:
            raise refused
        url, secret = await stack.enter_async_context(_endpoint(server))
        header = {"name": "Authorization", "value": f"Bearer {secret}"}
        return from_dict(vars(models)[tunnel.http], {**at, "url": url, "headers": [header]})

    async def _serve(self, server: Any, id_: str, stack: AsyncExitStack) -> None:
        from mcp.server.runner import modern_on_request  # noqa: PLC0415

        state = await stack.enter_async_context(server.lifespan(server))
        servers = _offered.get(self._agent)
        if servers is None:
            servers = _offered[self._agent] = {}
            _, row, _ = _tunnel(self._agent)
            self._agent._provide(row, lambda params, otherwise: _answer(self._agent, params, otherwise))
        servers[id_] = _Offered(modern_on_request(server, state))
        self._ids.append(id_)

    def stop(self) -> None:
        """Stop the servers and cancel their requests. Repeated calls are allowed."""
        servers = _offered.get(self._agent, {})
        for id_ in self._ids:
            if (found := servers.pop(id_, None)) is not None:
                found.stop()
        self._ended.set()


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
    from mcp.server.runner import modern_error_data  # noqa: PLC0415
    from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request  # noqa: PLC0415

    tunnel, row, _ = _tunnel(connection)
    server = _offered[connection].get(getattr(params, _attribute(row.params, tunnel.server)))
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
    import anyio  # noqa: PLC0415
    from mcp.shared.exceptions import NoBackChannelError  # noqa: PLC0415
    from mcp.shared.jsonrpc_dispatcher import progress_token_from_params  # noqa: PLC0415
    from mcp.shared.transport_context import TransportContext  # noqa: PLC0415

    tunnel, row, note = _tunnel(connection)
    ids = {wire: getattr(params, _attribute(row.params, wire)) for wire in (tunnel.server, tunnel.request)}
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
    import uvicorn  # noqa: PLC0415
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415

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


# --- an agent: sessions with servers ---------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def connect(client: Any, server: Any, **options: Any) -> AsyncGenerator[ClientSession, None]:
    """A session of the package `mcp` with a server of the client. `options`: arguments of `mcp.ClientSession`.

    `server`: its entry in the request that opened the session. The agent's handler of the notifications is `deliver`.
    """
    from mcp import ClientSession  # noqa: PLC0415

    tunnel, row, _ = _tunnel(client)
    id_ = getattr(server, _attribute(type(server), tunnel.server))
    dispatcher = _Dispatcher(client, row, tunnel, id_)
    async with ClientSession(dispatcher=dispatcher, **options) as session:
        await session.discover()
        yield session


def deliver(agent: Any, params: Any) -> Awaitable[None] | None:
    """The handler of an agent for the notifications of servers: `the_handler = acp.mcp.deliver` in its class."""
    tunnel, _, note = _tunnel(agent.client)
    found = _pending.get(getattr(params, _attribute(note.params, tunnel.request)))
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
        from mcp.shared.dispatcher import run_notify_intercept  # noqa: PLC0415

        if not run_notify_intercept(self._intercept, method, params) and self._heard is not None:
            await self._heard(None, method, params)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: Any = None) -> None:  # noqa: ARG002
        logger.debug("%s is not sent: only servers send notifications", method)

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Send a request and return its result. Raises MCPError for an error of the server, and when time is up."""
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415
        from mcp.types import REQUEST_TIMEOUT  # noqa: PLC0415

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
