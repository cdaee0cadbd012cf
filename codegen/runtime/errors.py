"""All errors that a connection raises, and the error codes of the wire format.

    Exception
    |-- RequestError            an error response, received from the peer or raised by a handler
    |-- InvalidResponse         a response that cannot be read (a msgspec.ValidationError)
    |-- CapabilityError         not sent: the receiver did not advertise a required capability
    |-- InvalidMessage          not sent: the message does not have the type of its method (a ValueError)
    |-- FrameTooLong            not sent: the message exceeds the frame limit
    |-- SessionEnded            the session has ended; a call in it was not sent or gets no response
    `-- ConnectionError         (Python's own)
        `-- ConnectionClosed    the connection is lost; every pending call fails with it
            |-- CallLost        the peer is being restarted; states whether the call may be repeated
            |-- SessionLost     the peer was restarted, but this session could not be reopened
            |-- VersionError    the peer speaks a protocol version that this package does not support
            `-- QueueOverflow   the queue of notifications exceeds its hard limit

A malformed frame is not an exception but a value, ``jsonrpc.Fault``, because the connection continues after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self, TypeVar, cast

import msgspec

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

MESSAGES: Mapping[int, str] = MappingProxyType(
    {
        PARSE_ERROR: "Parse error",
        INVALID_REQUEST: "Invalid request",
        METHOD_NOT_FOUND: "Method not found",
        INVALID_PARAMS: "Invalid params",
        INTERNAL_ERROR: "Internal error",
    }
)
"""Default messages of the JSON-RPC error codes."""

E = TypeVar("E", bound="RequestError")


class RequestError(Exception):
    """An error response. A call raises it if the peer answers with an error; a handler raises it to answer with one.

    If a handler does not catch an error of its peer, its own caller gets an internal error. To pass an error on,
    raise another one. ``data`` is any JSON value, or None. The class methods build the errors of JSON-RPC and the
    protocol, and the constants are their codes.
    """

    PARSE_ERROR: Final = PARSE_ERROR
    INVALID_REQUEST: Final = INVALID_REQUEST
    METHOD_NOT_FOUND: Final = METHOD_NOT_FOUND
    INVALID_PARAMS: Final = INVALID_PARAMS
    INTERNAL_ERROR: Final = INTERNAL_ERROR
    MESSAGES: ClassVar[Mapping[int, str]] = MESSAGES
    """The message of each code that the schema lists."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(code, message, data)
        self.code = code
        self.message = message
        self.data = data
        self.origin: object = None
        """The pending requests of the connection on which it arrived; None if it was created locally."""

    def __str__(self) -> str:
        detail = "" if self.data is None else f": {self.data!r}"
        return f"{self.message} ({self.code}){detail}"

    @classmethod
    def of(cls, code: int, /, data: Any = None, **members: Any) -> Self:
        """Create the error for a code, with the message of the schema. Keywords set the fields of ``data``."""
        if members and data is not None:
            raise TypeError("give `data` as a whole or by its fields, not both")
        return cls(code, cls.MESSAGES.get(code, "Error"), members or data)

    @classmethod
    def parse_error(cls, data: Any = None) -> Self:
        """-32700: the frame is not JSON."""
        return cls.of(PARSE_ERROR, data)

    @classmethod
    def invalid_request(cls, data: Any = None) -> Self:
        """-32600: valid JSON, but not a message, or a message that is not allowed now."""
        return cls.of(INVALID_REQUEST, data)

    @classmethod
    def method_not_found(cls, method: str) -> Self:
        """-32601: unknown, not implemented or not advertised here; ``data`` names the method."""
        return cls.of(METHOD_NOT_FOUND, {"method": method})

    @classmethod
    def invalid_params(cls, data: Any = None) -> Self:
        """-32602: the params are invalid."""
        return cls.of(INVALID_PARAMS, data)

    @classmethod
    def misfit(cls, error: Exception) -> Self:
        """-32602 for a decoding error: ``data`` gives the ``path`` of the fault (``$.a.b``) and the ``reason``."""
        reason, _, path = str(error).partition(" - at `")
        return cls.of(INVALID_PARAMS, {"path": path.removesuffix("`") or "$", "reason": reason})

    @classmethod
    def internal_error(cls, data: Any = None) -> Self:
        """-32603: the handler failed. Never put a traceback into ``data``."""
        return cls.of(INTERNAL_ERROR, data)


def completes(base: type[RequestError]) -> Callable[[type[E]], type[E]]:
    """Make a class body part of its base class and return the base, so that errors raised by the runtime have its
    attributes.
    """

    def complete(addition: type[E]) -> type[E]:
        for name, value in vars(addition).items():
            if not name.startswith("__"):
                setattr(base, name, value)
        return cast("type[E]", base)

    return complete


