"""Look up a method name in one direction: the row of the method table, and the errors in the name itself."""

from __future__ import annotations

from msgspec import Struct

from ...errors import quoted
from ...findings.finding import Level
from ...model.nodes.types import Method
from ..values.notes import Note
from ..values.schema import PEERS, Protocol
from ..values.suggestions import nearest

_MOST = 10_000
_MOST_NEAR = 1000
"""Maximum number of unknown methods for which a similar name is searched, because every line may have a new one."""
_FREE = ("_", "$/")


class Route(Struct, frozen=True):
    """The meaning of a method name in a direction: the table row, the implied direction, and the problem."""

    row: Method | None
    direction: str | None
    label: str
    notes: tuple[Note, ...] = ()


class Routes:
    """Looks up methods, with a cache. `foreign`: some messages may belong to other protocols."""

    def __init__(self, protocol: Protocol, *, foreign: bool) -> None:
        self._protocol, self._foreign = protocol, foreign
        self._routes: dict[tuple[str, bool, str | None], Route] = {}
        self._unknown_told = 0

    def route(self, method: str, request: bool, direction: str | None) -> Route:
        """The meaning of a method; `direction` is None if it is unknown."""
        return self._routes.get((method, request, direction)) or self._looked_up(method, request, direction)

    def _looked_up(self, method: str, request: bool, direction: str | None) -> Route:
        rows = self._protocol.methods.get(method)
        if rows is not None:
            route = self._known(method, rows, request, direction)
        elif method.startswith(_FREE):
            route = Route(None, direction, "(extensions)")
        else:
            route = self._unknown(method, direction)
        if len(self._routes) < _MOST:
            self._routes[method, request, direction] = route
        return route

    def _unknown(self, method: str, direction: str | None) -> Route:
        self._unknown_told += 1
        near = nearest(method, self._protocol.methods) if self._unknown_told < _MOST_NEAR else ""
        hint = f"; did you mean {quoted(near)}?" if near else ""
        text = f"$.method: the schema has no method {quoted(method)}{hint}"
        expected = quoted(near) if near else "a method of the schema"
        area = method.partition("/")[0]
        akin = near or any(known.partition("/")[0] == area for known in self._protocol.methods)
        note = Note(
            "method-unknown",
            text,
            ("method",),
            expected,
            quoted(method),
            ceiling=Level.warning if self._foreign and not akin else Level.error,
        )
        return Route(None, direction, "(unknown methods)", (note,))

    def _known(self, method: str, rows: list[Method], request: bool, direction: str | None) -> Route:
        kind = "request" if request else "notification"
        of_kind = [row for row in rows if row.kind == kind]
        receiver = direction.rpartition("-to-")[2] if direction is not None else None
        notes: list[Note] = []
        label = method if request or not any(row.kind == "request" for row in rows) else f"{method} (notification)"
        if not of_kind:
            text = f"$: {quoted(method)} is a {rows[0].kind}, but was sent as a {kind}"
            notes.append(
                Note(
                    "method-wrong-kind", text, expected=f"a {rows[0].kind}", found=f"a {kind}", pointer=rows[0].pointer
                )
            )
            of_kind, label = rows, method
        fitting = [row for row in of_kind if _implements(row, receiver)]
        if not fitting:
            text = f"$.method: {quoted(method)} is implemented by the {of_kind[0].side}, but was sent to the {receiver}"
            expected = f"a method of the {receiver}"
            notes.append(
                Note("method-wrong-direction", text, ("method",), expected, quoted(method), of_kind[0].pointer)
            )
            fitting = of_kind
        row = fitting[0]
        if direction is None and row.side in PEERS:
            direction = f"{PEERS[1 - PEERS.index(row.side)]}-to-{row.side}"
        return Route(row, direction, label, tuple(notes))


def _implements(row: Method, receiver: str | None) -> bool:
    if receiver is None or receiver not in PEERS or row.side not in (*PEERS, "both"):
        return True
    return row.side in (receiver, "both")
