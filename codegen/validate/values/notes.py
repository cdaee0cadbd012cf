"""Notes about a message or a value. The reader of the file adds the place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct

from ...document.json_parser import Path
from ...errors import quoted
from ...findings.finding import Category, Level, Place
from .errors import Fault
from .suggestions import nearest

Key = TypeVar("Key")
Value = TypeVar("Value")


class Note(Struct, frozen=True):
    """One finding about a message: the rule, the text, and the path in the message.

    `key`: the place is the key, not its value. `near`: the likely intended key. `at`: the place of an earlier
    message. `ceiling` caps the level.
    """

    rule: str
    text: str
    path: Path = ()
    expected: str = ""
    found: str = ""
    pointer: str = ""
    key: bool = False
    near: str = ""
    at: Place | None = None
    ceiling: Level = Level.error

    @property
    def family(self) -> str:
        """Empty: families are for rules about schemas."""
        return ""

    @property
    def category(self) -> Category:
        """The category of messages."""
        return Category.MESSAGE

    @property
    def worst(self) -> Level:
        """The highest possible severity."""
        return self.ceiling


def shown(path: Path) -> str:
    """A path such as `$.params.items[0]`. Keys that are not plain words are quoted."""
    steps = (
        f"[{step}]" if isinstance(step, int) else f".{step}" if step.isidentifier() else f"[{quoted(step)}]"
        for step in path
    )
    return "$" + "".join(steps)


def of_fault(rule: str, fault: Fault, path: Path) -> Note:
    """The note for an error in a value at a path of the message."""
    whole = (*path, *fault.path)
    text = f"{shown(whole)}: expected {fault.expected}, found {fault.found}"
    if fault.near:
        text += f"; did you mean {quoted(fault.near)}?" if fault.near in fault.expected else _instead(fault)
    return Note(rule, text, whole, fault.expected, fault.found, fault.pointer, near=fault.near)


def _instead(fault: Fault) -> str:
    if fault.expected.startswith("a property"):
        return f"; {quoted(fault.near)} is probably a misspelling of it"
    return f"; did you mean {quoted(fault.near)}?"


def undeclared_note(path: Path, declared: Iterable[str], free: Iterable[str], pointer: str = "") -> Note:
    """The note for an undeclared property. `free`: declared properties that the object lacks, one of which may be
    intended.
    """
    key = str(path[-1])
    near = nearest(key, free)
    hint = f"; did you mean {quoted(near)}?" if near else ""
    text = f"{shown(path[:-1])} has the undeclared property {quoted(key)}{hint}"
    expected = f"a property of {', '.join(sorted(declared))}"
    return Note("property-undeclared", text, path, expected, quoted(key), pointer, key=True)


def remember(table: dict[Key, Value], key: Key, value: Value, limit: int) -> bool:
    """Append to a bounded table. Returns whether the oldest entry was dropped."""
    table.pop(key, None)
    table[key] = value
    if len(table) <= limit:
        return False
    del table[next(iter(table))]
    return True
