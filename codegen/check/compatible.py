"""The command `compatible`: the losses between clients of one version and agents of another, for each pair of
versions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct

from ..errors import SchemaError
from ..escape import as_json, line
from ..findings.audience import PEERS, RELEASED, Peer
from ..findings.cascades import explained
from ..findings.finding import Cost, Finding, Loss
from ..findings.verdict import Gap, Outcome
from .baseline import unread
from .changelog import Point, read_point
from .inputs import compared, tolerated
from .parts.side import Side

LOSSES = ("session", "turn", "call", "message", "field", "meaning")
"""The kinds of losses, the worst first. `call`: the sender gets an error. `meaning`: both sides understand the
message differently.
"""


class Row(Struct, frozen=True, kw_only=True):
    """The losses between clients of one version and agents of another: findings with their kind."""

    client: str
    agent: str
    found: Sequence[tuple[str, Finding]]
    gaps: Sequence[Gap]

    @property
    def outcome(self) -> Outcome:
        """The outcome of the comparison."""
        return Outcome(findings=[finding for _, finding in self.found], gaps=self.gaps)

    @property
    def worst(self) -> str:
        """The worst loss; empty if nothing is lost."""
        return min((loss for loss, _ in self.found), key=LOSSES.index, default="")


def compatible(points: Sequence[Point], *, unstable: bool = False) -> list[Row]:
    """Two rows for each pair of versions. The older version comes first in `points`."""
    read = [(point.name, _side(point)) for point in points]
    return [row for one, other in combinations(read, 2) for row in _rows(*one, *other, unstable=unstable)]


def _side(point: Point) -> Side | Gap:
    try:
        document, lock = read_point(point)
        return tolerated(document, lock)
    except SchemaError as error:
        return unread(error)


def _rows(old: str, before: Side | Gap, new: str, after: Side | Gap, *, unstable: bool) -> list[Row]:
    gaps = [side for side in (before, after) if isinstance(side, Gap)]
    found: list[Finding] = []
    if isinstance(before, Side) and isinstance(after, Side):
        found, gaps = compared(before, after, unstable=unstable, brief=True)
    return [
        Row(
            client=old if peer == "client" else new,
            agent=new if peer == "client" else old,
            found=sorted(_lost(explained(found), peer), key=lambda each: LOSSES.index(each[0])),
            gaps=gaps,
        )
        for peer in PEERS
    ]


def _lost(found: Sequence[Finding], released: Peer) -> list[tuple[str, Finding]]:
    """The losses between released peers of one kind and new peers of the other."""
    losses: list[tuple[str, Finding]] = []
    for finding in found:
        costs = [_loss(cost) for who, cost in finding.costs if RELEASED[who] == released]
        if costs:
            losses.append((min(costs, key=LOSSES.index), finding))
    return losses


def _loss(cost: Cost | None) -> str:
    if cost is None:
        return "meaning"
    return "call" if cost.loss is Loss.MESSAGE and not cost.silent else cost.loss.name.lower()


# --- reports ----------------------------------------------------------------------------------------------------------------


def in_text(rows: Sequence[Row]) -> str:
    """A table followed by the losses of each row, the worst first."""
    table: list[tuple[str, ...]] = [("clients", "agents", *LOSSES, "worst")]
    for row in rows:
        count = Counter(loss for loss, _ in row.found)
        worst = "not compared" if row.gaps and not row.found else row.worst or "nothing"
        table.append((line(row.client), line(row.agent), *(str(count[loss] or "-") for loss in LOSSES), worst))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in table
    ]
    for row in rows:
        lines += _details(row)
    return "".join(f"{each}\n" for each in lines)


def _details(row: Row) -> list[str]:
    lines = [f"    {line(str(gap), 400)}" for gap in row.gaps]
    for loss, finding in row.found:
        lines.append(f"    {loss}: {line(finding.message, 400)}")
        lines += [f"        carried by: {', '.join(map(line, finding.via))}"] * bool(finding.via)
    return ["", f"clients of {line(row.client)} with agents of {line(row.agent)}", *lines] if lines else []


def in_json(rows: Sequence[Row]) -> str:
    """One JSON line per row."""
    return "".join(as_json(_json(row)) + "\n" for row in rows)


def _json(row: Row) -> dict[str, Any]:
    count = Counter(loss for loss, _ in row.found)
    return {
        "client": row.client,
        "agent": row.agent,
        "worst": row.worst or None,
        "lost": {loss: count[loss] for loss in LOSSES},
        "notCompared": [str(gap) for gap in row.gaps],
        "findings": [
            {
                "lost": loss,
                "id": each.id,
                "level": each.level.name,
                "pointer": each.pointer,
                "message": each.message,
                "carriers": list(each.via),
            }
            for loss, each in row.found
        ],
    }
