# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Capabilities follow the code: what is advertised, derived from what is implemented, and what is open to whom.

Pure functions over the method table and JSON objects. The law:

    a gate of one method        is advertised when the method is overridden
    a gate of several methods   is advertised when all of them are; overriding only some is an error
    a gate of a variant         is advertised when the method is overridden whose params have the variant, unless
                                methods that the gate gates as a whole are missing
    any other capability        is for the implementer to state
    what the implementer states is merged over that, member by member; an explicit null or false switches a gate off

A gate is a path in the capabilities of the side that implements the method, or ``side:path`` where another side's decide: dotted (`a.b`), with quoted
steps (`a."b.c"`, `a['b.c']`), or a JSON Pointer (`/a/b.c`). It says yes with ``true`` or with an object, ``{}`` included, as the protocol's table of gates has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeGuard

if TYPE_CHECKING:  # so that judges of messages, which have no such table, can use this module by itself
    import typing

    from ._base import Method, Protocol

    class Opening(typing.Protocol):
        """Where in both halves of the handshake the negotiated things are."""

        @property
        def version(self) -> str: ...
        @property
        def version_number(self) -> int: ...
        @property
        def capabilities(self) -> Mapping[str, str]: ...


__all__ = [
    "Encoding",
    "derive",
    "gate_of",
    "is_open",
    "locate",
    "merge",
    "says_yes",
    "speaks",
    "split",
    "states",
    "version_of",
]

_STEP = r"""(?:(?<=.)\.|^)(?:"([^"]*)"|([^."'\[\]]+))|\[(?:"([^"]*)"|'([^']*)')\]"""
_QUOTED = frozenset("""."'[]:/""")

Encoding = Literal["boolean", "object"]
"""How a capability says yes: ``true``, or an object."""


def derive(protocol: Protocol, side: str, overridden: Callable[[Method], bool]) -> dict[str, Any]:
    """What a side advertises that overrides these methods; a TypeError where a shared gate is implemented by half."""
    capabilities: dict[str, Any] = {}
    for path, how in protocol.gates.get(side, {}).items():
        if _implemented(protocol, side, path, overridden):
            _put(capabilities, [*split(path)], True if how == "boolean" else {})
    return capabilities


def _implemented(protocol: Protocol, side: str, path: str, overridden: Callable[[Method], bool]) -> bool:
    rows = [row for row in protocol.methods.values() if row.side == side]
    gated = [row for row in rows if _is_gate(row.capability, side, path)]
    varied = [row for row in rows if any(_is_gate(gate, side, path) for gate in row.variants.values())]
    missing = [row for row in gated + varied if not overridden(row)]
    present = [row for row in gated if overridden(row)]
    if present and missing:
        has, lacks = (", ".join(row.python_name for row in rows) for rows in (present, missing))
        raise TypeError(f"the capability {path} promises several methods: beside {has}, implement {lacks}")
    return bool(gated or varied) and not missing


def _is_gate(gate: str | None, side: str, path: str) -> bool:
    return gate is not None and locate(gate, side) == (side, path)


def _put(capabilities: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        capabilities = capabilities.setdefault(name, {})
    # A gate inside this one may have come first and made the object.
    capabilities.setdefault(path[-1], value)


def merge(derived: Any, explicit: Any) -> Any:
    """What was stated, laid over what was derived: objects member by member, anything else as stated."""
    if not (_is_object(derived) and _is_object(explicit)):
        return explicit
    return {**derived, **{name: merge(derived.get(name), value) for name, value in explicit.items()}}


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def states(half: Any, opening: Opening, side: str) -> dict[str, Any]:
    """The capabilities that a half of the handshake, plain JSON, states for a side; none where they were left out."""
    value = half.get(opening.capabilities.get(side, "")) if _is_object(half) else None
    return value if _is_object(value) else {}


def version_of(half: Any, opening: Opening) -> Any:
    """The version that a half of the handshake, plain JSON, names; None where it names none."""
    return half.get(opening.version) if _is_object(half) else None


def speaks(version: Any, opening: Opening) -> bool:
    """Whether a version is the one that this side speaks; another one ends the connection."""
    return not isinstance(version, bool) and bool(version == opening.version_number)


def gate_of(method: Method, params: Any) -> str | None:
    """The gate that decides whether these params may be sent: their variant's, else the method's."""
    return method.variants.get(type(params).__name__, method.capability)


@lru_cache(maxsize=4096)
def locate(gate: str, side: str) -> tuple[str, str]:
    """The side whose capabilities decide, and the path in them, in the one form that each path has."""
    owner, colon, path = gate.partition(":")
    if not (colon and owner.isalnum() and owner.islower()):
        owner, path = side, gate
    shown = "".join(
        f"['{step}']" if '"' in step else f'."{step}"' if _QUOTED & set(step) else f".{step}" for step in split(path)
    )
    return owner, shown.removeprefix(".")


@lru_cache(maxsize=4096)
def split(path: str) -> tuple[str, ...]:
    """The steps of a path. What is not of the form of one is split at its dots, and leads nowhere."""
    if path.startswith("/"):
        return tuple(step.replace("~1", "/").replace("~0", "~") for step in path[1:].split("/"))
    if not any(char in path for char in "\"['"):
        return tuple(path.split("."))
    import re  # noqa: PLC0415  # few gates have such a step

    found = list(re.finditer(_STEP, path))
    if "".join(step[0] for step in found) != path:
        return tuple(path.split("."))
    return tuple(next(part for part in step.groups() if part is not None) for step in found)


def is_open(protocol: Protocol, side: str, path: str, capabilities: Any) -> bool:
    """Whether these capabilities of a side, plain JSON, open a gate."""
    return says_yes(capabilities, path, protocol.gates.get(side, {}).get(path, "object"))


def says_yes(capabilities: Any, path: str, encoding: Encoding) -> bool:
    """Whether capabilities, plain JSON, have yes at a dotted path."""
    value = capabilities
    for name in split(path):
        if not _is_object(value):
            return False
        value = value.get(name)
    return value is True if encoding == "boolean" else _is_object(value)
