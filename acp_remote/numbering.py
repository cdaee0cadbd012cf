"""Numbered frames over HTTP: numbers give the order of frames across several streams.

Both ends negotiate this in the handshake, with a field of `_meta` that neither passes on.

- The id of an event is the number of its frame. Numbers increase across all streams of a connection.
- `Last-Event-ID` acknowledges all events of a stream up to a number. A request that reopens a stream sends it, and gets
  the remaining events. A POST, which may be empty, can send it, too.
- A response on another stream than its session's updates names the last update: `7.5` is event 7, after event 5.
- Each POST has a number (`Idempotency-Key`), so a POST without a response can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

ACKNOWLEDGED = "Last-Event-ID"
KEY = "Idempotency-Key"
_OFFER = "acp-remote/numbered"
_META = "_meta"
_DIGITS = 18

_Members = dict[str, msgspec.Raw]
_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.encode


def offer(frame: bytes, half: str) -> bytes:
    """Add the offer to a half of a handshake frame (params or result). A frame without that half is unchanged."""
    return with_member(frame, half, _OFFER, b"true")


def take_offer(frame: bytes, half: str) -> tuple[bytes, bool]:
    """Remove the offer from a handshake frame. Returns the frame, and whether it had an offer."""
    taken, value = take_member(frame, half, _OFFER)
    return (taken, True) if value == b"true" else (frame, False)


def with_member(frame: bytes, half: str, name: str, value: bytes) -> bytes:
    """Add a field to the `_meta` of a frame's `half`, unless it exists."""
    return _with_meta(frame, half, lambda meta: {name: msgspec.Raw(value)} | meta)


def take_member(frame: bytes, half: str, name: str) -> tuple[bytes, bytes]:
    """Remove a field from the `_meta` of a frame's `half`. Returns the frame and the value; empty if there is none."""
    found: list[bytes] = []

    def without(meta: _Members) -> _Members:
        found.append(bytes(meta.pop(name, b"")))
        return meta

    taken = _with_meta(frame, half, without)
    return (taken, found[0]) if any(found) else (frame, b"")


def number_in(text: str) -> int | None:
    """The number in a header; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else None


def numbers_in(id: bytes) -> tuple[int, int]:
    """The number of an event, and of the preceding event in its session; 0 if there is none."""
    number, _, before = id.decode("latin-1").partition(".")
    return number_in(number) or 0, number_in(before) or 0


def _with_meta(frame: bytes, half: str, change: Callable[[_Members], _Members]) -> bytes:
    try:
        message = _members(frame)
        record = _members(message[half])
        meta = change(_members(record[_META]) if _META in record and bytes(record[_META]) != b"null" else {})
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError):
        return frame
    if meta:
        record[_META] = msgspec.Raw(_encode(meta))
    else:
        record.pop(_META, None)
    message[half] = msgspec.Raw(_encode(record))
    return _encode(message)
