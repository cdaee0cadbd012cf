"""What is measured, as data: a row compares the cost of one thing here with its cost elsewhere.

A cost is a number of seconds, bytes or things for one unit of work, so less is better. A ratio is taken within each round, where both
sides ran one after the other, and the middle of those ratios is what counts: a machine that is slow for a while is slow for both.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

OURS = "ours"

Probe = Callable[[], float]
"""Takes one sample: the cost of one unit of work."""


@dataclass(frozen=True)
class Setting:
    """Where things are while the rows are measured."""

    root: Path
    environments: Path
    scratch: Path
    """An empty directory of this run."""
    worker: Callable[[str, str], Callable[..., float]]
    """Orders an action of a peer's worker: (environment, program) -> function(do, **arguments)."""


Opener = Callable[[Setting], Probe]
"""Makes ready what a probe needs."""

SenseName = Literal["faster", "of", "over"]


@dataclass(frozen=True)
class Target:
    """What a row is held to, beside one peer."""

    peer: str
    sense: SenseName
    limit: float | None = None
    """None: shown, not judged."""
    span: float | None = None
    """How many times larger the work is than the peer's, where the row is about growth."""


@dataclass(frozen=True)
class Row:
    """One thing that is measured, and beside whom."""

    id: str
    """`group/name`; ROWS selects by its beginning."""
    what: str
    unit: Literal["s", "B", ""]
    """Seconds, bytes, or a number of things."""
    contenders: Mapping[str, Opener]
    targets: tuple[Target, ...]
    subject: str = OURS
    """The contender that is judged; the others are its peers."""
    rounds: int = 15
    slow: bool = False
    """Left out of a quick run."""
    note: str = ""

    @property
    def group(self) -> str:
        return self.id.split("/", maxsplit=1)[0]


class Spread(NamedTuple):
    """The middle of some samples, and the quartiles around it."""

    median: float
    low: float
    high: float


def spread(samples: list[float]) -> Spread:
    """Median and quartiles; of a single sample, that sample three times."""
    if len(samples) == 1:
        return Spread(*samples * 3)
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    return Spread(median, low, high)


@dataclass(frozen=True)
class Sense:
    """How two costs are compared, and how that is put in words."""

    figure: Callable[[float, float], float]
    """Of (subject's cost, peer's cost)."""
    reached: Callable[[float, float], bool]
    """Of (figure, limit)."""
    words: str
    """A figure; `{}` stands for the number."""
    wanted: str
    """A limit."""


SENSES: Mapping[SenseName, Sense] = {
    "faster": Sense(lambda ours, peer: peer / ours, float.__ge__, "{}× as fast", "at least {}×"),
    "of": Sense(lambda ours, peer: ours / peer, float.__le__, "{}× its cost", "at most {}×"),
    "over": Sense(lambda ours, peer: ours - peer, float.__le__, "{} s more", "at most {} s more"),
}
