"""Types for the root of a document: RFDs, requirements, lists, permissions, handles, updates.

The types of the handshake, of cancellation and the like come from the runtime, which uses them unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

Level: TypeAlias = Literal["must", "should", "may"]
"""How binding a requirement is."""

Binds: TypeAlias = Literal["agent", "client", "both"]
"""Whom a requirement binds."""


class Rfd(Struct, frozen=True, kw_only=True, rename="camel"):
    """A proposed change of the protocol and how far it has come."""

    name: str
    title: str
    stage: Literal["to-be-removed", "draft", "active", "preview", "completed"]
    motivation: str = ""
    champion: str = ""
    document: str = ""
    """Where its text is: an address or a path. No command opens it."""
    pull_request: str = ""

    @property
    def stable(self) -> bool:
        """Whether what it brought is part of the stable protocol."""
        return self.stage == "completed"


class Coverage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a requirement is tested.

    `examples`: messages, by their paths below `messages/`. `rules`: of `check` or `validate`. `tests` and `probes`: `path::name`.
    """

    examples: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is named."""
        return not (self.examples or self.rules or self.tests or self.probes)


class Requirement(Struct, frozen=True, kw_only=True):
    """A statement of an RFD, or of a vendor, that binds agents or clients.

    `source`: the name of the RFD, or the vendor's key after a `_`. `on`: methods, definitions and properties (`Name.property`);
    empty where it is about connections as a whole.
    """

    id: str
    source: str
    level: Level
    binds: Binds
    on: tuple[str, ...]
    text: str
    covered: Coverage = Coverage()
    pointer: str


class Permission(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The request that asks for a permission: which options there are, what each means, and what it is about.

    `options`: the property with the options, `id` and `kind`: what names one and what it means. `subject`: the property with what
    the permission is about, `category`: what kind of thing that is. `answer`: the property of the result with the choice.
    """

    method: str
    options: str
    id: str
    kind: str
    allow: Lasting
    reject: Lasting
    subject: str
    category: str
    answer: str


class Lasting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kinds of options that decide for this once, and for good."""

    once: str
    always: str


class Handle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that one side creates for the other: the requests that create, end, await, read and release it."""

    create: str
    release: str
    kill: str
    wait: str
    output: str


class Listing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request that answers with a page of a list: the properties of the result with the items and the next cursor, that of the params
    with the cursor.

    `equal`: by a property of the params that filters, the property of the items that then equals it. `title` and `changed`: the
    properties of the items with a title for people, and with the time of the last change.
    """

    items: str
    cursor: str
    next: str
    equal: Mapping[str, str] = {}
    title: str | None = None
    changed: str | None = None


class Updates(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The notification whose property says how the state of a session changed, and the class that keeps that state."""

    method: str
    property: str
    state: str
