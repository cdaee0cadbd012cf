"""The interface between networking and a generated package.

A generated package builds one object with the attributes of `Runtime` and passes it to each entry point of
`acp_remote`. Networking stores no class of a package at module level, so any number of packages, vendored or
installed, can use it in one process.

Versions: `INTERFACE_VERSION` counts incompatible changes of `Runtime`, or of the functions that a package calls here.
`check_interface` compares both numbers first. A package also states its compatible releases of `acp-remote`.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

INTERFACE_VERSION = 5
"""The version of the interface that this release of `acp_remote` implements."""


class InterfaceError(ImportError):
    """The generated package and the installed `acp_remote` implement different versions of the interface."""


def check_interface(runtime: Runtime) -> None:
    """Raise InterfaceError, with both versions and the command that installs the right release, unless the versions are
    equal.
    """
    if runtime.interface_version == INTERFACE_VERSION:
        return
    raise InterfaceError(
        f"the package `{runtime.package}` uses version {runtime.interface_version} of the networking interface, but "
        f"the installed acp-remote has version {INTERFACE_VERSION}: pip install '{runtime.requirement}', or generate "
        "the package again with the matching release of acp-codegen"
    )


# --- transports -------------------------------------------------------------------------------------------------------


class Transport(Protocol):
    """Sends and receives frames. A frame is the bytes of one message, without a line end.

    The transports of every package and of networking have these methods, so each accepts the others' transports.
    """

    async def receive(self) -> Sequence[bytes]:
        """Return the received frames as soon as there are any; none at the end. Raises ConnectionClosed if the
        transport breaks.
        """
        ...

    def write(self, frame: bytes) -> None:
        """Accept a frame immediately and send it when there is space. Has no effect after the end of the transport."""
        ...

    def full(self) -> bool:
        """Return whether senders should wait, because much is buffered."""
        ...

    async def drain(self) -> None:
        """Wait until it is not full. Raises OSError if it is broken."""
        ...

    def close(self) -> None:
        """Send the accepted frames, then close."""
        ...

    async def wait_closed(self) -> None:
        """Wait until the transport is closed."""
        ...

    def abort(self) -> None:
        """Close immediately and drop unsent frames."""
        self.close()

    def hung_up(self) -> bool:
        """Return whether the peer has stopped sending. Data in transit may still arrive."""
        return False

    def when_deaf(self, told: Callable[[], None]) -> None:
        """Call a function when the peer stops reading."""
        del told  # most transports learn of it when they end

    @property
    def crowded(self) -> Collection[str]:
        """The sessions whose own streams are full. The object stays the same for the lifetime of the transport."""
        return ()

    async def drain_session(self, session: str) -> None:
        """Wait until a session's stream is not full. Raises OSError if the transport is broken."""
        del session  # most transports have one stream for all
        await self.drain()


class ServedConnection(Protocol):
    """A connection that serves one client, with the package's handlers on a transport."""

    @property
    def busy(self) -> bool:
        """True if a request is pending."""
        ...

    async def serve(self) -> None:
        """Serve until the client disconnects."""
        ...


Connect = Callable[[Any, Any], ServedConnection]
"""A package's connection factory. It takes a transport and a caller."""


# --- the method table -------------------------------------------------------------------------------------------------


