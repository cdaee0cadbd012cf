"""The outcome of replayed traffic: the number of recorded messages that the other schema would reject, by method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from ..escape import as_json, line
from .audience import Peer
from .finding import Place

HEADING = ("release", "side", "what breaks", "recorded", "first")


class Refused(Struct, kw_only=True):
    """The number of rejected messages of one method, for its params or result, with the total. `says`: the first
    error message.
    """

    carrier: str
    count: int = 0
    total: int = 0
    first: Place | None = None
    message: Any = None
    says: str = ""
    reasons: dict[str, int] = {}
    """The number of messages for each error message of the receiver."""
    accepted: bool = False
    """True if breaks of this method are accepted."""


class Sent(Struct, frozen=True, kw_only=True):
    """The messages of the peers of one kind; `refused` lists the methods with rejected messages."""

    peer: Peer
    total: int
    refused: Sequence[Refused]

    @property
    def count(self) -> int:
        """The number of messages that would be rejected."""
        return sum(each.count for each in self.refused if not each.accepted)

    def __str__(self) -> str:
        several = "" if self.total == 1 else "s"
        accepted = sum(each.count for each in self.refused if each.accepted)
        more = f", and {accepted} by accepted breaks" if accepted else ""
        return f"{self.count} of {self.total} message{several} of released {self.peer}s would be rejected{more}"


class Row(Struct, frozen=True, kw_only=True):
    """The losses of one released program. `count` of `total` recorded messages would be rejected. It has the first such
    message, or else the line of the schema. For a program that would read a changed part differently, `total` counts
    the received messages of the method.
    """

    release: str
    side: str
    breaks: str
    count: int = 0
    total: int = 0
    first: Place | None = None

    @property
    def recorded(self) -> str:
        """The number of recorded messages, in words."""
        return f"{self.count} of {self.total}" if self.count else f"{self.total} received" if self.total else "none"


class Traffic(Struct, frozen=True, kw_only=True):
    """The recorded messages. `unjudged`: the number of unchecked messages by reason. `fleet`: the losses of each
    program.
    """

    sent: Sequence[Sent]
    unjudged: Mapping[str, int]
    fleet: Sequence[Row] = ()
    unaffected: Sequence[str] = ()
    """The programs of the fleet without losses."""

    @property
    def count(self) -> int:
        """The number of messages that would be rejected."""
        return sum(each.count for each in self.sent)

    def left_out(self) -> list[str]:
        """The messages that were not checked, in words."""
        return [
            f"{count} message{'' if count == 1 else 's'} not checked: {why}" for why, count in self.unjudged.items()
        ]

    def json(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {
            **{f"{each.peer}s": _json(each) for each in self.sent},
            "notJudged": dict(self.unjudged),
            **({"fleet": [to_builtins(row) for row in self.fleet]} if self.fleet else {}),
            **({"unaffected": list(self.unaffected)} if self.unaffected else {}),
        }

    def table(self) -> list[tuple[str, ...]]:
        """The losses of each program, with a heading; empty if there are none."""
        rows = [(row.release, row.side, row.breaks, row.recorded, str(row.first or "-")) for row in self.fleet]
        return [HEADING, *rows] if rows else []


def _json(sent: Sent) -> dict[str, Any]:
    return {
        "messages": sent.total,
        "refused": sent.count,
        "methods": [
            {
                "in": each.carrier,
                "messages": each.total,
                "refused": each.count,
                "first": {
                    "file": each.first.file if each.first else None,
                    "line": each.first.line if each.first else None,
                    "message": each.message,
                    "says": each.says,
                },
            }
            for each in sent.refused
        ],
    }


def in_text(traffic: Traffic) -> str:
    """The outcome as lines of text."""
    lines: list[str] = []
    for sent in traffic.sent:
        lines.append(f"replay: {sent}")
        for each in sent.refused:
            lines.append(f"    {line(each.carrier)}: {each.count} of {each.total}")
            shown = line(as_json(each.message), 300)
            lines.append(f"        first at {each.first}: {shown}")
            lines.append(f"        response: {line(each.says, 300)}")
    lines += [f"replay: {words}" for words in traffic.left_out()]
    table = [tuple(line(cell, 160) for cell in row) for row in traffic.table()]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines += ["  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)).rstrip() for row in table]
    lines += (
        [f"fleet: nothing breaks for {', '.join(line(name) for name in traffic.unaffected)}"]
        if traffic.unaffected
        else []
    )
    return "".join(f"{each}\n" for each in lines)
