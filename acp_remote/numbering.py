"""Numbered frames, which both ends of an HTTP connection agree on in the handshake: where there is more than one stream, numbers give the order.

The number of a frame is the id of its event: it grows from event to event of a connection. ``Last-Event-ID`` acknowledges all that came on a
stream up to a number: with the request that opens the stream again, which gets the rest, and with a POST, which may be empty. An answer that
is on another stream than what was sent before it names the last of that: ``7.5`` is event 7, behind event 5 of the answer's session.
The other way each POST has a number, too (``Idempotency-Key``), so that one that got no response may be sent again.

The offer is a member of `_meta` in the handshake. It is between the two ends of a transport: neither passes it on.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

__all__ = ["ACKNOWLEDGED", "KEY", "number_in", "numbers_in", "offer", "take_offer"]

ACKNOWLEDGED = "Last-Event-ID"
KEY = "Idempotency-Key"
_OFFER = "acp-remote/numbered"
_META = "_meta"
_DIGITS = 18

_Members = dict[str, msgspec.Raw]
_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.encode


def offer(frame: bytes, half: str) -> bytes:
    """A frame of the handshake with the offer, in its `half`: params or result. The same where there is no place for it."""
    return _with_meta(frame, half, lambda meta: meta | {_OFFER: msgspec.Raw(b"true")})


def take_offer(frame: bytes, half: str) -> tuple[bytes, bool]:
    """A frame of the handshake without the offer, and whether it had one."""
    offered: list[bytes] = []

    def without(meta: _Members) -> _Members:
        offered.append(bytes(meta.pop(_OFFER, b"")))
        return meta

    taken = _with_meta(frame, half, without)
    return (taken, True) if offered == [b"true"] else (frame, False)


def number_in(text: str) -> int | None:
    """A number of a header; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else None


def numbers_in(id: bytes) -> tuple[int, int]:
    """The number of an event, and that of the one before it on the stream of its session; zeros where it has none."""
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
