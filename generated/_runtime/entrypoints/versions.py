# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Several versions of the protocol in one program: the opening request selects the package that serves a connection.

Each version has its own generated package; the packages need not share a runtime. Frames stay bytes until a version is
selected, so no message is decoded with the types of another version, and unknown fields survive.

- A server uses the version that the client requests, or its own latest version if it does not support that one.
- A client requests its latest version, with the fields of all its versions in the request. The response selects one.
"""

# ruff: noqa: SLF001
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Raw, Struct, UnsetType, ValidationError, structs

from ..codec.codec import decode, encode
from ..connection.connection import Connection
from ..errors import ConnectionClosed, InvalidResponse, RequestError, VersionError
from ..jsonrpc.encoder import write_error, write_request
from ..jsonrpc.parser import Fault, Message, Reader, Request, Response
from ..schema.definitions import Handshake, Method
from ..tasks import start
from ..transport.base import Caller, Input, NdjsonTransport, Output, Transport
from ..transport.limits import Limits

if TYPE_CHECKING:
    from ..transport.child import Child

_ID = 0
"""The id of a client's opening request, the first request of its connection."""


class Version(Struct, frozen=True):
    """A version of the protocol that a program speaks."""

    kind: type[Connection]
    """The class of its connections."""
    handler: Any
    """Its handler, or a function that creates one."""
    is_first: bool
    bridged: Any = None
    """The bridge (``bridge.transport.Bridged``) to a peer of another version than that of ``kind``; otherwise None."""

    @property
    def number(self) -> int:
        own = self.handshake.version_number
        return own if self.bridged is None else self.bridged.number(own)

    @property
    def handshake(self) -> Handshake:
        found = self.kind._protocol.handshake
        if found is None:
            raise ValueError(f"{self.kind.__module__}: its protocol has no handshake that could select a version")
        return found

    def connect(self, transport: Transport, options: Mapping[str, Any]) -> Connection:
        """A connection on a transport. Extensions belong to the first version; limits are converted to the class of the
        package.
        """
        given = dict(options)
        if not self.is_first:
            given.pop("extensions", None)
        if (limits := given.get("limits")) is not None:
            base = next(each for each in self.kind.__mro__ if each.__name__ == Connection.__name__)
            given["limits"] = sys.modules[base.__module__].Limits(**structs.asdict(limits))
        if self.bridged is not None:
            transport = self.bridged.transport(transport, self.kind._side, self.handshake.version_number)
        return self.kind(self.handler, transport, **given)

    def row(self) -> Method:
        """The opening request."""
        return self.kind._protocol.methods[self.kind._peer_side, self.handshake.method, "request"]


def versions_of(kind: type[Connection], handler: Any, others: Sequence[Any]) -> Mapping[int, Version]:
    """The versions that handlers support, by number. Handlers are objects, or classes and functions that create them.
    Raises TypeError for a handler without a generated package, and ValueError for two handlers of one version. A
    function that creates a bridged handler is called once: its handler serves all connections.
    """
    found: dict[int, Version] = {}
    for each in (handler, *others):
        made: Any = each() if callable(each) and not isinstance(each, type) and found else each
        bridged: Any = made if hasattr(made, "number") and hasattr(made, "handler") else None
        made = made if bridged is None else bridged.handler
        theirs = getattr(made, "connection_class", None) if found else kind
        if theirs is None or theirs._side != kind._side:
            name = getattr(made, "__name__", type(made).__name__)
            raise TypeError(
                f"versions: {name} is not an {kind._side} of a package that this release of acp-codegen generated"
            )
        version = Version(theirs, each if bridged is None else made, not found, bridged)
        if (number := version.number) in found:
            raise ValueError(
                f"versions: two handlers speak version {number} of the protocol; give one for each version"
            )
        found[number] = version
    return found


class SelectingConnection:
    """A server's connection whose client selects the version. It has the interface of a `Connection`."""

    def __init__(
        self, versions: Mapping[int, Version], reader: Input | Transport, writer: Output | None = None, **options: Any
    ) -> None:
        self.caller: Caller | None = None
        self._versions = versions
        self._options = options
        self._limit: int = options.get("limits", Limits()).frame
        transport: Any = reader if writer is None else NdjsonTransport(reader, writer, self._limit)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        self._transport: Transport = transport
        self._selecting: asyncio.Task[Connection | None] | None = None
        self._selected: Connection | None = None

    @property
    def busy(self) -> bool:
        """True if a request of the client is pending."""
        return self._selected is not None and self._selected.busy

    @property
    def unending(self) -> bool:
        """True if cancelled handlers still run."""
        return self._selected is not None and self._selected.unending

    async def serve(self) -> None:
        """Serve until the connection is closed. Raises OSError if it breaks before a version is selected."""
        self._selecting = start(self._select())
        try:
            await asyncio.wait([self._selecting])
            if not self._selecting.cancelled():
                self._selected = self._selecting.result()
        finally:
            self._selecting.cancel()
            if self._selected is None:
                self._transport.close()
        if self._selected is not None:
            await self._selected.serve()

    async def close(self) -> None:
        """Close the connection."""
        if self._selected is not None:
            await self._selected.close()
        elif self._selecting is not None:
            self._selecting.cancel()

    async def _select(self) -> Connection | None:
        reader = Reader(self._limit)
        while frames := await self._transport.receive():
            for index, frame in enumerate(frames):
                for _, message in reader.whole(frame):
                    if (version := _selected(message, self._versions)) is not None:
                        connection = version.connect(_Resumed(self._transport, [*frames[index:]]), self._options)
                        connection.caller = self.caller
                        return connection
                    if (refusal := _refusal(message)) is not None:
                        self._transport.write(refusal[:-1])
        return None


