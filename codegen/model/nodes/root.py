"""Types for the root of a document: RFDs, requirements, lists, permissions, handles, updates.

The types of the handshake, of cancellation and the like come from the runtime, which uses them unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

Level: TypeAlias = Literal["must", "should", "may"]
"""The level of a requirement."""

Binds: TypeAlias = Literal["agent", "client", "both"]
"""The peers that a requirement binds."""


class Rfd(Struct, frozen=True, kw_only=True, rename="camel"):
    """A proposed change of the protocol with its stage."""

    name: str
    title: str
    stage: Literal["to-be-removed", "draft", "active", "preview", "completed"]
    motivation: str = ""
    champion: str = ""
    document: str = ""
    """The address or path of its text. No command opens it."""
    pull_request: str = ""

    @property
    def stable(self) -> bool:
        """Return whether its parts belong to the stable protocol."""
        return self.stage == "completed"


class Coverage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tests of a requirement.

    `examples`: messages, by their paths below `messages/`. `rules`: of `check` or `validate`. `tests` and `probes`:
    `path::name`.
    """

    examples: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether no test is named."""
        return not (self.examples or self.rules or self.tests or self.probes)


class Requirement(Struct, frozen=True, kw_only=True):
    """A statement of an RFD or a vendor that binds agents or clients.

    `source`: the name of the RFD, or the vendor's key after a `_`. `on`: methods, definitions and properties
    (`Name.property`); empty for statements about whole connections.
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
    """The request for a permission: its options, their meanings, and its subject.

    `options`: the property with the options; `id` and `kind`: the properties of an option with its name and meaning.
    `subject`: the property with the subject; `category`: its kind. `answer`: the property of the result with the
    choice.
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
    """The kinds of options that decide once and permanently."""

    once: str
    always: str


class Handle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A resource that one side creates for the other: the requests that create, end, await, read and release it."""

    create: str
    release: str
    kill: str
    wait: str
    output: str


class Listing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A paginated request: the properties of its result with the items and the next cursor, and of its params with a
    cursor.

    `equal`: filter properties of the params, with the equal properties of the items. `title` and `changed`: the item
    properties with a title and the time of the last change.
    """

    items: str
    cursor: str
    next: str
    equal: Mapping[str, str] = {}
    title: str | None = None
    changed: str | None = None


class Updates(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The notification with a session's updates, and the class that tracks the state."""

    method: str
    property: str
    state: str
