"""Extension packages: several packages that add methods to one connection.

``composed`` joins their method tables and reports every clash. ``viewed`` gives the typed calls of one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from ..schema.definitions import Method, Protocol
from ..schema.registry import Tables, tables_for

T = TypeVar("T")
_made: dict[tuple[int, ...], tuple[Protocol, tuple[Protocol, ...]]] = {}
"""Cache of joined tables, by the identities of their parts. The parts are kept alive."""


def composed(protocol: Protocol, extensions: Sequence[ModuleType]) -> Protocol:
    """Join the protocol of a connection with extension packages.

    Raises TypeError if a package does not extend the connection's package, and ValueError, with all clashes, if
    definitions clash.
    """
    if not extensions:
        return protocol
    packages = {name: _protocol(name) for name in map(_package, extensions)}
    key = (id(protocol), *map(id, packages.values()))
    if key not in _made:
        base, ours = _base_of(protocol, packages)
        parts = {ours: protocol, **packages}
        problems: list[str] = []
        joined = _join(base, parts, "", problems)
        problems += _named_twice(parts)
        if problems:
            raise ValueError("these packages clash on one connection:\n" + "\n".join(problems))
        _check_types([*packages])
        _made[key] = (joined, (protocol, *packages.values()))
    return _made[key][0]


def _package(extension: ModuleType) -> str:
    name = getattr(extension, "__name__", None)
    if not isinstance(extension, ModuleType) or (tables := tables_for(str(name))) is None or tables.packages[0] == name:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{name or extension!r} is not a package that `acp-codegen vendor --on` wrote")
    return str(name)


def _protocol(package: str) -> Protocol:
    found: Protocol = import_module(f"{package}.methods").PROTOCOL
    return found


def _tables(package: str) -> Tables:
    found = tables_for(package)
    assert found is not None  # _package has asked
    return found


def _base_of(protocol: Protocol, packages: Mapping[str, Protocol]) -> tuple[Protocol, str]:
    """The protocol that all packages extend, and the name of its package."""
    ours = ""
    for package in packages:
        there = _tables(package).packages
        ours = next((name for name in there if _protocol(name) is protocol), "")
        if not ours:
            raise TypeError(f"{package} extends {there[0]}, but the connection belongs to another package")
    return _protocol(_tables(ours).packages[0]), ours


def _join(base: Any, found: Mapping[str, Any], place: str, problems: list[str]) -> Any:
    """Join the entries of all packages in one of their tables."""
    added = {package: value for package, value in found.items() if value is not base and value != base}
    if not added:
        return base
    first, *others = added.values()
    if all(value is first or value == first for value in others):
        return first
    values = [base, *added.values()]
    if all(isinstance(value, Mapping) for value in added.values()):
        known: Mapping[Any, Any] = base or {}
        return {
            key: _join(
                known.get(key),
                {name: part[key] for name, part in added.items() if key in part},
                f"{place} {_shown(key)}",
                problems,
            )
            for key in dict.fromkeys(key for value in values for key in value or ())
        }
    if all(isinstance(value, tuple) for value in added.values()):
        return tuple(dict.fromkeys(each for value in values for each in value))
    if all(isinstance(value, Struct) and not isinstance(value, Method) for value in added.values()):
        parts = {package: asdict(value) for package, value in added.items()}
        whole = _join(asdict(base) if base else {}, parts, place, problems)
        return replace(first, **whole)
    problems.append(f"{' and '.join(added)} have different {place.strip()}")
    return first


def _shown(key: Any) -> str:
    return key if isinstance(key, str) else " ".join(key[1:])


def _named_twice(parts: Mapping[str, Protocol]) -> Iterator[str]:
    """Describe pairs of handlers that cannot be in one class because they share a name."""
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for package, protocol in parts.items():
        for row in protocol.methods.values():
            other, method = seen.setdefault((row.side, row.python_name), (package, row.method))
            if method != row.method:
                yield f"{row.python_name} is {method} in {other}, and {row.method} in {package}"


def _check_types(packages: list[str]) -> None:
    """Raise ValueError if two packages use one name for different types. Tables are compared only if they share a
    name.
    """
    own: list[str] = []
    for package in packages:
        own += vars(import_module(package))["_MODULES"].get("models", "").split()
    if len(own) > len({*own}):
        try:
            _ = _tables(packages[0]).nodes
        except ImportError as error:
            raise ValueError(f"these packages clash on one connection:\n{error}") from None


def viewed(kind: type[T], connection: Any) -> T:
    """The typed calls of a package on a connection that was opened with the package. Raises TypeError if it was not."""
    if isinstance(connection, kind):
        return connection
    package = kind.__module__.rpartition(".")[0]
    if not {*_protocol(package).methods} <= {*connection._protocol.methods}:  # noqa: SLF001
        raise TypeError(f"the connection was opened without {package}: open it with extensions=[{package}]")
    wanted: Any = kind
    view = object.__new__(_view_class(wanted, connection.__class__))
    object.__setattr__(view, "_viewed", connection)
    made: T = view
    return made


@cache
def _view_class(kind: type[Any], viewed: type[Any]) -> type[Any]:
    added = {name for each in kind.__mro__ if each not in viewed.__mro__ for name in vars(each)}
    return type(kind.__name__, (_View, kind), {"_added": {name for name in added if not name.startswith("_")}})


class _View:
    """A view of a connection with the added calls. It forwards all other attributes to the connection."""

    def __getattribute__(self, name: str) -> Any:
        own = object.__getattribute__
        return own(self, name) if name in own(self, "_added") else getattr(own(self, "_viewed"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, "_viewed"), name, value)
