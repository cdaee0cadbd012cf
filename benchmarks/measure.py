"""Rows to results: every contender of a row once a round, in turn, so that whatever the machine does besides meets them all."""

from __future__ import annotations

import math
from typing import Any

from .model import SENSES, Row, Setting, Target, spread

Samples = dict[str, list[float]]
"""Contender to its costs, one a round."""


def sample(row: Row, setting: Setting, rounds: int) -> Samples:
    """Measure one row; each contender runs once before that counts, unless the row has a single round."""
    probes = {name: opener(setting) for name, opener in row.contenders.items()}
    samples: Samples = {name: [] for name in probes}
    if rounds > 1:
        for probe in probes.values():
            probe()
    for number in range(rounds):
        for name in _in_turn(list(probes), number):
            samples[name].append(probes[name]())
    return samples


def _in_turn(names: list[str], number: int) -> list[str]:
    """Another one begins each round, so that none is always the one after some other."""
    first = number % len(names)
    return names[first:] + names[:first]


def figures(target: Target, subject: list[float], peer: list[float]) -> dict[str, Any]:
    """One comparison: the figure of each round, in the middle and around it, and whether the target is reached."""
    sense = SENSES[target.sense]
    of_rounds = spread([sense.figure(*costs) for costs in zip(subject, peer, strict=True)])
    grows = {} if target.span is None else {"exponent": 1 + math.log(of_rounds.median) / math.log(target.span)}
    return {
        "peer": target.peer,
        "sense": target.sense,
        "figure": of_rounds._asdict(),
        "limit": target.limit,
        "reached": None if target.limit is None else sense.reached(of_rounds.median, float(target.limit)),
        **grows,
    }


def result(row: Row, samples: Samples) -> dict[str, Any]:
    """What results.json says about a row."""
    return {
        "id": row.id,
        "what": row.what,
        "unit": row.unit,
        "rounds": len(samples[row.subject]),
        "subject": row.subject,
        "costs": {name: spread(costs)._asdict() for name, costs in samples.items()},
        "comparisons": [figures(target, samples[row.subject], samples[target.peer]) for target in row.targets],
        "note": row.note,
    }
