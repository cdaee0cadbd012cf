# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The request that opens a connection, and the capabilities that both sides negotiate in it.

Pure functions with the names of the method table, and ``NegotiatedTerms``. Explicit values of the implementer take
precedence over derived ones, property by property for capabilities. The response names a version that this package
supports, whichever version was requested.

A message is sent only if its receiver, or the side that a gate names, advertised every capability that it requires.
This includes the method and all properties, variants and values of params and result. The gate of a side that takes
no part in the connection counts as open.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ..codec.codec import decode, encode
from ..codec.readers import readers_of
from ..errors import CapabilityError
from ..jsonrpc.parser import limit_in
from ..schema.capabilities import Check, Checks, Part, is_open, locate, merge, says_yes
from ..schema.definitions import Handshake, Method, Protocol
from ..schema.registry import tables_of
from .idempotency import META, meta_field


def plain(value: Any) -> Any:
    """Convert a model to plain JSON."""
    return msgspec.json.decode(encode(value))


def wire_names(record: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Convert keyword arguments to plain JSON with wire names. Omitted arguments stay out."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(record)}
    return {names[name]: plain(value) for name, value in given.items() if value is not UNSET}


def fill(
    stated: Mapping[str, Any], handshake: Handshake, side: str, derived: Mapping[str, Any], program: Mapping[str, Any]
) -> dict[str, Any]:
    """Complete a side's half of the handshake: version, capabilities and program."""
    filled = {handshake.version: handshake.version_number, **stated}
    capabilities, info = handshake.capabilities.get(side), handshake.info.get(side)
    if capabilities is not None:
        filled[capabilities] = merge(derived, stated[capabilities]) if capabilities in stated else derived
    if info is not None:
        filled.setdefault(info, program)
    return filled


def announce(half: dict[str, Any], record: Any, members: Mapping[str, int | None]) -> None:
    """Add fields to the `_meta` of a half of the handshake, such as the frame limit."""
    told = {name: value for name, value in members.items() if value is not None}
    if told and meta_field(record) is not None:
        half[META] = {**(half.get(META) or {}), **told}


def announced(half: Any) -> int | None:
    """The peer's frame limit from its half of the handshake; None if it states none."""
    meta = meta_field(type(half))
    return None if meta is None else limit_in(getattr(half, meta))


def version_in(record: Any, handshake: Handshake) -> Any:
    """The version in a half of the handshake."""
    return _value(record, handshake.version)


def capabilities_in(record: Any, handshake: Handshake, side: str) -> Any:
    """The capabilities in a half of the handshake, typed. Absent capabilities are an empty object."""
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


class NegotiatedTerms:
    """The capabilities of both sides, as far as they are known. `negotiated`: the protocol has capabilities."""

    def __init__(self, protocol: Protocol, sides: tuple[str, str], *, negotiated: bool) -> None:
        self._protocol = protocol
        self._sides = sides
        self._negotiated = negotiated
        self._advertised: dict[str, Any] = {}
        self.on_change: Callable[[], None] = lambda: None
        """Called when the required checks change."""
        self._checks: dict[str, Checks] = {}
        self._made_of_results: dict[tuple[str, str, str], Check | None] = {}
        self.former: dict[tuple[str, str], str] = {}
        """The former names of methods that the peer knows only by that name, by kind and path."""

    def learn(self, side: str, capabilities: Any) -> None:
        """Record the capabilities that a side advertises, as plain JSON."""
        self._advertised[side] = capabilities
        self._checks.clear()
        self._made_of_results.clear()
        self.former.clear()
        for row in self._protocol.methods.values():
            if row.former is not None and row.side == self._sides[1] and self._knows_former(row):
                self.former[row.kind, row.method] = row.former
        self.on_change()

    def _knows_former(self, method: Method) -> bool:
        """True if the receiver of a method advertises only its former name."""
        if method.former_capability is None or not self._negotiated:
            return False
        gate_open = method.capability is not None and self.closed(method.capability, method.side) is None
        owner, path = locate(method.former_capability, method.side)
        stated = self._advertised.get(owner)
        # A vendor may have advertised it either way.
        return not gate_open and (says_yes(stated, path, "object") or says_yes(stated, path, "boolean"))

    def closed_for(self, method: Method, gate: str | None) -> tuple[str, str] | None:
        """The closed gate of a method or its params, as side and path; None if all are open, or a former name is
        advertised.
        """
        closed = self.closed(gate, method.side)
        return None if closed and gate == method.capability and self._knows_former(method) else closed

    def closed(self, gate: str | None, receiver: str) -> tuple[str, str] | None:
        """The gate, as side and path, if it is closed; otherwise None."""
        if gate is None or not self._negotiated:
            return None
        owner, path = locate(gate, receiver)
        if owner not in self._sides or path not in self._protocol.gates.get(owner, ()):
            return None  # the gate of a third side, or of the other direction
        return None if is_open(self._protocol, owner, path, self._advertised.get(owner)) else (owner, path)

    def wholly_closed(self, method: Method) -> tuple[str, str] | None:
        """The closed gate of a method, whatever its params; None if there is none."""
        closed = [self.closed_for(method, gate) for gate in (method.capability, *method.variants.values())]
        return closed[0] if all(closed) else None

    def check(self, method: Method) -> Check | None:
        """The check of a method's params; None if all params may be sent."""
        whole = method.capability if self.closed_for(method, method.capability) else None
        variants = {n: gate if self.closed(gate, method.side) else None for n, gate in method.variants.items()}
        parts = self._check_of(method.side, method.params)

        def check_all(params: Any) -> Part | None:
            gate = variants.get(type(params).__name__, whole)
            if gate is not None:
                return gate, ""
            return None if parts is None else parts(params)

        return check_all if whole or any(variants.values()) else parts

    def permit_result(self, method: Method, result: Any) -> None:
        """Raise CapabilityError if a part of a result requires a capability that the peer, the caller, did not
        advertise.
        """
        peer = self._sides[1]
        try:
            check = self._made_of_results[method.key]
        except KeyError:
            check = self._check_of(peer, method.result)
            self._made_of_results[method.key] = check
        if check is not None and (found := check(result)) is not None:
            owner, path = locate(found[0], peer)
            raise CapabilityError(method.method, path, owner, found[1].removeprefix("."), True)

    def objection(self, method: Method, parameters: Mapping[str, Any]) -> CapabilityError | None:
        """The error for a call with these parameters; None if it may be sent. True means any value of a
        parameter.
        """
        if closed := self.wholly_closed(method):
            return CapabilityError(method.method, closed[1], closed[0])
        if parameters:
            known = getattr(method.params, "__struct_fields__", ())
            for name in parameters:
                if name not in known:
                    raise TypeError(f"{method.python_name}() has no parameter {name!r}")
            checks = self._checks_of(method.side, method.params).of_parameters(
                tables_of(method.params).names[method.params]
            )
            for name, value in parameters.items():
                if name in checks and (found := checks[name](value)) is not None:
                    return self.refusal(method, found[0], f".{name}{found[1]}")
        return None

    def refusal(self, method: Method, gate: str, place: str) -> CapabilityError:
        """The error for params with a part whose gate is closed."""
        owner, path = locate(gate, method.side)
        return CapabilityError(method.method, path, owner, place.removeprefix("."))

    def _check_of(self, receiver: str, type: Any) -> Check | None:
        return self._checks_of(receiver, type).of(tables_of(type).names[type]) if self._negotiated else None

    def _checks_of(self, receiver: str, type: Any) -> Checks:
        """The checks of all types in the package that contains this type."""
        if receiver not in self._checks:
            tables = tables_of(type)
            self._checks[receiver] = Checks(
                tables.nodes, lambda gate: self.closed(gate, receiver) is not None, readers_of(tables).read
            )
        return self._checks[receiver]
