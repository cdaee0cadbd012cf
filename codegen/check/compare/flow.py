"""Flow of messages: every use of a type by a message, with its sender and receiver.

The side names the peer that implements a method. On side `agent`, params travel from client to agent, and results back.
Side `client` is the reverse; for any other side, both directions apply.

A use is one message in one direction. Uses are bits, so that following them through recursive types is cheap: the uses
of a node are those of every node that leads to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ...contracts import split
from ...findings.finding import DIRECTIONS, Direction
from ...model.nodes.capabilities import fields, resolve_gate
from ...model.nodes.types import Schema
from ..parts.pairs import Node
from ..parts.stages import is_stable

PEERS = ("agent", "client")
TO: dict[Direction, str] = {"client-to-agent": "agent", "agent-to-client": "client"}


class Use(Struct, frozen=True, kw_only=True):
    """A message in one direction. `opening`: the request that opens the connection, which cannot be gated."""

    direction: Direction
    method: str
    role: str
    opening: bool = False


def directions(side: str, role: str) -> tuple[Direction, ...]:
    """The directions in which params or a result travel."""
    to_agent, to_client = DIRECTIONS
    if side not in PEERS:
        return DIRECTIONS
    if role == "response":
        return (to_client,) if side == "agent" else (to_agent,)
    return (to_agent,) if side == "agent" else (to_client,)


class Flow:
    """The uses of all nodes of a comparison."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self.old, self.new = old, new
        self.uses: list[Use] = []
        self.roots: list[tuple[Node, int, bool]] = []
        self._bits: dict[Use, int] = {}

    def enter(self, node: Node, uses: Iterable[Use], *, stable: bool) -> None:
        """Record that messages contain a node."""
        mask = 0
        for use in uses:
            if use not in self._bits:
                self._bits[use] = 1 << len(self.uses)
                self.uses.append(use)
            mask |= self._bits[use]
        self.roots.append((node, mask, stable))

    def spread(self) -> None:
        """Compute the uses of every node."""
        waiting: list[Node] = []
        for node, mask, stable in self.roots:
            steady = mask if stable and node.stable else 0
            if _grow(node, mask, steady, mask, mask, steady, steady):
                waiting.append(node)
        while waiting:
            node = waiting.pop()
            for edge in node.edges:
                to = edge.to
                steady = edge.stable and to.stable
                grown = _grow(
                    to,
                    node.every,
                    node.steady if steady else 0,
                    0 if edge.lenient_old else node.strict_old,
                    0 if edge.lenient_new else node.strict_new,
                    node.steady_strict_old if steady and not edge.lenient_old else 0,
                    node.steady_strict_new if steady and not edge.lenient_new else 0,
                )
                if grown:
                    waiting.append(to)

    def mark_capabilities(self, starts: Iterable[Node]) -> None:
        """Mark the nodes in advertised capabilities."""
        waiting = list(starts)
        while waiting:
            node = waiting.pop()
            if not node.capability:
                node.capability = True
                waiting += [edge.to for edge in node.edges]

    def of(self, mask: int) -> Iterator[Use]:
        """The uses in a mask."""
        for index, use in enumerate(self.uses):
            if mask >> index & 1:
                yield use

    def mask(self, direction: Direction) -> int:
        """All uses in one direction."""
        return sum(bit for use, bit in self._bits.items() if use.direction == direction)

    def protects(self, gate: str, direction: Direction) -> bool:
        """Return whether no released receiver advertises a gate, so that nobody may be sent the gated part."""
        resolved = resolve_gate(self.new, TO[direction], gate)
        if resolved is None:
            return False
        side, path, _ = resolved
        if side != TO[direction] and ":" not in gate:
            return False
        before = resolve_gate(self.old, side, path)
        return before is None or not gate_is_stable(self.old, side, path)


def gate_is_stable(schema: Schema, side: str, path: str) -> bool:
    """Return whether no part of a capability path belongs to an RFD in progress."""
    from ...model.nodes.capabilities import advertised  # noqa: PLC0415

    type_ = advertised(schema, side)
    for step in split(path):
        found = next((f for f in fields(schema, type_) if f.name == step), None) if type_ is not None else None
        if found is None:
            return False
        if not is_stable(schema, found.rfd):
            return False
        type_ = found.type
    return True


def _grow(node: Node, *masks: int) -> bool:
    names = ("every", "steady", "strict_old", "strict_new", "steady_strict_old", "steady_strict_new")
    grown = False
    for name, mask in zip(names, masks, strict=True):
        before = getattr(node, name)
        if before | mask != before:
            setattr(node, name, before | mask)
            grown = True
    return grown
