"""A session on the agent's side: the base of the emitted class, which has a method for each update and call."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar, cast

Option = TypeVar("Option")


class AgentSessionBase:
    """A session on one connection, by its id. Two objects of the same session are equal."""

    def __init__(self, connection: Any, id: Any) -> None:
        self._connection = connection
        self._notify: Callable[[Any, Any], Awaitable[None]] = connection._notify
        self.id = id
        """The id of the session, which every message about it carries."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AgentSessionBase):
            return NotImplemented
        return self._connection is other._connection and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self._connection), self.id))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"


class Decision(Generic[Option]):
    """The outcome of a permission request, true if it was allowed. `option` is the chosen option, or None."""

    def __init__(self, option: Option | None, *, allowed: bool) -> None:
        self.option = option
        self.allowed = allowed

    def __bool__(self) -> bool:
        return self.allowed

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.option!r}, allowed={self.allowed})"


def as_blocks(content: Any, text: Callable[[str], Any]) -> list[Any]:
    """Convert content to blocks: a string, a block, or several of both. `text` converts a string to a block."""
    if isinstance(content, str):
        return [text(content)]
    several = cast("Sequence[Any]", content) if isinstance(content, (list, tuple)) else [content]
    return [text(each) if isinstance(each, str) else each for each in several]


def new_key() -> str:
    """A key for an entry that its creator did not name: 64 random bits."""
    return os.urandom(8).hex()
