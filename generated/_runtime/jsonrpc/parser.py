# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The parser of JSON-RPC 2.0 over newline-delimited JSON: bytes in, messages and faults out, without any I/O.

``Reader`` cuts bytes into frames, ``parse`` reads one frame, and ``encoder`` builds frames. The module handles frames,
ids and errors, but not methods, types or time. Params and results stay raw JSON, because their types are unknown here.
No input raises an exception:

    input                                               output
    ------------------------------------------------    -----------------------------------------------------
    a method and an id (integer, string or null)        Request
    a method without an id                              Notification
    an id with a result, an error, or both              Response; an error that is not null wins. ``flaw`` describes an
                                                        invalid version or id
    an array                                            its responses, as above; one Fault -32600 for all else in it
    a blank line, a byte order mark at the start        nothing
    not JSON, not UTF-8, JSON nested too deeply         Fault -32700
    other JSON: a scalar, an object with other fields   Fault -32600
    a frame above the limit                             Fault -32600; only its beginning and end are kept

A fault contains the readable fields of its frame (``recovery``): an unreadable response ends its call, and a malformed
request gets an error with its id. A fault gets one error response. A malformed response gets none, because the peer
could answer in turn, endlessly. Batches are not supported. An escaped unpaired surrogate, which JavaScript peers send
when they split a text, becomes U+FFFD.

Peers announce their frame limit in the handshake (``LIMIT``), and in the error for a frame that exceeds it.

