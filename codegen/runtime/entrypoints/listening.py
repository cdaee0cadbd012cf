"""Admission to a listening socket: how many network connections are open, in total and for each address.

This works below any protocol and server library. A network connection without a request in progress is idle. Idle
connections end after a time, whatever they send. If no file descriptor is left, the oldest idle one of the busiest
address is closed, so silent clients never lock others out. The server above reports when a request begins and ends:
`Socket.begin`, `Socket.end`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from ..tasks import start
from ..transport.options import ENDPOINT_DEFAULTS

logger = logging.getLogger(__name__)

_UNKNOWN = 20_000
"""Limit on network connections if the system does not report the limit on open files."""
_RESERVE = 64
"""Minimum number of file descriptors reserved for other uses. A quarter of all descriptors, if that is more."""
BACKLOG = 1024
"""Number of network connections that may wait to be accepted."""
_PAUSE = 0.1
"""Seconds before the next attempt when no file descriptor is left."""


class Socket(socket.socket):
    """One network connection. Transports close or detach their socket when they end, whatever their protocol."""

    def __init__(self, listener: Listener, accepted: socket.socket, peer: Any) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self.setblocking(False)
        self._listener = listener
        self.peer = _place(peer)
        """The address and the port of its other end; None for a Unix socket."""
        self.address = self.peer[0] if self.peer else ""
        self._requests = 0
        self.wire: asyncio.BaseTransport | None = None
        self.opening: asyncio.Task[None] | None = None
        """The task that performs the TLS handshake and creates the transport."""

    def begin(self) -> None:
        """Record the start of a request."""
        self._requests += 1
        self._listener.idle.pop(self, None)

    def end(self) -> None:
        """Record the end of a request."""
        self._requests -= 1
        if not self._requests:
            self._listener.wait_for(self)

    def close(self) -> None:
        self._listener.leave(self)
        super().close()

    def detach(self) -> int:
        self._listener.leave(self)
        return super().detach()

    def abort(self) -> None:
        """Close the connection immediately."""
        self._listener.leave(self)
        if self.wire is not None:
            cast("asyncio.WriteTransport", self.wire).abort()
        elif self.opening is not None:
            self.opening.cancel()


Factory = Callable[[Socket], asyncio.BaseProtocol]


class Listener:
    """The network connections of a listening socket. `factory` creates the protocol of each, as for
    `loop.create_server`.
    """

    def __init__(
        self,
        listening: socket.socket,
        factory: Factory,
        options: Mapping[str, Any],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        listening.setblocking(False)
        self._factory = factory
        self._listening = listening
        self._tls = tls
        options = {**ENDPOINT_DEFAULTS, **options}
        self.limit: int = options["sockets"] or _available()
        self._each: float = options["sockets_each"] or math.inf
        self._patience: float = options["request_timeout"]
        self._by_address: Counter[str] = Counter()
        self._by_peer: dict[tuple[str, int] | None, Socket] = {}
        self._open: set[Socket] = set()
        self.idle: dict[Socket, float] = {}
        """Connections without a request in progress, with the time since then, the oldest first."""
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._accepting = start(self._accept())

    def of(self, peer: object) -> Socket | None:
        """The network connection with this remote address and port."""
        return self._by_peer.get(_place(peer))

    async def close(self) -> None:
        """Stop accepting. Open connections stay open."""
        if self._timer is not None:
            self._timer.cancel()
        self._accepting.cancel()
        await asyncio.wait([self._accepting])
        self._listening.close()

    async def _accept(self) -> None:
        while True:
            try:
                accepted, peer = await self._loop.sock_accept(self._listening)
            except ConnectionError:  # it is gone before it was taken
                continue
            except OSError as error:
                logger.warning("no network connection can be accepted: %s", error)
                self._evict()
                await asyncio.sleep(_PAUSE)
                continue
            opened = Socket(self, accepted, peer)
            if (self._by_address[opened.address] >= self._each and not self._evict(opened.address)) or (
                len(self._open) >= self.limit and not self._evict()
            ):
                logger.debug("a network connection of %s is rejected: there are too many", opened.address)
                opened.close()
                continue
            self._open.add(opened)
            self._by_address[opened.address] += 1
            if opened.peer is not None:
                self._by_peer[opened.peer] = opened
            self.wait_for(opened)
            opened.opening = start(self._hand_over(opened))
            opened.opening.add_done_callback(partial(_abandoned, opened))

    async def _hand_over(self, opened: Socket) -> None:
        """Create the transport of a connection after the TLS handshake."""
        patience = self._patience if self._tls is not None else None
        try:
            opened.wire, _ = await self._loop.connect_accepted_socket(
                lambda: self._factory(opened), opened, ssl=self._tls, ssl_handshake_timeout=patience
            )
        except (OSError, ssl.SSLError) as error:
            logger.debug("a network connection of %s cannot be opened: %s", opened.address, error)
            opened.close()

    def leave(self, opened: Socket) -> None:
        """Stop counting a network connection. May be called twice."""
        if opened not in self._open:
            return
        self._open.discard(opened)
        self.idle.pop(opened, None)
        if self._by_peer.get(opened.peer) is opened:
            del self._by_peer[opened.peer]
        self._by_address[opened.address] -= 1
        if not self._by_address[opened.address]:
            del self._by_address[opened.address]

    def _evict(self, address: str | None = None) -> bool:
        """Close the oldest idle connection of an address, or else of the busiest address; False if there is none."""
        idle = [each for each in self.idle if address in (None, each.address)]
        if idle:
            max(idle, key=lambda each: self._by_address[each.address]).abort()
        return bool(idle)

    def wait_for(self, opened: Socket) -> None:
        """Record that a network connection is idle."""
        if opened in self._open:
            self.idle[opened] = self._loop.time()
            if self._timer is None:
                self._timer = self._loop.call_later(self._patience, self._expire)

    def _expire(self) -> None:
        """Close connections that were idle for too long."""
        self._timer = None
        now = self._loop.time()
        while self.idle:
            opened, since = next(iter(self.idle.items()))
            if since + self._patience > now:
                self._timer = self._loop.call_at(since + self._patience, self._expire)
                return
            opened.abort()


def _place(peer: Any) -> tuple[str, int] | None:
    """The address and the port of a network connection; None for a Unix socket."""
    return None if not peer or isinstance(peer, str | bytes) else (str(peer[0]), int(peer[1]))


def _abandoned(opened: Socket, opening: asyncio.Task[None]) -> None:
    if opening.cancelled():
        opened.close()


def streams(serve: Callable[[Socket, asyncio.StreamReader, asyncio.StreamWriter], None]) -> Factory:
    """A factory of protocols that call a function with each network connection and its streams."""
    return lambda opened: asyncio.StreamReaderProtocol(asyncio.StreamReader(), partial(serve, opened))


def _available() -> int:
    """The number of network connections that the limit on open files allows."""
    with contextlib.suppress(ImportError):  # Windows has no such limit
        import resource  # noqa: PLC0415

        allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if allowed != resource.RLIM_INFINITY:
            return max(1, allowed - max(_RESERVE, allowed // 4))
    return _UNKNOWN


def listening_socket(host: str, port: int) -> socket.socket:
    """Create a listening TCP socket."""
    family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listening = socket.socket(family, kind, number)
    # On Windows, SO_REUSEADDR lets another program take over a port that is in use.
    try:
        listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
        listening.bind(place)
        _keep_alive(listening)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _keep_alive(listening: socket.socket) -> None:
    """Enable TCP keepalive, so that the system detects vanished peers. Accepted connections inherit it."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # The last is for what was sent and is never taken, in milliseconds: keep-alive is silent meanwhile.
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 60_000)):
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
