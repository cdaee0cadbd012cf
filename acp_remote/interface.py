"""The interface between networking and a generated package: everything that either needs of the other.

A generated package builds one object with the members of `Runtime` and passes it to each entry point of `acp_remote`. Networking keeps
no class of a package in a module-level name, so any number of packages, vendored or installed, can use it in one process.

Versions: `INTERFACE_VERSION` counts incompatible changes of `Runtime`, or of the functions that a package calls here. `check_interface`
compares both numbers before anything else is read. A package also names the releases of `acp-remote` that it was made for.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, Protocol, TypeVar

__all__ = [
    "INTERFACE_VERSION",
    "Backoff",
    "Cancel",
    "Connect",
    "Handshake",
    "Host",
    "InterfaceError",
    "Limits",
    "Listener",
    "Method",
    "NegotiatedTerms",
    "RemoteNames",
    "Runtime",
    "ServedConnection",
    "SessionRestorer",
    "Sessions",
    "Table",
    "Transport",
    "Waiters",
    "check_interface",
]

T = TypeVar("T")

INTERFACE_VERSION = 4
"""The version of the interface that this release of `acp_remote` implements."""


class InterfaceError(ImportError):
    """The generated package and the installed `acp_remote` implement different versions of the interface."""


def check_interface(runtime: Runtime) -> None:
    """Raise InterfaceError, with both versions and the command that installs the right release, unless the versions are equal."""
    if runtime.interface_version == INTERFACE_VERSION:
        return
    raise InterfaceError(
        f"the package `{runtime.package}` uses version {runtime.interface_version} of the networking interface, "
        f"the installed acp-remote has version {INTERFACE_VERSION}: pip install '{runtime.requirement}', "
        f"or generate the package again with the acp-codegen of that release"
    )


# --- transports -------------------------------------------------------------------------------------------------------


class Transport(Protocol):
    """Frames in, frames out. A frame is the bytes of one message, without a line end.

    The transports of every package and of networking have these methods, so each accepts the others' transports.
    """

    async def receive(self) -> Sequence[bytes]:
        """The frames that have arrived, as soon as there are any; none at the end. ConnectionClosed where the transport breaks."""
        ...

    def write(self, frame: bytes) -> None:
        """Take a frame immediately; it leaves when there is room. Nothing happens where the transport has ended."""
        ...

    def full(self) -> bool:
        """Whether it buffers so much that the sender should wait."""
        ...

    async def drain(self) -> None:
        """Wait until it is not full; OSError where it is broken."""
        ...

    def close(self) -> None:
        """Send what was taken, then end."""
        ...

    async def wait_closed(self) -> None:
        """Wait until that is done."""
        ...

    def abort(self) -> None:
        """End immediately: what has not left is dropped."""
        self.close()

    def hung_up(self) -> bool:
        """Whether the peer is known to send no more than what is on the way."""
        return False

    def when_deaf(self, told: Callable[[], None]) -> None:
        """Have this called when the peer is known to read no more."""
        del told  # most transports learn of it when they end

    @property
    def crowded(self) -> Collection[str]:
        """The sessions at capacity, where each has a stream of its own. The same object for as long as the transport lasts."""
        return ()

    async def drain_session(self, session: str) -> None:
        """Wait until a session is below its capacity; OSError where the transport is broken."""
        del session  # most transports have one stream for all
        await self.drain()


class ServedConnection(Protocol):
    """A connection that serves one client: the handlers of the package on a transport."""

    @property
    def busy(self) -> bool:
        """Whether a request is pending."""
        ...

    async def serve(self) -> None:
        """Serve until the client leaves."""
        ...


Connect = Callable[[Any, Any], ServedConnection]
"""The connection factory of a package: a connection on a transport, for a caller."""


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
    """The requests that open and close a session, and those of which it takes one at a time."""

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
    """The method table of a package: the part that networking reads."""

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
        """The gate that closes a method whatever its params, or None."""
        ...


class SessionRestorer(Protocol):
    """The sessions that one side has opened, and the requests that open them again."""

    opened: dict[Any, Any]
    lost: dict[Any, Any]
    silent: set[Any]
    repeats: set[Any]
    ordered: bool

    def hear(self, session: Any, place: tuple[int, int] | None, /) -> None:
        """An update has come; `repeats` has its session if it was heard before."""
        ...

    def begin(self, method: Any, params: Any) -> None:
        """A request is about to be sent."""
        ...

    def end(self, method: Any, params: Any, result: Any) -> None:
        """A request has ended; `result` is None where it failed."""
        ...

    async def reopen_all(
        self, offers: Callable[[Any], bool], ask: Callable[[Any, Any], Awaitable[Any]], *, replay: bool
    ) -> None:
        """Open every session again; failures are in `lost`."""
        ...


class Backoff(Protocol):
    """The pauses between attempts."""

    failed: int

    def lost(self, *, answered: bool, lived: float) -> float | None:
        """The pause before the next attempt, in seconds; None to give up."""
        ...


class Waiters(Protocol):
    """Tasks that wait for the next change of something."""

    def wake(self) -> None: ...
    async def wait(self) -> None: ...


class Host(Protocol):
    """A running server: its address, its task, and how it is shut down gracefully."""

    @property
    def address(self) -> str: ...
    @property
    def task(self) -> asyncio.Task[Any]: ...
    async def end(self) -> None: ...


class Listener(Protocol):
    """The network connections of a listening socket."""

    def of(self, peer: object, /) -> Any:
        """The network connection of a peer's address and port; `begin` and `end` say that a request is in progress. None if unknown."""
        ...

    async def close(self) -> None:
        """Take no more network connections."""
        ...


