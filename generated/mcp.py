# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Servers of the package `mcp` over the connection of an agent: sessions with them, and the handler of their notifications."""

from ._runtime.session.tunnel_sessions import connect, deliver

__all__ = [
    "connect",
    "deliver",
]
