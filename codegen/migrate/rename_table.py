"""The table of another SDK's names, read from a document. The code contains no protocol names."""

from __future__ import annotations

import tomllib
from pathlib import Path

from msgspec import Struct, convert


class Helper(Struct, frozen=True):
    """A helper function of the SDK that creates an object of the class `make`."""

    make: str
    take: tuple[str, ...]
    """The names of the positional arguments."""
    wrap: tuple[str, ...] = ()
    """The class and attribute that wrap the first argument."""
    called: dict[str, str] = {}
    """Renamed keywords."""
    default: dict[str, str] = {}
    """Default values for keywords that the class requires."""
    derived: dict[str, str] = {}
    """Keywords derived from other arguments, which are then dropped: expressions with `$name` for an argument."""


class Side(Struct, frozen=True):
    """A base class: the attribute with its connection, and the class of the params of each handler."""

    connection: str
    peer: str
    """The SDK's name for the type of the connection: the base class of the other side."""
    type: str
    """The class of the connection."""
    handlers: dict[str, str]
    renamed: dict[str, str] = {}
    """Renamed handlers."""


class Left(Struct, frozen=True):
    """Steps that remain for the author: by used name, called name, attribute of an object, error of
    the type checker, and handler.
    """

    names: dict[str, str]
    calls: dict[str, str]
    members: dict[str, str]
    types: dict[str, str]
    handlers: dict[str, str]


class Table(Struct, frozen=True):
    """All renamings."""

    root: str
    modules: frozenset[str]
    """Modules below the root."""
    names: dict[str, str]
    helpers: dict[str, Helper]
    implied: dict[str, dict[str, tuple[str, ...]]]
    """Discriminators by attribute and value, with the classes that set them."""
    members: dict[str, str]
    rest: str
    """The field of the params that contains a handler's former `**kwargs`."""
    sides: dict[str, Side]
    received: dict[str, str]
    """Functions and classes that connect an object: its side. It is the first argument, or a factory of it."""
    calls: dict[str, tuple[str, ...]]
    sent: dict[str, str]
    """Renamed calls."""
    dropped: dict[str, tuple[str, ...]]
    """Keywords without effect, by function."""
    left: Left
    notes: dict[str, str]


def official() -> Table:
    """The table of the official Python SDK."""
    text = Path(__file__).with_name("official.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), Table)
