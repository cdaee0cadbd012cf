# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Limits on data that a peer sends or leaves unread."""

from __future__ import annotations

from msgspec import Struct, structs

from ..jsonrpc.parser import FRAME_LIMIT


class Limits(Struct, frozen=True, kw_only=True):
    """Limits of a connection, all integers above 0. Other values raise ValueError."""

    frame: int = FRAME_LIMIT
    """Maximum frame size in bytes. Longer incoming frames are skipped; longer outgoing frames are not sent. The
    handshake announces the limit if it differs from the default, 32 MiB."""
    queue: int = 1_000
    """Queued notifications at which reading pauses. Default: 1,000."""
    hard_queue: int = 100_000
    """Queued notifications at which the connection closes, if reading cannot pause. Default: 100,000."""
    requests: int = 10_000
    """Requests that are handled at once. More are rejected unless others end soon. Default: 10,000."""
    backlog: int = 1 << 25
    """Unsent bytes at which reading pauses. At eight times as many, the connection closes. Default: 32 MiB."""
    memory: int = 1 << 28
    """Estimated bytes of requests in progress, queued notifications and unsent data, without the frame that is being
    read. Default: 256 MiB.
    """

    def __post_init__(self) -> None:
        for name, value in structs.asdict(self).items():
            if type(value) is not int or value <= 0:
                raise ValueError(f"Limits: {name} is {value!r}, expected an integer from 1 on")
