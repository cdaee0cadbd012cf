# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""What a message costs while it is held: an estimate, in bytes of memory, from its JSON.

The law: a peer chooses what it sends, so an estimate must not be far below what the worst JSON of that size costs. A text with
one character beyond ASCII takes up to four bytes for each, an empty array sixty for two characters.
"""

from __future__ import annotations

from msgspec import UNSET, Raw, UnsetType

__all__ = ["FLAT", "REQUEST", "SMALL", "weight"]

REQUEST = 4096
"""What a request costs besides its params: its handler, and the task that this runs in."""

SMALL = 256
FLAT = 2048
"""What params of no more than so many bytes are taken to cost."""
_BASE = 1024
_CONTAINER = 64
_ITEM = 48


def weight(params: Raw | UnsetType) -> int:
    """What the params of a message cost, decoded."""
    if params is UNSET or len(params) <= SMALL:
        return FLAT
    text = bytes(params)
    containers = text.count(b"{") + text.count(b"[")
    return _BASE + len(text) * (1 if text.isascii() else 4) + _CONTAINER * containers + _ITEM * text.count(b",")