``weight`` estimates the memory of a message. A peer chooses the content, so the estimate must not be far below the
worst case: a text with one character beyond ASCII takes up to four bytes per character, an empty array sixty bytes.
"""

from __future__ import annotations

import codecs
import functools
from collections.abc import Callable
from io import BytesIO
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..codec.codec import repair_surrogates
from ..errors import INVALID_REQUEST, PARSE_ERROR, RequestError
from .recovery import EDGE, Id, Outline, of_ends, of_json, read_error

__all__ = [
    "FRAME_LIMIT",
    "LIMIT",
    "Fault",
    "Id",
    "Message",
    "Notification",
    "Reader",
    "Request",
    "Response",
    "limit_in",
    "parse",
    "parse_batch",
    "peek",
]

FRAME_LIMIT = 32 * 1024 * 1024
"""Maximum bytes of a frame, without its line end."""

LIMIT = "frameLimit"
"""The field in which peers announce their frame limit."""

_OBJECT: type[Any] = dict  # typed as loosely, so that what it holds stays Any for type checkers

REQUEST = 4096
"""Estimated cost of a request besides its params: its handler and task."""
SMALL = 256
FLAT = 2048
"""Params up to this many bytes have a fixed estimate."""
_BASE = 1024
_CONTAINER = 64
_ITEM = 48
_QUOTED = 100
"""Number of bytes of a malformed frame that errors quote."""
_BLANK = b" \t\r"
_NULL = Raw(b"null")
_anything = msgspec.json.Decoder()
_items = msgspec.json.Decoder(list[Raw]).decode


def limit_in(told: Any) -> int | None:
    """The frame limit in an object of the peer; None if it has no valid one."""
    value = told.get(LIMIT) if isinstance(told, _OBJECT) else None
    return value if type(value) is int and value > 0 else None


def weight(params: Raw | UnsetType) -> int:
    """The estimated memory of decoded params."""
    if params is UNSET or len(params) <= SMALL:
        return FLAT
    text = bytes(params)
    containers = text.count(b"{") + text.count(b"[")
    return _BASE + len(text) * (1 if text.isascii() else 4) + _CONTAINER * containers + _ITEM * text.count(b",")


class Request(Struct, frozen=True, gc=False):
    """A request. ``params`` is UNSET if the frame has none."""

    id: Id
    method: str
    params: Raw | UnsetType


class Notification(Struct, frozen=True, gc=False):
    """A notification. ``params`` is UNSET if the frame has none."""

    method: str
    params: Raw | UnsetType


class Response(Struct, frozen=True):
    """A response with a ``result`` or an ``error``. An id of null names no request."""

    id: Id
    result: Raw
    error: RequestError | None = None
    flaw: str = ""
    """The deviation from JSON-RPC, if the response is readable despite it."""


class Fault(Struct, frozen=True):
    """A malformed frame. ``error`` is the error to send to the peer."""

    error: RequestError
    quote: str = ""
    """The start of the frame, escaped."""
    outline: Outline = Outline()
    """The fields that could be read."""
    reason: str = ""
    """The reason why the frame is malformed."""
    frame: bytes = b""
    """The frame, or its start if it was too long."""

    @property
    def asker(self) -> Id:
        """The id of the request, if the frame may be one."""
        return self.outline.id if self.outline.asks and self.outline.id is not UNSET else None


Message = Request | Notification | Response | Fault


class _NoMessage(Exception):
    """An object with the version of JSON-RPC 2.0 whose fields do not form a message."""


class _Frame(Struct, gc=False):
    """All fields of any message on the wire."""

    jsonrpc: Literal["2.0"]
    id: Id | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_read_frame = msgspec.json.Decoder(_Frame).decode


class Reader:
    """Cuts a stream of bytes into messages.

    Lines may end in LF or CRLF, and the stream may begin with a byte order mark, which some shells write into pipes. A
    frame is complete with its line end; ``end`` reads a last line without one. A line above ``limit`` bytes is dropped
    on arrival, so that memory stays bounded, and is reported once.
    """

    def __init__(self, limit: int = FRAME_LIMIT, keep: bool = True) -> None:
        self._limit = limit
        self._keep_frames = keep
        self._kept = bytearray()
        self._ends = (b"", b"")
        """The start and the end so far of a line beyond the limit."""
        self._size = 0
        self._fresh = True

    def feed(self, data: bytes) -> list[tuple[bytes, Message]]:
        """Return each complete frame with its message.

        A frame that was skipped for its size is returned as empty bytes. If frames are not kept, all are empty.
        """
        if self._keep_frames or self._fresh or len(data) > self._limit:
            return self._one_by_one(data)
        if not self._size and data[-1:] == b"\n":  # most reads end with a frame
            return self._whole(data)
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
        """Parse complete lines, optimised for lines that are valid frames."""
        if not (lines.isascii() or _is_text(lines)):
            return self._one_by_one(lines)
        found: list[tuple[bytes, Message]] = []
        for line in BytesIO(lines):  # cuts lines in a quarter of the time that `split` takes
            try:
                frame = _read_frame(line)
                if frame.method is UNSET:
                    found.append((b"", _answer(frame)))
                elif frame.id is UNSET:
                    found.append((b"", Notification(frame.method, frame.params)))
                else:
                    found.append((b"", Request(frame.id, frame.method, frame.params)))
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
        """Parse the remaining bytes as a complete frame."""
        size, frame = self._size, bytes(self._kept).strip(_BLANK)
        if self._fresh:
            frame = frame.removeprefix(codecs.BOM_UTF8).lstrip(_BLANK)
            self._fresh = False
        self._kept.clear()
        self._size = 0
        if size > self._limit:
            return [(b"", self._too_long())]
        if frame.startswith(b"["):
            first, *rest = parse_batch(frame)
            return [(frame, first), *((b"", message) for message in rest)]
        return [(frame, parse(frame))] if frame else []

    def whole(self, frame: bytes) -> list[tuple[bytes, Message]]:
        """Parse a complete frame, which may contain line breaks."""
        if self._fresh or frame[:1] != b"{" or len(frame) > self._limit:
            self._keep(frame)
            return self.end()
        return [(frame, parse(frame))]

    @property
    def amid(self) -> bool:
        """Return whether an incomplete line is buffered."""
        return self._size > 0

    def _too_long(self) -> Fault:
        head, tail = self._ends
        self._ends = (b"", b"")
        reason = f"the frame has more than {self._limit} bytes"
        return _fault(INVALID_REQUEST, reason, head, of_ends(head, tail), limit=self._limit)

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._limit:
            self._kept += piece
            return
        head, tail = self._ends
        if len(head) < EDGE:
            head += bytes(self._kept[: EDGE - len(head)])
            head += piece[: EDGE - len(head)]
        self._ends = head, (tail + self._kept[-EDGE:] + piece[-EDGE:])[-EDGE:]
        self._kept.clear()


def parse(frame: bytes) -> Message:
    """Parse a frame into a message or a fault."""
    try:
        # Raw params and results are skipped, not read: that they are UTF-8 is to be seen here.
        if not frame.isascii():
            frame.decode()
        return _message(_read_frame(frame))
    except (_NoMessage, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _second_look(frame, error)


def _is_text(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def parse_batch(frame: bytes) -> list[Message]:
    """The responses in an array. One fault is added if it contains anything else, is empty, or is not valid JSON."""
    try:
        frame.decode()
        items = [parse(bytes(item)) for item in _items(frame)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        repaired = repair_surrogates(frame)
        return [_second_look(frame, error)] if repaired == frame else parse_batch(repaired)
    answers: list[Message] = [
        item for item in items if isinstance(item, Response) or (isinstance(item, Fault) and item.outline.answers)
    ]
    if answers and len(answers) == len(items):
        return answers
    return [*answers, _fault(INVALID_REQUEST, "an array is not a message, and batches are not supported", frame)]


def _second_look(frame: bytes, error: Exception) -> Message:
    """Repair a frame that did not decode and read it again; otherwise read its recoverable parts."""
    if isinstance(error, msgspec.DecodeError) and (repaired := repair_surrogates(frame)) != frame:
        return parse(repaired)
    # A member of the wrong type hides what comes after it: the whole frame may yet turn out to be no JSON.
    invalid = isinstance(error, msgspec.ValidationError | _NoMessage)
    wrong = _why_no_json(frame) if invalid else _reason(error)
    if wrong is not None:
        return _fault(PARSE_ERROR, wrong, frame, of_ends(frame))
    outline = of_json(frame)
    if outline is None:
        return _fault(INVALID_REQUEST, "the frame is not a JSON-RPC 2.0 message", frame)
    if outline.answers and outline.id is not UNSET:
        return _response(outline.id, outline.result, outline.error, outline.flaw)
    detail = outline.flaw or "the frame is neither a request, a notification nor a response"
    return _fault(INVALID_REQUEST, detail, frame, outline)


def _why_no_json(frame: bytes) -> str | None:
    """The reason why a frame is not JSON; None if it only contains a number that is too large for Python."""
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
    return _answer(frame)


def _answer(frame: _Frame) -> Response:
    if frame.error is UNSET and frame.result is not UNSET and frame.id is not UNSET:
        return Response(frame.id, frame.result)
    if frame.id is UNSET or frame.error is UNSET:
        raise _NoMessage
    return _response(frame.id, frame.result, frame.error)


def _response(id: Id, result: Raw | UnsetType, error: Raw | UnsetType, flaw: str = "") -> Response:
    failed = None if error is UNSET else read_error(error)
    return Response(id, _NULL if result is UNSET else result, failed, flaw)


def _fault(code: int, reason: str, frame: bytes, outline: Outline | None = None, *, limit: int | None = None) -> Fault:
    quote = repr(frame[:_QUOTED].decode(errors="replace")) if frame else ""
    quote = f"{quote} ..." if len(frame) > _QUOTED else quote
    detail = reason if limit is None else {"reason": reason, LIMIT: limit}
    return Fault(RequestError.of(code, detail), quote, outline or Outline(), reason, frame)


@functools.cache  # one for all connections: its type alone takes two kilobytes
@functools.cache
def peek(name: str | None) -> Callable[[bytes | Raw | UnsetType | None], int | str | None]:
    """A function that reads one string or integer field of an object and skips the rest; None if the field is
    absent.
    """
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
