"""Commands of other packages: entry points of one group, each a function that adds a command to the command line.

Looking for them takes milliseconds and loading them more, so it happens only in runs that may need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .console import note

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "acp_codegen.commands"


def add_tools(commands: Any, arguments: Sequence[str]) -> None:
    """Add what the arguments may be about: the command they name, or all for a list of commands."""
    wanted = arguments[0] if arguments else "--help"
    if wanted in commands.choices or wanted == "--version":
        return
    from importlib.metadata import entry_points  # noqa: PLC0415

    found = entry_points(group=GROUP)
    names = found.names - set(commands.choices)
    for name in sorted(names & {wanted} or names):
        try:
            add = next(iter(found.select(name=name))).load()
        except ModuleNotFoundError as error:
            if wanted == name:
                lacking = f'the command "{name}" needs the module "{error.name}", which this Python does not have'
                note(f"error: {lacking}{_remedy(next(iter(found.select(name=name))))}")
                raise SystemExit(2) from None
            continue
        add(commands)


def _remedy(point: EntryPoint) -> str:
    """How to get what a command needs, where its package has an extra of the same name."""
    package = point.dist
    extras = [] if package is None else package.metadata.get_all("Provides-Extra") or []
    return f": pip install '{package.name}[{point.name}]'" if package is not None and point.name in extras else ""
