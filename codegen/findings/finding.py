"""A finding: the rule, the level, the message, the place, and the affected peers."""

from __future__ import annotations

import hashlib
from enum import Enum, IntEnum
from typing import Any, Literal

from msgspec import Struct

from ..escape import line

Direction = Literal["client-to-agent", "agent-to-client"]
Sender = Literal["old", "new"]
DIRECTIONS: tuple[Direction, Direction] = ("client-to-agent", "agent-to-client")


class Level(IntEnum):
    """The severity of a finding. Larger values are more severe."""

    info = 0
    warning = 1
    error = 2


class Category(Enum):
    """The kind of subject of a finding."""

    WIRE = "wire"
    SOURCE = "source"
    LINT = "lint"
    MESSAGE = "message"


class Place(Struct, frozen=True):
    """A place in a file, counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{line(self.file)}:{self.line}:{self.column}"


Outcome = Literal["refuses", "tolerates", "ignores", "misreads"]
"""The outcome of a message: a rejected call fails; a lenient receiver tolerates values that its schema rejects; a
receiver with another default misreads a message without the property.
"""


class Example(Struct, frozen=True, kw_only=True):
    """A message that the `old` or the `new` side sends and the other rejects. `carrier`: its method, and params or
    result.

    `says`: the receiver's error message.
    """

    message: Any
    carrier: str
    sender: Sender
    outcome: Outcome = "refuses"
    says: str = ""

    def told(self, what: str = "it") -> str:
        """Name the sender of the message, and the receiver's reaction."""
        who, other = ("a released peer", "a new one") if self.sender == "old" else ("a new peer", "a released one")
        only = " only if it decodes leniently" if self.outcome == "tolerates" else ""
        return f"{who} sends {what}, {other} {self.outcome} it{only}"

    @property
    def saying(self) -> str:
        """The introduction to the receiver's error message."""
        return "strictly read" if self.outcome == "tolerates" else "which says"


class Wire(Struct, frozen=True):
    """The smallest message with the changed part, before and after; None if there is no such message.

    `carrier`: its method, with params or result.
    """

    carrier: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Loss(IntEnum):
    """The kind of loss. Larger values are more severe."""

    NOTHING = 0
    FIELD = 1
    MESSAGE = 2
    TURN = 3
    SESSION = 4


class Cost(Struct, frozen=True, kw_only=True, order=True):
    """The loss, and whether it goes unnoticed."""

    loss: Loss = Loss.MESSAGE
    silent: bool = False

    def __str__(self) -> str:
        if self.loss is Loss.NOTHING:
            return ""
        what = "call" if self.loss is Loss.MESSAGE and not self.silent else self.loss.name.lower()
        return f"the {what}; {'nobody notices' if self.silent else 'the caller gets an error'}"


class Finding(Struct, frozen=True, kw_only=True):
    """One finding, with everything a report shows."""

    id: str
    level: Level
    category: Category
    family: str = ""
    found_by: str = ""
    """The rule that found it, if it is reported under the `id` of another."""
    pointer: str
    place: Place
    base: Place | None = None
    base_pointer: str | None = None
    directions: tuple[Direction, ...] = ()
    breaks: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    """The live releases whose peers break, the oldest first."""
    lost: str = ""
    """The highest cost of a change of the wire format, and who notices it."""
    costs: tuple[tuple[str, Cost | None], ...] = ()
    """The current cost for each group of affected peers, with the texts of `breaks`. None: no message is lost, but both
    sides understand it differently.
    """
    message: str
    instead: str
    via: tuple[str, ...] = ()
    example: Example | None = None
    also: tuple[str, ...] = ()
    """Further places of the same edit, as pointers."""
    subject: str = ""
    completed: Level | None = None
    """The severity once its RFD is completed, if that differs."""
    accepted: str = ""
    """For an accepted break: the reason and the window; empty otherwise."""
    rfd: str = ""
    """The RFD that the changed part belongs to."""
    wire: Wire | None = None
    stood: Place | None = None
    """The place in the new file where the removed part was."""
    alike: str = ""
    """A further key that must be equal for findings to be grouped."""
    path: str = ""
    """The place in a message, as `$.path`. `expected` and `found` describe the error there."""
    expected: str = ""
    found: str = ""

    @property
    def at_completion(self) -> Level:
        """The severity once the RFD is completed."""
        return self.level if self.completed is None else self.completed

    @property
    def worst(self) -> Level:
        """The severity, now or at completion."""
        return max(self.level, self.at_completion)

    @property
    def rule(self) -> str:
        """The rule that found it, even if it is reported under another."""
        return self.found_by or self.id

    @property
    def fingerprint(self) -> str:
        """The identity of the finding when lines move: the rule, the elements and the text."""
        parts = (self.id, self.pointer, self.base_pointer or "", self.message)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def order(self) -> tuple[Any, ...]:
        """The sort key: the order of the file, the most severe first at one place."""
        return (self.place.file, self.place.line, self.place.column, -self.level, self.id, self.message)
