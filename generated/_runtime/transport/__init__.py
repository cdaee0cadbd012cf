# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Transports: one message in, one message out.

base     the interface `Transport`, its implementation on two byte streams, the class of callers
stdio    the standard streams as a transport: redirection of file descriptors 0 and 1
child    child processes: start, streams that the program closes early, and the steps of their end (stdin closed,
         terminated, killed)
options  names, types and documentation of options over HTTP and WebSocket; their defaults are applied where
         `acp_remote/` reads them
limits   `Limits`: limits of frames, queues, requests and memory, with defaults. Enforced in `jsonrpc/parser`,
         `channel`, `connection/inbound` and `connection/dispatcher`
channel  batches, buffer sizes at which senders wait, the limit on sent frames, the frame hook
"""
