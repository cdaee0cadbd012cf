# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Encoding and decoding: JSON to typed objects and back."""

from ._runtime.codec.codec import decode, encode, from_dict, meta, to_dict
from ._runtime.codec.readers import undeclared
from ._runtime.schema.definitions import Extensible

__all__ = [
    "Extensible",
    "decode",
    "encode",
    "from_dict",
    "meta",
    "to_dict",
    "undeclared",
]
