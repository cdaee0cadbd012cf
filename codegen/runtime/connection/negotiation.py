"""What both sides advertised, and what may be sent by that.

The law: nothing is sent that the receiver, or the side that a gate names, did not advertise: no method, and no property,
variant or value inside of its params or its result. The gate of a side that takes no part in the connection is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._base import Method, Protocol
from .capabilities import is_open, locate
from .errors import CapabilityError
from .gates import Check, Checks, Part
from .reading import read_named
from .tables import node_name, table

__all__ = ["Terms"]


class Terms:
    """The capabilities of both sides, as far as they are known. `negotiated`: whether there are any to be agreed on."""

    def __init__(self, protocol: Protocol, sides: tuple[str, str], *, negotiated: bool) -> None:
        self._protocol = protocol
        self._sides = sides
        self._negotiated = negotiated
        self._advertised: dict[str, Any] = {}
        self.on_change: Callable[[], None] = lambda: None
        """Called when other checks are needed than before."""
        self._checks: dict[str, Checks] = {}
        self._made_of_results: dict[tuple[str, str, str], Check | None] = {}

    def learn(self, side: str, capabilities: Any) -> None:
        """Take note of what a side advertises, as plain JSON."""
        self._advertised[side] = capabilities
        self._checks.clear()
        self._made_of_results.clear()
        self.on_change()

    def closed(self, gate: str | None, receiver: str) -> tuple[str, str] | None:
        """The gate, as side and path, if it is closed."""
        if gate is None or not self._negotiated:
            return None
        owner, path = locate(gate, receiver)
        if owner not in self._sides or path not in self._protocol.gates.get(owner, ()):
            return None  # the gate of a third side, or of the other direction
        return None if is_open(self._protocol, owner, path, self._advertised.get(owner)) else (owner, path)

    def wholly_closed(self, method: Method) -> tuple[str, str] | None:
        """The gate that keeps a method closed, whatever its params."""
        closed = [self.closed(gate, method.side) for gate in (method.capability, *method.variants.values())]
        return closed[0] if all(closed) else None

    def check(self, method: Method) -> Check | None:
        """The check of a method's params; None where any may be sent."""
        whole = method.capability if self.closed(method.capability, method.side) else None
        variants = {n: gate if self.closed(gate, method.side) else None for n, gate in method.variants.items()}
        parts = self._checks_of(method.side).of(node_name(method.params)) if self._negotiated else None

        def check_all(params: Any) -> Part | None:
            gate = variants.get(type(params).__name__, whole)
            if gate is not None:
                return gate, ""
            return None if parts is None else parts(params)

        return check_all if whole or any(variants.values()) else parts

    def permit_result(self, method: Method, result: Any, data: bytes) -> None:
        """CapabilityError where something in a result needs what the peer, who made the call, did not advertise."""
        # The tables take as long to import as all else that an agent does until it has answered its first request.
        if all(data.find(name.encode()) < 0 for name in method.gated):
            return
        peer = self._sides[1]
        try:
            check = self._made_of_results[method.key]
        except KeyError:
            check = self._checks_of(peer).of(node_name(method.result)) if self._negotiated else None
            self._made_of_results[method.key] = check
        if check is not None and (found := check(result)) is not None:
            owner, path = locate(found[0], peer)
            raise CapabilityError(method.method, path, owner, found[1].removeprefix("."), True)

    def objection(self, method: Method, parameters: Mapping[str, Any]) -> CapabilityError | None:
        """The refusal of a call with these parameters; True stands for any value of one."""
        if closed := self.wholly_closed(method):
            return CapabilityError(method.method, closed[1], closed[0])
        if parameters:
            known = getattr(method.params, "__struct_fields__", ())
            for name in parameters:
                if name not in known:
                    raise TypeError(f"{method.python_name}() has no parameter {name!r}")
            checks = self._checks_of(method.side).of_parameters(node_name(method.params))
            for name, value in parameters.items():
                if name in checks and (found := checks[name](value)) is not None:
                    return self.refusal(method, found[0], f".{name}{found[1]}")
        return None

    def refusal(self, method: Method, gate: str, place: str) -> CapabilityError:
        """The error for params that have a part behind a closed gate."""
        owner, path = locate(gate, method.side)
        return CapabilityError(method.method, path, owner, place.removeprefix("."))

    def _checks_of(self, receiver: str) -> Checks:
        if receiver not in self._checks:
            self._checks[receiver] = Checks(table(), lambda gate: self.closed(gate, receiver) is not None, read_named)
        return self._checks[receiver]
