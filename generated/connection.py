# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Connections and the types of their options, for annotations."""

from ._runtime.connection.connection import Connection, Options
from ._runtime.connection.handlers import Peer
from ._runtime.connection.update_stream import Stream
from ._runtime.entrypoints.connect import ConnectOptions
from ._runtime.entrypoints.process import SpawnOptions
from ._runtime.entrypoints.serve import HostOptions, ServeOptions
from ._runtime.reconnect.connection import Reconnected
from ._runtime.transport.base import Caller
from ._runtime.transport.channel import FrameHook
from ._runtime.transport.limits import Limits

__all__ = [
    "Caller",
    "ConnectOptions",
    "Connection",
    "FrameHook",
    "HostOptions",
    "Limits",
    "Options",
    "Peer",
    "Reconnected",
    "ServeOptions",
    "SpawnOptions",
    "Stream",
]
