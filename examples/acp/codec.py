# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The public names of `_runtime/codec.py`."""

from ._runtime.codec import (
    decode,
    encode,
    from_dict,
    to_dict,
)

__all__ = [
    "decode",
    "encode",
    "from_dict",
    "to_dict",
]
