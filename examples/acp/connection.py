# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The public names of `_runtime/connection.py`."""

from ._runtime.connection import (
    Connection,
    Options,
)

__all__ = [
    "Connection",
    "Options",
]
