# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The node tables of packages and of their extensions, and the protocol's requirements as data.

Each package registers its models with ``add``; so does an extension package. One runtime can serve several packages,
because each type belongs to the tables of one package. Tables are imported on first use. Requirements are read from
the package's `requirements.json` on demand.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import DecodeError, Struct, convert
from msgspec.json import decode

from .definitions import Node

FILE = "requirements.json"


class Tables:
    """The node tables of a package, joined with the tables of its extension packages."""

    def __init__(self, package: str) -> None:
        self.packages = [package]
        """The package and its extension packages."""
        self._joined = 1
        self._types: dict[str, Any] = {}
        self._names: dict[Any, str] = {}

    @property
    def nodes(self) -> Mapping[str, Node]:
        """Nodes by type name. Raises ImportError if two packages use one name differently."""
        self._join()
        found: Mapping[str, Node] = self._tables().NODES
        return found

    @property
    def meta(self) -> Mapping[str, Mapping[str, bool]]:
        """The types of `_meta` keys, see `META` of `_nodes`."""
        self._join()
        found: Mapping[str, Mapping[str, bool]] = self._tables().META
        return found

    @property
    def names(self) -> Mapping[Any, str]:
        """Types with the names of their nodes. Aliases of one type are equivalent."""
        nodes = self.nodes
        if not self._names:
            self._names = {self.type_of(name): name for name in nodes}
        return self._names

    def type_of(self, name: str) -> Any:
        """The class or alias with a name."""
        return self._types[name] if name in self._types else getattr(import_module(f"{self.packages[0]}.models"), name)

    def _tables(self) -> Any:
        return import_module(f"{self.packages[0]}._nodes")

    def _join(self) -> None:
        """Join the tables of newly registered packages."""
        while self._joined < len(self.packages):
            package, ours = self.packages[self._joined], self._tables()
            theirs, types = import_module(f"{package}._nodes"), import_module(f"{package}.models")
            for known, others in ((ours.NODES, theirs.NODES), (ours.META, theirs.META)):
                for name, meaning in others.items():
                    if known.setdefault(name, meaning) != meaning:
                        problem = f"{package} and another package have different types with the name {name}"
                        raise ImportError(problem)
            self._types |= {name: getattr(types, name) for name in theirs.NODES}
            self._names = {}
            self._joined += 1


_known: dict[str, Tables] = {}
"""The tables of each registered package."""


def add(package: str, to: str = "") -> None:
    """Register a package whose `_nodes` and `models` stand alone or extend another package.

    Raises ImportError if both were generated from different schemas.
    """
    if to:
        _check_base(package, to)
    tables = _known.setdefault(to or package, Tables(to or package))
    if package not in tables.packages:
        tables.packages.append(package)
    _known[package] = tables


def _check_base(package: str, base: str) -> None:
    """Compare both manifests like the command `vendor`. A program may be shipped without them."""
    ours, theirs = _manifest(package), _manifest(base)
    if ours.schema and theirs.schema and ours.schema != theirs.schema:
        raise ImportError(
            f"{package} extends {base}, but they were generated from different schemas ({ours.schema[:8]} and "
            f"{theirs.schema[:8]}): update {base} with `acp-codegen vendor`, then {package}"
        )
    if "--stable" in theirs.options and "--stable" not in ours.options:
        raise ImportError(f"{package} uses drafts that {base} lacks, because {base} was generated with --stable")


class _Manifest(Struct):
    """The manifest's data about the source of a package; empty if it has none."""

    schema: str = ""
    options: tuple[str, ...] = ()


def _manifest(package: str) -> _Manifest:
    module: Any = sys.modules[package]
    try:
        return decode(module.__loader__.get_data(f"{module.__path__[0]}/manifest.json"), type=_Manifest)
    except (AttributeError, OSError, DecodeError):
        return _Manifest()


def tables_for(package: str) -> Tables | None:
    """The tables that a package owns or extends; None if it was not registered."""
    return _known.get(package)


def tables_of(type: Any) -> Tables:
    """The tables that contain a type. Raises KeyError if no package has it."""
    home = _known.get(getattr(type, "__module__", "").rpartition(".")[0])
    if home is not None and type in home.names:
        return home
    # An alias has no module of its own. Types that packages share, such as `str`, mean the same in all of them.
    for tables in _known.values():
        if type in tables.names:
            return tables
    raise KeyError(type)


def is_named(type: Any) -> bool:
    """Return whether a registered package has a type."""
    try:
        tables_of(type)
    except (KeyError, TypeError):  # not known, or not hashable
        return False
    return True


class Coverage(Struct, frozen=True, kw_only=True):
    """The tests of a requirement: example messages (paths below `messages/`), rules of `acp-codegen`, `path::name` of
    tests, and probes.
    """

    examples: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()


class Requirement(Struct, frozen=True, kw_only=True):
    """A statement that binds agents or clients.

    `id` is `source/name` and permanent. `source` is an RFD, with its `stage`, or a vendor's key after a `_` (`stage`
    is None). `level` is must, should or may. `binds` is agent, client or both. `on` lists methods, types and
    properties (`Type.property`); it is empty for statements about whole connections.
    """

    id: str
    source: str
    stage: str | None
    level: str
    binds: str
    on: tuple[str, ...]
    text: str
    covered: Coverage = Coverage()


def requirements_of(package: str) -> Mapping[str, Requirement]:
    """All requirements by id, from a package's schema and its imported extension packages."""
    packages = _known[package].packages if package in _known else [package]
    return {each.id: each for package in packages for each in _of(package)}


@cache
def _of(package: str) -> tuple[Requirement, ...]:
    """The requirements of a package; empty if its schema has none."""
    import json  # noqa: PLC0415  # most programs never ask
    from importlib.resources import files  # noqa: PLC0415

    file = files(package).joinpath(FILE)
    if not file.is_file():
        return ()
    return convert(json.loads(file.read_text(encoding="utf-8")), tuple[Requirement, ...])
