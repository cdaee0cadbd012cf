# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""How long a frame may be, and how peers tell each other: in the error for one that is too long, and in the handshake."""

from __future__ import annotations

from typing import Any

__all__ = ["FRAME_LIMIT", "LIMIT", "limit_in"]

FRAME_LIMIT = 32 * 1024 * 1024
"""Bytes a frame may have, its line end aside."""

LIMIT = "frameLimit"
"""The member that tells it."""

_OBJECT: type[Any] = dict  # typed as loosely, so that what it holds stays Any for type checkers


def limit_in(told: Any) -> int | None:
    """The limit that an object of a peer tells, if it tells one that makes sense."""
    value = told.get(LIMIT) if isinstance(told, _OBJECT) else None
    return value if type(value) is int and value > 0 else None
