"""What the readers of messages say; where it is in a file is added by whoever knows the file."""

from __future__ import annotations

from msgspec import Struct

from ..document.jsontext import Path
from ..errors import quoted
from ..findings.finding import Category, Level, Place
from .judge import Fault


class Note(Struct, frozen=True, kw_only=True):
    """One finding about a message: the rule, what is wrong, and at which path of the message.

    `key`: the place is the key of the member, not its value. `near`: the key that is likely meant, where one is missing. `at`: the place is an earlier message. `ceiling` caps the level.
    """

    rule: str
    text: str
    path: Path = ()
    key: bool = False
    pointer: str = ""
    expected: str = ""
    found: str = ""
    near: str = ""
    at: Place | None = None
    ceiling: Level = Level.error

    @property
    def family(self) -> str:
        """None: that is for rules about schemas."""
        return ""

    @property
    def category(self) -> Category:
        """A message."""
        return Category.MESSAGE

    @property
    def worst(self) -> Level:
        """How bad it can be."""
        return self.ceiling


def shown(path: Path) -> str:
    """A path as `$.params.items[0]`; keys that are not plain words are quoted."""
    steps = (
        f"[{step}]" if isinstance(step, int) else f".{step}" if step.isidentifier() else f"[{quoted(step)}]"
        for step in path
    )
    return "$" + "".join(steps)


def of_fault(rule: str, fault: Fault, path: Path) -> Note:
    """The note of a fault in a value that is at a path of the message."""
    whole = (*path, *fault.path)
    text = f"{shown(whole)}: expected {fault.expected}, found {fault.found}"
    if fault.near:
        text += f"; did you mean {quoted(fault.near)}?" if fault.near in fault.expected else _instead(fault)
    return Note(
        rule=rule,
        text=text,
        path=whole,
        pointer=fault.pointer,
        expected=fault.expected,
        found=fault.found,
        near=fault.near,
    )


def _instead(fault: Fault) -> str:
    if fault.expected.startswith("a property"):
        return f"; {quoted(fault.near)} is likely meant to be it"
    return f"; did you mean {quoted(fault.near)}?"
