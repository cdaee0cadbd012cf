"""Protocol tables for the session agent, which emitted packages fill in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..schema.definitions import Protocol


class ListPlan(Struct, frozen=True, kw_only=True):
    """The request that lists sessions, by attributes of its params, its result and its items."""

    item: type
    items: str
    cursor: str
    next: str
    place: tuple[str, str] | None
    """The parameter by which a store filters, and the attribute of items that it equals."""
    equal: tuple[tuple[str, str], ...]
    """Further filter parameters, with the attributes of items that they equal."""
    fields: tuple[str, ...]
    """Attributes of items that a client gives when it opens a session."""
    title: str | None
    changed: str | None
    """The attribute with the time of the last change."""


class PromptPlan(Struct, frozen=True, kw_only=True):
    """A request that begins a turn."""

    path: str
    content: str | None
    """The attribute of its params with the user's message, a list."""
    chunk: type | None
    """The update by which a replay shows an item of that list."""
    item: str
    """The attribute of the chunk that has the item."""
    reason: str | None
    """The attribute of its result with the stop reason."""


class SettlePlan(Struct, frozen=True, kw_only=True):
    """The updates of entries that begin and end, such as tool calls."""

    kinds: tuple[type, ...]
    """The updates that carry the key and the stage of an entry."""
    patch: type
    """The update that changes an entry."""
    key: str
    stage: str
    ended: tuple[str, ...]
    failed: str


class SessionPlan(Struct, frozen=True, kw_only=True):
    """The sessions of a protocol."""

    protocol: Protocol
    peer: str
    """The attribute of the agent with its connection, also the side at the other end."""
    session: str
    """The attribute of params that names the session."""
    notification: str
    """The method of updates."""
    update: str
    """The attribute of its params with the update."""
    union: Any
    """The type of updates."""
    prompts: Mapping[str, PromptPlan]
    """Prompt plans by handler name."""
    list: ListPlan | None
    settles: tuple[SettlePlan, ...]
    info: type | None
    """The update that carries title and time of a session."""
