"""The table of everything that is measured. A module that contributes rows has a tuple `ROWS`, and its name is here.

codec       rows of reading and writing one message
start       rows of starting a program
sizes       rows of a package's size
memory      rows of memory
state       rows of a session's state and updates
pipe        rows of an agent and a client on pipes
remote      rows over the network
generation  rows of the generator as a command
growth      rows of cost in proportion to size
judging     rows of `check`, `validate` and `generate` on files that others wrote
editor      rows of a keystroke in an editor
between     rows of `trace` between two programs
opening     openers that the rows are made of
"""

from __future__ import annotations

from importlib import import_module

from ..model import Row

__all__ = ["MODULES", "rows"]

MODULES = (
    "codec",
    "start",
    "sizes",
    "memory",
    "state",
    "pipe",
    "remote",
    "generation",
    "growth",
    "judging",
    "editor",
    "between",
    "benchmarks.validate",
    "benchmarks.flood",
    "benchmarks.ending",
    "benchmarks.sessions",
)
"""In the order of the report. A name with a dot is a module elsewhere."""


def rows(selection: tuple[str, ...] = ("",)) -> list[Row]:
    """The rows whose ids begin with one of the given words."""
    found: list[Row] = []
    for name in MODULES:
        module = import_module(name if "." in name else f"{__name__}.{name}")
        found += [row for row in module.ROWS if row.id.startswith(selection)]
    return found
