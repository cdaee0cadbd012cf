"""Find the session of a message, from its bytes and the method table. Both ends share these pure functions.

A request or notification belongs to the session that its params name. A response, and the cancellation of a request,
belong to the session of that request. Everything else belongs to the connection. Two more kinds of message belong to
the connection: the response to a request that opens a session, because the session may not have a stream yet, and any
message of a session whose id is not a valid header value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from .interface import Method, Runtime

Id = int | str | None

MAX_NAME = 1024
"""Maximum characters of a name in a header."""


class Route(Struct, frozen=True, gc=False):
    """The properties of a frame that decide where it is sent."""

    id: Id | UnsetType
    method: str
    """The method. For a response, the method of its request; empty if unknown."""
    answers: bool
    session: str | None
    """The session of the message."""
    opens: bool = False
    """True for a request that opens a session, and for its response."""
    closes: bool = False
    failed: bool = False
    """True for an error response."""
    named: str | None = None
    """The session that a response has opened."""
    about: str | None = None
    """The session that its request named."""


class _Head(Struct, gc=False):
    id: Any = UNSET
    method: Any = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_head = msgspec.json.Decoder(_Head).decode
_MISSING: tuple[str, str | None] = ("", None)


class _Meanings:
    """The routing data of a protocol, shared by all its connections."""

    def __init__(self, runtime: Runtime) -> None:
        table = runtime.table
        sessions = table.sessions
        self.opening = None if table.handshake is None else table.handshake.method
        self.opens = frozenset(sessions.open if sessions is not None else ())
        self.closes = frozenset(sessions.close if sessions is not None else ())
        self.named: Callable[[Raw | UnsetType], int | str | None] = runtime.member_reader(table.ordering)
        self.repair = runtime.repair_surrogates
        cancel = table.cancel
        self.cancel = None if cancel is None else cancel.method
        self.cancelled = runtime.member_reader(None if cancel is None else cancel.property)
        self.naming = _naming(table.methods.values(), table.ordering)
        self.bound = self.naming - self.opens - self.closes


def _meanings_of(runtime: Runtime) -> _Meanings:
    """The routing data of a package, computed once and cached there."""
    found = runtime.cache.get("routing")
    if not isinstance(found, _Meanings):
        found = runtime.cache["routing"] = _Meanings(runtime)
    return found


class Routes:
    """Determines the routes of a connection's messages. It only remembers pending requests."""

    __slots__ = ("_meanings", "asked", "opening", "served")

    def __init__(self, runtime: Runtime) -> None:
        self._meanings = _meanings_of(runtime)
        self.opening = self._meanings.opening
        """The request that opens a connection."""
        self.asked: dict[Id, tuple[str, str | None]] = {}
        """Method and session of the pending requests that this end sent, by id."""
        self.served: dict[Id, tuple[str, str | None]] = {}
        """Method and session of the pending requests that this end must answer, by id."""

    def names_session(self, method: str) -> bool:
        """Return whether the params of a method name a session."""
        return method in self._meanings.naming

    def needs_session(self, route: Route) -> bool:
        """Return whether the sender must state the session of a message."""
        return not route.answers and route.session is not None and route.method in self._meanings.bound

    def sent(self, frame: bytes) -> Route | None:
        """The route of an outbound frame; None if it is not a message."""
        return self._route(frame, self.asked, self.served)

    def came(self, frame: bytes) -> Route | None:
        """The route of an inbound frame."""
        return self._route(frame, self.served, self.asked)

    def _route(
        self, frame: bytes, asked: dict[Id, tuple[str, str | None]], answered: dict[Id, tuple[str, str | None]]
    ) -> Route | None:
        head = self._read(frame)
        if head is None:
            return None
        method: Any = head.method
        named = head.id is not UNSET
        if named and not (head.id is None or type(head.id) is str or type(head.id) is int):
            return None
        key = cast("Id", head.id)
        id = key if named else UNSET
        if method is UNSET:
            if not named:
                return None
            method, session = answered.pop(key, _MISSING)
            opens = method in self._meanings.opens
            return Route(
                id=id,
                method=method,
                answers=True,
                session=None if opens else session,
                opens=opens,
                closes=method in self._meanings.closes,
                failed=not _absent(head.error),
                named=(self._text(head.result) or session) if opens else None,
                about=session,
            )
        if type(method) is not str:
            return None
        if method == self._meanings.cancel:
            session = asked.get(self._meanings.cancelled(head.params), _MISSING)[1]
        else:
            session = self._text(head.params)
        if named:
            asked[key] = (method, session)
        return Route(
            id=id,
            method=method,
            answers=False,
            session=session,
            opens=method in self._meanings.opens,
            closes=method in self._meanings.closes,
        )

    def is_message(self, frame: bytes) -> bool:
        """Return whether a frame is JSON that may be a message."""
        return self._read(frame) is not None

    def _read(self, frame: bytes) -> _Head | None:
        head = _read(frame)
        return head if head is not None or b"\\u" not in frame else _read(self._meanings.repair(frame))

    def _text(self, raw: Raw | UnsetType) -> str | None:
        name = self._meanings.named(raw)
        return name if type(name) is str and _fits_header(name) else None


def request_id(frame: bytes) -> Id | UnsetType:
    """The id of a request; UNSET for any other frame."""
    head = _read(frame)
    return UNSET if head is None or head.method is UNSET else cast("Id | UnsetType", head.id)


def is_answer(frame: bytes, id: Any) -> bool:
    """Return whether a frame is the response to the request with an id."""
    head = _read(frame)
    return head is not None and head.method is UNSET and type(head.id) is type(id) and head.id == id


def agreed_version(answer: bytes, name: str) -> str | None:
    """The version in the response to the opening request. `name`: its property."""
    result: Any = msgspec.json.decode(answer).get("result")
    value: Any = result.get(name) if hasattr(result, "get") else None
    return str(value) if isinstance(value, int | str) else None


def _read(frame: bytes) -> _Head | None:
    try:
        return _head(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _fits_header(name: str) -> bool:
    return 0 < len(name) <= MAX_NAME and name.isascii() and name.isprintable() and name == name.strip()


def _absent(raw: Raw | UnsetType) -> bool:
    return raw is UNSET or bytes(raw) == b"null"


def _naming(methods: Iterable[Method], ordering: str | None) -> frozenset[str]:
    """The methods whose params must name a session."""
    return frozenset(
        row.method
        for row in methods
        if isinstance(row.params, type)
        and issubclass(row.params, Struct)
        and any(field.encode_name == ordering for field in msgspec.structs.fields(row.params))
    )
