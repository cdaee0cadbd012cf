"""The table of another SDK's names: a document, read into frozen rows. No name of a protocol is in the code."""

from __future__ import annotations

import tomllib
from pathlib import Path

from msgspec import Struct, convert


class Helper(Struct, frozen=True):
    """A function that makes an object of the class `make`."""

    make: str
    take: tuple[str, ...]
    """What the positional arguments are."""
    wrap: tuple[str, ...] = ()
    """Class and attribute that the first argument is put into."""
    called: dict[str, str] = {}
    """Keywords that have another name."""
    default: dict[str, str] = {}
    """Keywords that the class requires, and their values."""
    derived: dict[str, str] = {}
    """Keywords that are made of arguments, which then are none of the class: expressions with `$name` for an argument."""


class Side(Struct, frozen=True):
    """A base class: the attribute with its connection, and the class of the params of each handler."""

    connection: str
    peer: str
    """What the SDK calls the type of the connection: the base class of the other side."""
    type: str
    """The class of the connection."""
    handlers: dict[str, str]
    renamed: dict[str, str] = {}
    """Handlers that have another name."""


class Left(Struct, frozen=True):
    """The steps that remain for the author, by used name and by handler."""

    names: dict[str, str]
    handlers: dict[str, str]


class Table(Struct, frozen=True):
    """Everything that is called otherwise."""

    root: str
    modules: frozenset[str]
    """Modules inside of the root."""
    names: dict[str, str]
    helpers: dict[str, Helper]
    implied: dict[str, dict[str, tuple[str, ...]]]
    """Discriminators by attribute and value: the classes that state it for themselves."""
    members: dict[str, str]
    rest: str
    """The member of the params that has what a handler took in `**kwargs`."""
    sides: dict[str, Side]
    calls: dict[str, tuple[str, ...]]
    left: Left
    notes: dict[str, str]


def official() -> Table:
    """The table of the official Python SDK."""
    text = Path(__file__).with_name("official.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), Table)