class InvalidResponse(msgspec.ValidationError):
    """The peer answered a call with an invalid response or an invalid result.

    ``method`` is the called method, ``reason`` the error, ``path`` its place in the result (``$.a.b``), otherwise
    ``$``. ``raw`` is the received JSON: the result, or the whole frame if it has none, or the start of a frame that was
    too long.
    """

    def __init__(self, method: str, reason: str, raw: bytes, path: str = "$") -> None:
        super().__init__(method, reason, raw, path)
        self.method = method
        self.reason = reason
        self.raw = raw
        self.path = path

    def __str__(self) -> str:
        where = "" if self.path == "$" else f" - at `{self.path}`"
        return f"the response to {self.method} cannot be read: {self.reason}{where}"

    @classmethod
    def misfit(cls, method: str, error: Exception, raw: bytes) -> Self:
        """Create the error for a result that does not conform to its type."""
        reason, _, path = str(error).partition(" - at `")
        return cls(method, reason or type(error).__name__, raw, path.removesuffix("`") or "$")


class FrameTooLong(ValueError):
    """Nothing was sent: the frame has ``size`` bytes, more than the ``limit`` of either side."""

    def __init__(self, size: int, limit: int, owner: str) -> None:
        super().__init__(size, limit, owner)
        self.size = size
        self.limit = limit
        self.owner = owner
        """Owner of the limit: "this side", or "the" and the name of the peer's side."""

    def __str__(self) -> str:
        return f"nothing was sent: the frame has {self.size:,} bytes, the frame limit of {self.owner} is {self.limit:,}"


class CapabilityError(Exception):
    """Nothing was sent: the peer did not advertise the capability for the method, or for a part of the message.

    ``part`` is the place of that part, such as ``prompt[0]``; empty for the method. ``answer``: the part is in the
    result.
    """

    def __init__(self, method: str, capability: str, side: str, part: str = "", answer: bool = False) -> None:
        super().__init__(method, capability, side, part, answer)
        self.method = method
        self.capability = capability
        self.side = side
        self.part = part
        self.answer = answer

    def __str__(self) -> str:
        needed = f", which `{self.part}` needs" if self.part else ""
        return f"{_unsent(self.method, self.answer)}: the {self.side} did not advertise {self.capability}{needed}"


class InvalidMessage(ValueError):
    """Nothing was sent: the params, or the result of a handler, have the wrong type.

    ``place`` is the invalid part, such as ``update.content.text``. ``answer``: the part is in the result.
    """

    def __init__(self, method: str, place: str, reason: str, answer: bool = False) -> None:
        super().__init__(method, place, reason, answer)
        self.method = method
        self.place = place
        self.reason = reason
        self.answer = answer

    def __str__(self) -> str:
        return f"{_unsent(self.method, self.answer)}: {self.place}: {self.reason}"


def _unsent(method: str, answer: bool) -> str:
    return f"the response to {method} was not sent" if answer else f"{method} was not sent"


class SessionEnded(Exception):
    """The session has ended, so a call in it was not sent or gets no response. ``reason`` is the cause."""

    def __init__(self, session: Any, reason: str) -> None:
        super().__init__(session, reason)
        self.session = session
        self.reason = reason

    def __str__(self) -> str:
        return f"the session {self.session!r} has ended: {self.reason}"


class ConnectionClosed(ConnectionError):
    """The connection was lost or closed. The message has the reason."""

    unread = False
    """True if the peer had answered every request that it read, so that a request without a response may be sent
    again.
    """

    def again(self) -> Self:
        """A copy of the error for another caller. Raising one exception twice would collect both tracebacks."""
        error = type(self)(*self.args)
        error.unread = self.unread
        return error


class CallLost(ConnectionClosed):
    """The peer was lost during a call. It is being restarted; other calls wait for it.

    ``may_repeat``: whether the schema marks the call as idempotent, so that it can safely be repeated.
    """

    def __init__(self, method: str, reason: str, may_repeat: bool) -> None:
        super().__init__(method, reason, may_repeat)
        self.method = method
        self.reason = reason
        self.may_repeat = may_repeat

    def __str__(self) -> str:
        advice = (
            "it may be sent again"
            if self.may_repeat
            else "it may have been executed, so check before you send it again"
        )
        return f"{self.method} has no answer: {self.reason}; {advice}"


class SessionLost(ConnectionClosed):
    """The peer was restarted, but this session could not be reopened. Other sessions continue."""

    def __init__(self, session: Any, reason: str) -> None:
        super().__init__(session, reason)
        self.session = session
        self.reason = reason

    def __str__(self) -> str:
        return f"the session {self.session!r} is lost: {self.reason}"


class VersionError(ConnectionClosed):
    """The peer speaks another protocol version, so the connection was closed."""


class QueueOverflow(ConnectionClosed):
    """The peer sent more notifications than the hard limit of the queue."""
