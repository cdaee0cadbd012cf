"""Bases of agents and clients. A method that a class does not override returns None, as in the SDK."""

from __future__ import annotations

from typing import Any, Protocol

from .tables import ROWS

__all__ = ["Agent", "Client"]


class Agent(Protocol):
    """The SDK's agent."""

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]: ...
    async def ext_notification(self, method: str, params: dict[str, Any]) -> None: ...
    def on_connect(self, conn: Client) -> None: ...


class Client(Protocol):
    """The SDK's client."""

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]: ...
    async def ext_notification(self, method: str, params: dict[str, Any]) -> None: ...
    def on_connect(self, conn: Agent) -> None: ...


async def _nothing(self: Any, *_: Any, **__: Any) -> None:
    """Return None."""


for _base in (Agent, Client):
    for _name in ROWS[_base.__name__]:
        setattr(_base, _name, _nothing)
