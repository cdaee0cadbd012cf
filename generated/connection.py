# Generated: part of every package, the same for every schema. Do not edit.
"""The public names of `_runtime/connection.py`."""

from ._runtime.connection import (
    Connection,
    Options,
)

__all__ = [
    "Connection",
    "Options",
]
