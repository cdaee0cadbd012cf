# Generated: part of every package, the same for every schema. Do not edit.
"""JSON-RPC 2.0 over newline-delimited JSON, without any input or output: bytes in, messages and faults out.

The law of this module: it knows frames, ids and errors, and neither methods nor types nor time. ``Reader`` cuts bytes
into frames, ``parse`` reads one frame, the ``write_...`` functions build one. Params and results stay raw JSON, for
whoever knows their type. Whatever the bytes are, nothing is raised:

    what arrives                                        what comes out
    ------------------------------------------------    -----------------------------------------------------
    a method and an id (integer, string or null)        Request
    a method without an id                              Notification
    an id with a result, an error, or both              Response (an error that is not null wins)
    a blank line, a byte order mark at the very start   nothing
    no JSON, no UTF-8, JSON nested too deeply           Fault -32700
    other JSON: an array, a scalar, no message          Fault -32600
    a frame beyond the limit                            Fault -32600; its bytes are skipped, not kept

A fault is answered once, with id null; there are no batches. An escaped lone surrogate, which JavaScript peers send
when they cut a text in two, is read as U+FFFD.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from .codec import repair_surrogates
from .errors import INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, RequestError

__all__ = [
    "FRAME_LIMIT",
    "Fault",
    "Id",
    "Message",
    "Notification",
    "Reader",
    "Request",
    "Response",
    "parse",
    "peek",
    "write_error",
    "write_notification",
    "write_request",
    "write_result",
]

FRAME_LIMIT = 32 * 1024 * 1024
"""Bytes a frame may have, its line end aside."""

Id = int | str | None


class Request(Struct, frozen=True, gc=False):
    """The peer wants an answer. ``params`` is UNSET where the frame has none."""

    id: Id
    method: str
    params: Raw | UnsetType


class Notification(Struct, frozen=True, gc=False):
    """The peer tells something. ``params`` is UNSET where the frame has none."""

    method: str
    params: Raw | UnsetType


class Response(Struct, frozen=True):
    """The peer answers: with ``result``, or with ``error``. An id of null answers nothing we can name."""

    id: Id
    result: Raw
    error: RequestError | None = None


class Fault(Struct, frozen=True):
    """A frame that is no message; ``error`` is what the peer is told."""

    error: RequestError
    quote: str = ""
    """How the frame starts, escaped; nothing where it was dropped for its size."""


Message = Request | Notification | Response | Fault


class _NoMessage(Exception):
    """JSON-RPC 2.0 by its version, none by its members."""


class _Frame(Struct, gc=False):
    """Any message as it stands on the wire."""

    jsonrpc: Literal["2.0"]
    id: Id | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class _Error(Struct):
    """The error of a response as it stands on the wire."""

    code: int
    message: str
    data: Any = None


_QUOTED = 100
"""Bytes of a frame that is no message which are quoted."""
_BLANK = b" \t\r"
_NULL = Raw(b"null")
_read_frame = msgspec.json.Decoder(_Frame).decode
_errors = msgspec.json.Decoder(_Error)
_anything = msgspec.json.Decoder()
_encode = msgspec.json.Encoder().encode


class Reader:
    """Cuts a stream of bytes into messages.

    Lines may end in LF or CRLF, and a byte order mark may open the stream: some shells put one before what they pipe.
    A frame is complete with its line end; ``end`` reads a last line that has none. Beyond ``limit`` bytes a line is
    dropped as it comes, so that memory stays flat, and reported once.
    """

    def __init__(self, limit: int = FRAME_LIMIT, keep: bool = True) -> None:
        self._limit = limit
        self._keep_frames = keep
        self._kept = bytearray()
        self._size = 0
        self._fresh = True

    def feed(self, data: bytes) -> list[tuple[bytes, Message]]:
        """Each complete frame with its message.

        A frame that was dropped for its size comes as empty bytes; so does any, where frames are not to be kept.
        """
        if self._keep_frames or self._fresh or len(data) > self._limit:
            return self._one_by_one(data)
        end = data.rfind(b"\n") + 1
        if self._size and end:
            start = data.find(b"\n") + 1
            found = self._one_by_one(data[:start])
            found += self._whole(data[start:end])
        else:
            found = self._whole(data[:end])
        if end < len(data):
            self._keep(data[end:])
        return found

    def _whole(self, lines: bytes) -> list[tuple[bytes, Message]]:
        """The messages of whole lines, nearly always a frame each and nothing wrong with it."""
        if not _is_text(lines):
            return self._one_by_one(lines)
        found: list[tuple[bytes, Message]] = []
        for line in BytesIO(lines):  # cuts lines in a quarter of the time that `split` takes
            try:
                frame = _read_frame(line)
                if frame.id is UNSET and frame.method is not UNSET:
                    found.append((b"", Notification(frame.method, frame.params)))
                else:
                    found.append((b"", _message(frame)))
            except (msgspec.DecodeError, RecursionError, _NoMessage):
                found += self._one_by_one(line)
        return found

    def _one_by_one(self, data: bytes) -> list[tuple[bytes, Message]]:
        first, *rest = data.split(b"\n")
        self._keep(first)
        found: list[tuple[bytes, Message]] = []
        for piece in rest:
            found += self.end()
            self._keep(piece)
        return found

    def end(self) -> list[tuple[bytes, Message]]:
        """What is left in hand, taken as a whole frame."""
        size, frame = self._size, bytes(self._kept).strip(_BLANK)
        if self._fresh:
            frame = frame.removeprefix(codecs.BOM_UTF8).lstrip(_BLANK)
            self._fresh = False
        self._kept.clear()
        self._size = 0
        if size > self._limit:
            return [(b"", self._too_long())]
        return [(frame, parse(frame))] if frame else []

    def _too_long(self) -> Fault:
        return _fault(INVALID_REQUEST, f"the frame has more than {self._limit} bytes", b"")

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._limit:
            self._kept += piece
        else:
            self._kept.clear()


def parse(frame: bytes) -> Message:
    """The message in a frame, or the fault that it is."""
    try:
        # Raw params and results are skipped, not read: that they are UTF-8 is to be seen here.
        if not frame.isascii():
            frame.decode()
        return _message(_read_frame(frame))
    except _NoMessage:
        return _fault(INVALID_REQUEST, "the frame is neither a request, a notification nor a response", frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _second_look(frame, error)


def _is_text(data: bytes) -> bool:
    """Whether it is UTF-8, of which every line of a text is a text too."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _second_look(frame: bytes, error: Exception) -> Message:
    """A frame that did not decode: repaired and read again, else the fault that says what is wrong with it."""
    if isinstance(error, msgspec.DecodeError) and (repaired := repair_surrogates(frame)) != frame:
        return parse(repaired)
    if not isinstance(error, msgspec.ValidationError):
        return _fault(PARSE_ERROR, _reason(error), frame)
    # A member of the wrong type hides what comes after it: the whole frame may yet turn out to be no JSON.
    wrong = _why_no_json(frame)
    if wrong is None:
        return _fault(INVALID_REQUEST, "the frame is no JSON-RPC 2.0 message", frame)
    return _fault(PARSE_ERROR, wrong, frame)