class Method(Protocol):
    """One row of the method table."""

    @property
    def side(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def params(self) -> Any: ...
    @property
    def result(self) -> Any: ...
    @property
    def idempotent(self) -> bool: ...


class Handshake(Protocol):
    """The request that opens a connection, and the properties with the version and each side's capabilities."""

    @property
    def method(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def capabilities(self) -> Mapping[str, str]: ...


class Cancel(Protocol):
    """The notification that cancels a request, and its property with the request's id."""

    @property
    def method(self) -> str: ...
    @property
    def property(self) -> str: ...


class Sessions(Protocol):
    """The requests that open and close a session, and those of which a session handles one at a time."""

    @property
    def open(self) -> tuple[str, ...]: ...
    @property
    def close(self) -> tuple[str, ...]: ...
    @property
    def exclusive(self) -> tuple[str, ...]: ...


class RemoteNames(Protocol):
    """The path of the endpoint, and the headers that name a connection, a session and the agreed version."""

    @property
    def path(self) -> str: ...
    @property
    def connection(self) -> str: ...
    @property
    def session(self) -> str: ...
    @property
    def version(self) -> str | None: ...

    # The last one: its name would hide the builtin from the lines after it.
    @property
    def property(self) -> str | None: ...


class Table(Protocol):
    """The part of a package's method table that networking reads."""

    @property
    def methods(self) -> Mapping[tuple[str, str, str], Method]: ...
    @property
    def handshake(self) -> Handshake | None: ...
    @property
    def cancel(self) -> Cancel | None: ...
    @property
    def ordering(self) -> str | None: ...
    @property
    def sessions(self) -> Sessions | None: ...
    @property
    def remote(self) -> RemoteNames | None: ...


# --- services of the package ------------------------------------------------------------------------------------------


class NegotiatedTerms(Protocol):
    """The negotiated capabilities."""

    def learn(self, side: str, capabilities: Any) -> None:
        """Record what a side advertises, as plain JSON."""
        ...

    def wholly_closed(self, method: Any) -> object:
        """The gate that closes a method whatever its params; None if there is none."""
        ...


class SessionRestorer(Protocol):
    """The sessions that one side has opened, with the requests that reopen them."""

    opened: dict[Any, Any]
    lost: dict[Any, Any]
    silent: set[Any]
    repeats: set[Any]
    ordered: bool

    def hear(self, session: Any, place: tuple[int, int] | None, /) -> None:
        """Process an update. If it repeats an earlier one, `repeats` contains its session."""
        ...

    def begin(self, method: Any, params: Any) -> None:
        """Prepare for a request that is about to be sent."""
        ...

    def end(self, method: Any, params: Any, result: Any) -> None:
        """Record the end of a request. `result` is None if it failed."""
        ...

    async def reopen_all(
        self, offers: Callable[[Any], bool], ask: Callable[[Any, Any], Awaitable[Any]], *, replay: bool
    ) -> None:
        """Reopen every session. Failures are in `lost`."""
        ...


class Backoff(Protocol):
    """The delays between attempts."""

    failed: int

    def lost(self, *, answered: bool, lived: float) -> float | None:
        """The delay before the next attempt, in seconds; None to give up."""
        ...


class Waiters(Protocol):
    """Tasks that wait for the next change."""

    def wake(self) -> None: ...
    async def wait(self) -> None: ...


class Host(Protocol):
    """A running server: its address, its task and its graceful shutdown."""

    @property
    def address(self) -> str: ...
    @property
    def task(self) -> asyncio.Task[Any]: ...
    async def end(self) -> None: ...


class Listener(Protocol):
    """The network connections of a listening socket."""

    def of(self, peer: object, /) -> Any:
        """The network connection with this remote address and port; None if unknown. Call `begin` and `end` around
        each request.
        """
        ...

    async def close(self) -> None:
        """Accept no more network connections."""
        ...


class Limits(Protocol):
    """The limits of a package's connections that networking uses."""

    @property
    def frame(self) -> int:
        """Maximum bytes of a frame."""
        ...


class Runtime(Protocol):
    """The parts of a generated package that networking uses. Its module `_runtime/remote.py` implements them."""

    @property
    def interface_version(self) -> int:
        """The version of this interface that the package implements. Never renamed."""
        ...

    @property
    def requirement(self) -> str:
        """The compatible releases of `acp-remote`, as a pip requirement. Never renamed."""
        ...

    @property
    def package(self) -> str:
        """The import name of the package, for messages. Never renamed."""
        ...

    # Data

    @property
    def table(self) -> Table:
        """The method table of the protocol."""
        ...

    @property
    def cache(self) -> dict[str, Any]:
        """A cache for data that networking derives from the table once."""
        ...

    @property
    def frame_limit(self) -> int:
        """The default maximum bytes of a frame."""
        ...

    @property
    def idempotency(self) -> tuple[str, str, str]:
        """Fields of `_meta`: the handshake's offer to remember keys, the key of a request, the position of an
        update.
        """
        ...

    @property
    def dial_options(self) -> Mapping[str, Any]:
        """The options of a client connection, each with its default."""
        ...

    @property
    def endpoint_options(self) -> Mapping[str, Any]:
        """The options of an endpoint, each with its default."""
        ...

    # Classes and errors

    @property
    def caller(self) -> Callable[..., Any]:
        """The class of callers, with the keyword parameters `headers`, `address`, `query` and `identity`."""
        ...

    @property
    def connection_closed(self) -> type[ConnectionError]:
        """The error of a lost or failed connection. Its argument is one line."""
        ...

    @property
    def request_error(self) -> type[Exception]:
        """The error of a request with an error response: code, message, data."""
        ...

    def call_lost(self, method: str, reason: str, may_repeat: bool, /) -> Exception:
        """The error of a request that was pending when its connection was lost."""
        ...

    def check_options(self, given: Mapping[str, Any], known: Collection[str], /) -> None:
        """Raise TypeError for an unknown option, and ValueError for an invalid value."""
        ...

    # Messages. Frames have no line end.

    def encode(self, value: Any, /) -> bytes:
        """The JSON of a value."""
        ...

    def decode(self, type: Any, data: Any, /) -> Any:
        """Decode JSON as a type of the package."""
        ...

    def member_reader(self, name: str | None, /) -> Callable[[Any], int | str | None]:
        """A function that reads one string or integer field of an encoded object; None if the field is absent."""
        ...

    def request_frame(self, id: Any, method: str, params: bytes, /) -> bytes: ...
    def notification_frame(self, method: str, params: bytes, /) -> bytes: ...
    def error_frame(self, id: Any, code: int, message: str, data: bytes | None = None, /) -> bytes: ...
    def malformed_frame(self, frame: bytes, /) -> bytes | None:
        """The error response to a malformed frame; None if the frame is a response."""
        ...

    def repair_surrogates(self, frame: bytes, /) -> bytes:
        """Replace each escaped unpaired surrogate in a frame."""
        ...

    # Capabilities, sessions, attempts

    def negotiated_terms(self, side: str, /) -> NegotiatedTerms:
        """The capabilities of a connection on which `side` serves the other side."""
        ...

    def session_restorer(self, peer: str, /) -> SessionRestorer:
        """An object that restores the sessions of a side."""
        ...

    def backoff(self, attempts: int, delay: float, longest_delay: float, /) -> Backoff: ...

    # Tasks and servers

    def start(self, coroutine: Coroutine[Any, Any, T], /) -> asyncio.Task[T]:
        """Start a task in a later iteration of the event loop."""
        ...

    def waiters(self) -> Waiters: ...
    def deadline(self, seconds: float, /) -> AbstractContextManager[None]:
        """A block that raises TimeoutError after a number of seconds."""
        ...

    @property
    def listener(self) -> Callable[..., Listener]:
        """The class of listeners: socket, protocol factory, options, TLS context. The factory gets each network
        connection.
        """
        ...

    def listening_socket(self, host: str, port: int, /) -> socket.socket:
        """Create a listening TCP socket."""
        ...

    def host(
        self, address: str, run: Coroutine[Any, Any, Any], end: Callable[[], Coroutine[Any, Any, None]], /
    ) -> Host:
        """A server that runs in its own task."""
        ...

    async def serve_host(
        self, host: AbstractAsyncContextManager[Any], address: str, options: Mapping[str, Any], /
    ) -> None:
        """Run a server until a signal arrives, then shut it down gracefully. Raises ValueError for an option without
        effect.
        """
        ...
