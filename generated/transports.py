# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Below agents and clients: frames in, frames out, and the interface to networking, which the distribution `acp-remote` provides.

A transport carries the frames of one connection and knows nothing of messages. `dial` opens one to an address; `NdjsonTransport` makes
one of two byte streams; `process_transport` starts a program and `stdio_transport` takes our own standard streams. `relay` passes frames
from one to another. `runtime(PROTOCOL)` is the first argument of everything in `acp_remote`.
"""

from __future__ import annotations

from ._runtime.entrypoints.connect import dial
from ._runtime.entrypoints.process import process_transport, stdio_transport
from ._runtime.entrypoints.remote import INTERFACE_VERSION, Application, Runtime, runtime
from ._runtime.transport.base import NdjsonTransport, Transport, relay
from ._runtime.transport.options import DialOptions

__all__ = [
    "INTERFACE_VERSION",
    "Application",
    "DialOptions",
    "NdjsonTransport",
    "Runtime",
    "Transport",
    "dial",
    "process_transport",
    "relay",
    "runtime",
    "stdio_transport",
]
