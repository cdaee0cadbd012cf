# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""JSON-RPC 2.0, without I/O.

parser     bytes to messages and faults, and the limits of a frame
recovery   the readable parts of a malformed message or error
encoder    messages to bytes
"""
