# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""HTTP as a client sees it: a request, its answer, and an answer that goes on. Whose HTTP that is, is known below this line alone.

The law: whatever goes wrong is a TimeoutError where nobody answers in time, else an OSError whose text is one line.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from msgspec import Struct

__all__ = ["Answer", "Lines", "Reading"]


class Answer(Struct, frozen=True):
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    content: bytes

    @property
    def refusal(self) -> str:
        """What it says, for whoever sees that it was refused."""
        said = " ".join(self.content[:200].decode(errors="replace").split())
        return f"the server refused with {self.status} {said}".rstrip()


class Reading(ABC):
    """An answer whose body is still coming."""

    status: int
    headers: Mapping[str, str]

    @abstractmethod
    async def more(self) -> bytes:
        """What has come of the body since; empty at its end."""

    async def whole(self) -> Answer:
        """The answer with all of its body."""
        parts: list[bytes] = []
        while part := await self.more():
            parts.append(part)
        return Answer(self.status, self.headers, b"".join(parts))


class Lines(ABC):
    """Network connections to a server, for one thing after the other and an answer that goes on beside them."""

    @abstractmethod
    async def ask(self, method: str, headers: Mapping[str, str], content: bytes = b"") -> Answer:
        """Make a request; waits for the answer as long as that takes."""

    @abstractmethod
    def follow(self, headers: Mapping[str, str], silence: float) -> AbstractAsyncContextManager[Reading]:
        """Make a GET whose answer goes on, until the block ends; TimeoutError after so many seconds without a byte."""

    @abstractmethod
    async def close(self) -> None:
        """Close them."""
