# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Below agents and clients: frames in, frames out, and the interface to networking, which the distribution `acp-remote` provides.

A transport carries the frames of one connection and knows nothing of messages. `dial` opens one to an address; `NdjsonTransport` makes
one of two byte streams; `process_transport` starts a program and `stdio_transport` takes our own standard streams. `relay` passes frames
from one to another. `runtime(PROTOCOL)` is the first argument of everything in `acp_remote`.
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