@contextlib.asynccontextmanager
async def negotiated(
    versions: Mapping[int, Version], transport: Transport, options: Mapping[str, Any], process: Child | None = None
) -> AsyncGenerator[Any, None]:
    """A client's connection in the version that the agent selects, after the handshake. It ends with the block.

    `process`: the agent's, if it was spawned. Raises RequestError if the agent rejects the request, VersionError if it
    supports none of the versions, ConnectionClosed if it ends first, and ValueError for a bridged handler.
    """
    if any(version.bridged is not None for version in versions.values()):
        raise ValueError("versions: a bridged handler serves; clients use the transport of the bridge")
    early: list[bytes] = []
    made = {number: versions[number].connect(_Resumed(transport, early), options) for number in sorted(versions)}
    greeting: dict[str, Any] = {}
    for number, connection in made.items():
        greeting |= connection._router.greet(versions[number].row(), {})
    method = versions[max(made)].handshake.method
    transport.write(write_request(_ID, method, encode(greeting))[:-1])
    result = await _answer(method, transport, early, options.get("limits", Limits()).frame)
    named = [_member(result, version.handshake.version) for version in versions.values()]
    selected = next((number for number in named if type(number) is int and number in made), None)
    if selected is None:
        ours = " and ".join(map(str, made))
        raise VersionError(f"the agent speaks version {named[0]} of the protocol, this side speaks {ours}")
    made[selected].process = process
    async with made[selected] as connection:
        connection._opened(versions[selected].row(), result)
        yield connection


async def _answer(method: str, transport: Transport, early: list[bytes], limit: int) -> Raw:
    """The result of the opening request. Frames with other messages are appended to ``early``."""
    reader = Reader(limit)
    while frames := await transport.receive():
        for index, frame in enumerate(frames):
            for _, message in reader.whole(frame):
                if isinstance(message, Response) and message.id == _ID:
                    if message.error is not None:
                        raise message.error
                    early += frames[index + 1 :]
                    return message.result
                if isinstance(message, Fault) and message.outline.ends == _ID:
                    raise InvalidResponse(method, str(message.error), frame)
            early.append(frame)
    raise ConnectionClosed("the agent closed the connection before it answered the opening request")


class _Resumed:
    """A transport that first returns frames that were received earlier."""

    def __init__(self, transport: Transport, received: list[bytes]) -> None:
        self._transport = transport
        self._received = received
        self.ordered = getattr(transport, "ordered", True)
        self.crowded = transport.crowded
        self.write = transport.write
        self.full = transport.full
        self.drain = transport.drain
        self.drain_session = transport.drain_session
        self.close = transport.close
        self.wait_closed = transport.wait_closed
        self.abort = transport.abort
        self.hung_up = transport.hung_up
        self.when_deaf = transport.when_deaf

    async def receive(self) -> Sequence[bytes]:
        if self._received:
            received, self._received = self._received, []
            return received
        return await self._transport.receive()


def _selected(message: Message, versions: Mapping[int, Version]) -> Version | None:
    """The version that an opening request asks for, or the latest; None for any other message."""
    for version in versions.values():
        if isinstance(message, Request) and message.method == version.handshake.method:
            asked = _member(message.params, version.handshake.version)
            return versions[asked if type(asked) is int and asked in versions else max(versions)]
    return None


def _member(raw: Raw | UnsetType, name: str) -> Any:
    try:
        members = {} if raw is UNSET else decode(dict[str, Any], bytes(raw))
    except ValidationError:
        return None
    return members.get(name)


def _refusal(message: Message) -> bytes | None:
    """The response to a message before the opening request; None if it gets no response."""
    if isinstance(message, Request):
        id, error = message.id, RequestError.invalid_request("the connection is not open: the handshake comes first")
    elif isinstance(message, Fault) and message.outline.ends is UNSET:
        id, error = message.asker, message.error
    else:
        return None
    return write_error(id, error.code, error.message, None if error.data is None else encode(error.data))
