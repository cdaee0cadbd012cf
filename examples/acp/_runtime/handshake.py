# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The opening request: what it must say, what was agreed, and where that stands. Pure functions, names by the table.

The law: what the implementer states wins over what is filled in, member by member in the capabilities. A version is
never echoed: an answer names a version that these stubs speak, whatever was asked for.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ._base import Handshake
from .capabilities import merge
from .codec import decode, encode
from .limits import LIMIT, limit_in

__all__ = ["announce", "announced", "capabilities_in", "fill", "plain", "version_in", "wire_names"]

_META = "_meta"
"""Where a record has room for what no schema declares."""


def plain(value: Any) -> Any:
    """A model as plain JSON."""
    return msgspec.json.decode(encode(value))


def wire_names(record: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments as plain JSON under their names on the wire; what was left out stays out."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(record)}
    return {names[name]: plain(value) for name, value in given.items() if value is not UNSET}


def fill(
    stated: Mapping[str, Any], handshake: Handshake, side: str, derived: Mapping[str, Any], program: Mapping[str, Any]
) -> dict[str, Any]:
    """The members of a side's half of the handshake, with what it left out: version, capabilities, program."""
    filled = {handshake.version: handshake.version_number, **stated}
    capabilities, info = handshake.capabilities.get(side), handshake.info.get(side)
    if capabilities is not None:
        filled[capabilities] = merge(derived, stated[capabilities]) if capabilities in stated else derived
    if info is not None:
        filled.setdefault(info, program)
    return filled


def announce(half: dict[str, Any], record: Any, frame_limit: int | None) -> None:
    """Add to a half of the handshake how long the frames may be that are read here, where that is not what is usual."""
    if frame_limit is not None and any(field.encode_name == _META for field in msgspec.structs.fields(record)):
        half[_META] = {**(half.get(_META) or {}), LIMIT: frame_limit}


def announced(half: Any) -> int | None:
    """How long the frames may be that the peer reads, where its half of the handshake says so."""
    meta = next((field.name for field in msgspec.structs.fields(half) if field.encode_name == _META), None)
    return None if meta is None else limit_in(getattr(half, meta))


def version_in(record: Any, handshake: Handshake) -> Any:
    """The version that a half of the handshake names."""
    return _value(record, handshake.version)


def capabilities_in(record: Any, handshake: Handshake, side: str) -> Any:
    """The capabilities that a half of the handshake states: of their type, an empty one where they were left out."""
    name = handshake.capabilities.get(side)
    if name is None:
        return None
    value = _value(record, name)
    return value if value is not UNSET and value is not None else _empty(record, name)


def _value(record: Any, wire_name: str) -> Any:
    return getattr(record, _field(record, wire_name).name)


def _empty(record: Any, wire_name: str) -> Any:
    declared = _field(record, wire_name).type
    types = [kind for kind in typing.get_args(declared) or (declared,) if kind not in (UnsetType, type(None))]
    return decode(types[0], b"{}")


def _field(record: Any, wire_name: str) -> msgspec.structs.FieldInfo:
    return next(field for field in msgspec.structs.fields(record) if field.encode_name == wire_name)
