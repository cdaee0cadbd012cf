"""The node tables of the package, the packages that add to them, and the protocol's requirements as data.

The tables are imported on first need. A small package that adds types to this one announces itself with ``add``, and its
tables are then joined to these. The requirements are read from `requirements.json` of the package when they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from msgspec import Struct, convert

from .definitions import Node

_waiting: list[str] = []
_announced: list[str] = []
_added: dict[str, Any] = {}
"""The types of packages that add to this one, by name."""
FILE = "requirements.json"


def add(package: str) -> None:
    """Announce a package, by its name, whose `_nodes` and `models` belong to this one's tables."""
    _waiting.append(package)
    _announced.append(package)


def announced() -> tuple[str, ...]:
    """All packages that were announced."""
    return tuple(_announced)


def take(tables: Any, models: dict[str, Any]) -> bool:
    """Merge what was announced into the tables of this package, a module, and into its types by name; whether there was any.

    Raises ImportError where two packages mean different things by one name.
    """
    news = bool(_waiting)
    while _waiting:
        package = _waiting.pop()
        theirs, types = import_module(f"{package}._nodes"), import_module(f"{package}.models")
        for ours, others in ((tables.NODES, theirs.NODES), (tables.META, theirs.META)):
            _merge(ours, others, package)
        models.update({name: getattr(types, name) for name in theirs.NODES})
    return news


def _merge(ours: dict[str, Any], others: Mapping[str, Any], package: str) -> None:
    for name, meaning in others.items():
        if ours.setdefault(name, meaning) != meaning:
            raise ImportError(f"{package} has a type {name}, and another package has a different one of that name")


def table() -> Mapping[str, Node]:
    """Types to their nodes, by name."""
    tables = import_module("..._nodes", __package__)
    if take(tables, _added):
        names.cache_clear()
    found: Mapping[str, Node] = tables.NODES
    return found


def type_of(name: str) -> Any:
    """The class or alias of a name."""
    return _added[name] if name in _added else getattr(import_module("...models", __package__), name)


@lru_cache(maxsize=1)
def names() -> Mapping[Any, str]:
    """Types to the names of their nodes; several aliases of one type share a meaning."""
    return {type_of(name): name for name in table()}


def node_name(type: Any) -> str:
    """The name of a type's node; KeyError where the tables do not have it."""
    table()  # which may bring further names
    return names()[type]


def is_named(type: Any) -> bool:
    """Whether the tables have a type."""
    table()  # which may bring further names
    try:
        return type in names()
    except TypeError:  # not hashable
        return False


class Coverage(Struct, frozen=True, kw_only=True):
    """Where a requirement is tested: example messages (paths below `messages/`), rules of `acp-codegen`, `path::name` of tests and probes."""

    examples: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()


class Requirement(Struct, frozen=True, kw_only=True):
    """A statement that binds agents or clients.

    `id` is `source/name` and stays. `source`: an RFD, at its `stage`, or a vendor's key after a `_` (`stage` is None).
    `level`: must, should or may. `binds`: agent, client or both. `on`: methods, types, and properties (`Type.property`);
    empty where it is about connections as a whole.
    """

    id: str
    source: str
    stage: str | None
    level: str
    binds: str
    on: tuple[str, ...]
    text: str
    covered: Coverage = Coverage()


def requirements() -> Mapping[str, Requirement]:
    """Every requirement by its id: those of the schema, and of the packages that add to this one and are imported."""
    home = (__package__ or "").rsplit(".", 2)[0]
    return {each.id: each for package in (home, *announced()) for each in _of(package)}


@cache
def _of(package: str) -> tuple[Requirement, ...]:
    """The requirements of a package; none where its schema has none."""
    import json  # noqa: PLC0415  # most programs never ask
    from importlib.resources import files  # noqa: PLC0415

    file = files(package).joinpath(FILE)
    if not file.is_file():
        return ()
    return convert(json.loads(file.read_text(encoding="utf-8")), tuple[Requirement, ...])