def _why_no_json(frame: bytes) -> str | None:
    """What is wrong with a frame as JSON; a number that Python has no room for is nothing wrong."""
    try:
        _anything.decode(frame)
    except msgspec.ValidationError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # As text: an exception that is handed around makes a circle with its traceback, left to the garbage collector.
        return _reason(error)
    return None


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _message(frame: _Frame) -> Message:
    if frame.method is not UNSET:
        if frame.id is UNSET:
            return Notification(frame.method, frame.params)
        return Request(frame.id, frame.method, frame.params)
    if frame.id is UNSET or (frame.result is UNSET and frame.error is UNSET):
        raise _NoMessage
    error = None if frame.error is UNSET else _error(frame.error)
    return Response(frame.id, _NULL if frame.result is UNSET else frame.result, error)


def _error(raw: Raw) -> RequestError | None:
    """The error of a response; one that is not as JSON-RPC wants it is still an error."""
    if bytes(raw) == b"null":
        return None
    try:
        error = _errors.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return RequestError(INTERNAL_ERROR, "The peer answered with a malformed error")
    return RequestError(error.code, error.message, error.data)


def _fault(code: int, detail: str, frame: bytes) -> Fault:
    quote = repr(frame[:_QUOTED].decode(errors="replace")) if frame else ""
    return Fault(RequestError.of(code, detail), f"{quote} ..." if len(frame) > _QUOTED else quote)


def peek(name: str | None) -> Callable[[bytes | Raw | UnsetType | None], int | str | None]:
    """A function that reads one member of an object, a string or an integer, else None; it skips the rest."""
    if name is None:
        return lambda raw: None
    record = msgspec.defstruct("_Peeked", [("member", Any, None)], rename={"member": name}, gc=False)
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(record)
    decode = decoder.decode

    def member(raw: bytes | Raw | UnsetType | None) -> int | str | None:
        if raw is None or raw is UNSET:
            return None
        try:
            value = decode(raw).member
        except (msgspec.DecodeError, RecursionError):
            return None
        return value if type(value) is str or type(value) is int else None

    return member


def write_request(id: Id, method: str, params: bytes | None) -> bytes:
    """The frame of a request, line end and all; params are JSON, None leaves them out."""
    return _frame(b'{"jsonrpc":"2.0","id":%b,"method":%b' % (_encode(id), _name(method)), b',"params":', params)


def write_notification(method: str, params: bytes | None) -> bytes:
    """The frame of a notification."""
    return _frame(b'{"jsonrpc":"2.0","method":' + _name(method), b',"params":', params)


def write_result(id: Id, result: bytes) -> bytes:
    """The frame of a response that succeeded."""
    return _frame(b'{"jsonrpc":"2.0","id":%b' % _encode(id), b',"result":', result)


def write_error(id: Id, code: int, message: str, data: bytes | None = None) -> bytes:
    """The frame of a response that failed; data is JSON, None leaves it out."""
    members = b'"code":%d,"message":%b' % (code, _encode(message))
    error = b"{%b}" % members if data is None else b'{%b,"data":%b}' % (members, data)
    return _frame(b'{"jsonrpc":"2.0","id":%b' % _encode(id), b',"error":', error)


@lru_cache(maxsize=256)
def _name(method: str) -> bytes:
    return _encode(method)


def _frame(head: bytes, name: bytes, value: bytes | None) -> bytes:
    if value is None:
        return head + b"}\n"
    if b"\n" in value:
        # White space between tokens (inside a string it is escaped): the frame stays one line.
        value = value.replace(b"\n", b" ")
    return b"".join((head, name, value, b"}\n"))
