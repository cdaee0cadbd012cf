# Generated: part of every package, the same for every schema. Do not edit.
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