class Limits(Protocol):
    """The limits of a package's connections, as far as networking needs them."""

    @property
    def frame(self) -> int:
        """Bytes that a frame may have."""
        ...


class Runtime(Protocol):
    """The parts of a generated package that this package uses. Its module `_runtime/remote.py` implements them."""

    @property
    def interface_version(self) -> int:
        """The version of this interface that the package was made for. Never renamed."""
        ...

    @property
    def requirement(self) -> str:
        """The releases of `acp-remote` with that version, as pip takes them. Never renamed."""
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
        """A place, owned by the package, for what networking derives from the table once."""
        ...

    @property
    def frame_limit(self) -> int:
        """The default number of bytes that a frame may have."""
        ...

    @property
    def idempotency(self) -> tuple[str, str, str]:
        """Members of `_meta`: the offer in the handshake to remember keys, the key of a request, the place of an update."""
        ...

    @property
    def dial_options(self) -> Collection[str]:
        """The names of the options of a client connection."""
        ...

    @property
    def endpoint_options(self) -> Collection[str]:
        """The names of the options of an endpoint."""
        ...

    # Classes and errors

    @property
    def caller(self) -> Callable[..., Any]:
        """The class of callers: `headers`, `address`, `query` and `identity`, all by name."""
        ...

    @property
    def connection_closed(self) -> type[ConnectionError]:
        """The error of a connection that is lost or cannot be made; its argument is one line."""
        ...

    @property
    def request_error(self) -> type[Exception]:
        """The error of a request that was answered with an error: code, message, data."""
        ...

    def call_lost(self, method: str, reason: str, may_repeat: bool, /) -> Exception:
        """The error of a request that was pending when its connection was lost."""
        ...

    def check_options(self, given: Mapping[str, Any], known: Collection[str], /) -> None:
        """TypeError for an unknown option, ValueError for a value that makes no sense."""
        ...

    # Messages. Frames have no line end.

    def encode(self, value: Any, /) -> bytes:
        """The JSON of a value."""
        ...

    def decode(self, type: Any, data: Any, /) -> Any:
        """A value of a type of the package, from JSON."""
        ...

    def member_reader(self, name: str | None, /) -> Callable[[Any], int | str | None]:
        """A function that reads one member of an encoded object, a string or an integer, else None."""
        ...

    def request_frame(self, id: Any, method: str, params: bytes, /) -> bytes: ...
    def notification_frame(self, method: str, params: bytes, /) -> bytes: ...
    def error_frame(self, id: Any, code: int, message: str, data: bytes | None = None, /) -> bytes: ...
    def malformed_frame(self, frame: bytes, /) -> bytes | None:
        """The error response to a frame that is not a message; None if it is the response to a call, however malformed."""
        ...

    def repair_surrogates(self, frame: bytes, /) -> bytes:
        """A frame with each escaped half of a surrogate pair replaced."""
        ...

    # Capabilities, sessions, attempts

    def negotiated_terms(self, side: str, /) -> NegotiatedTerms:
        """The capabilities of a connection on which one side, by name, serves the other."""
        ...

    def session_restorer(self, peer: str, /) -> SessionRestorer:
        """A restorer of the sessions at a side."""
        ...

    def backoff(self, attempts: int, delay: float, longest_delay: float, /) -> Backoff: ...

    # Tasks and servers

    def start(self, coroutine: Coroutine[Any, Any, T], /) -> asyncio.Task[T]:
        """A task that begins in a later iteration of the event loop."""
        ...

    def waiters(self) -> Waiters: ...
    def deadline(self, seconds: float, /) -> AbstractContextManager[None]:
        """TimeoutError out of the block after so many seconds."""
        ...

    @property
    def listener(self) -> Callable[..., Listener]:
        """The class of listeners: socket, protocol factory, options, TLS context. The factory is called with each network connection."""
        ...

    def listening_socket(self, host: str, port: int, /) -> socket.socket:
        """A TCP socket that takes connections."""
        ...

    def host(
        self, address: str, run: Coroutine[Any, Any, Any], end: Callable[[], Coroutine[Any, Any, None]], /
    ) -> Host:
        """A server that runs in a task of its own."""
        ...

    async def serve_host(
        self, host: AbstractAsyncContextManager[Any], address: str, options: Mapping[str, Any], /
    ) -> None:
        """Run a server until a signal arrives, then shut it down gracefully. ValueError for an option without effect there."""
        ...
