# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Limits of a connection: how much of what a peer sends, and leaves unread, it may make a program hold."""

from __future__ import annotations

from msgspec import Struct, structs

from ..jsonrpc.parser import FRAME_LIMIT


class Limits(Struct, frozen=True, kw_only=True):
    """How much a peer may make a connection hold; each limit is a whole number above 0, and ValueError refuses any other value."""

    frame: int = FRAME_LIMIT
    """Bytes a frame may have: longer ones are skipped, and not sent. A limit other than the default is reported to the peer in the
    handshake. Default: 32 MiB."""
    queue: int = 1_000
    """Notifications that may wait for their handlers before reading pauses. Default: 1,000."""
    hard_queue: int = 100_000
    """Notifications that may wait while a handler awaits the peer, so that reading must go on. Default: 100,000."""
    requests: int = 10_000
    """Requests that may be served at once; more are refused unless others end soon. Default: 10,000."""
    backlog: int = 1 << 25
    """Bytes that may wait for a peer that does not read them before reading pauses; beyond eight times as many, which
    only an awaited answer leads to, the connection closes. Default: 32 MiB."""
    memory: int = 1 << 28
    """Bytes of memory that a peer can have this connection hold, the frame that is being read aside (``frame``):
    requests that are being served, notifications that wait, what it does not read. Default: 256 MiB."""

    def __post_init__(self) -> None:
        for name, value in structs.asdict(self).items():
            if type(value) is not int or value <= 0:
                raise ValueError(f"Limits: {name} is {value!r}, expected an integer from 1 on")
