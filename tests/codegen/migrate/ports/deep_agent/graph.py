"""What the adapter asks of a compiled graph of LangGraph."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Protocol

Event = tuple[tuple[str, ...], str, Any]
"""The subgraph that it comes from (empty: the graph itself), `messages` or `updates`, and the data."""
Config = dict[str, Any]


class Graph(Protocol):
    """`CompiledStateGraph`, as far as it is used here."""

    def astream(
        self, given: Any, *, config: Config, stream_mode: list[str], subgraphs: bool
    ) -> AsyncGenerator[Event, None]: ...

    async def aget_state(self, config: Config) -> Any: ...

    def aget_state_history(self, config: Config) -> AsyncIterator[Any]: ...

    async def aupdate_state(self, config: Config, values: Any, as_node: str) -> Any: ...


@dataclass(frozen=True)
class Context:
    """What a graph is built for."""

    cwd: str
    mode: str
    model: str | None = None


Factory = Callable[[Context], Graph]
Resume = Callable[[list[dict[str, Any]]], Any]
"""Decisions about interrupts, as the graph takes them: `lambda made: Command(resume={"decisions": made})`."""
