# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Transports: they carry the frames of one connection, and do not interpret messages.

`dial` opens a transport to an address, and `NdjsonTransport` uses two byte streams. `process_transport` starts a
program, and `stdio_transport` uses the standard streams of this process. `relay` passes frames from one transport to
another. `runtime(PROTOCOL)` is the first argument of the functions of `acp_remote`, the distribution with networking.
"""

from ._runtime.entrypoints.connect import dial
from ._runtime.entrypoints.process import process_transport, stdio_transport
from ._runtime.entrypoints.remote import Application, INTERFACE_VERSION, Runtime, runtime
from ._runtime.transport.base import NdjsonTransport, Transport, relay
from ._runtime.transport.options import DialOptions

__all__ = [
    "Application",
    "DialOptions",
    "INTERFACE_VERSION",
    "NdjsonTransport",
    "Runtime",
    "Transport",
    "dial",
    "process_transport",
    "relay",
    "runtime",
    "stdio_transport",
]
