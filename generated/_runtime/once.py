# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""One value is read by one reader once in a message, however many alternatives lead there.

Alternatives inside alternatives would cost a factor for each level: a message of two hundred bytes could hold a receiver for
seconds. So what became of a value is remembered until the message is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from msgspec.structs import replace

from .nodes import Alias, Choice, Node, Record
from .scalars import Fault, Reader, Reading

_NEW: Any = object()


def once(read: Reader) -> Reader:
    """A reader of objects and arrays that tries alternatives, and does so once for each value of a message."""

    def read_once(value: Any, how: Reading) -> Any:
        if how.seen is None:
            how = replace(how, seen={})
        seen: Any = how.seen
        # By identity: the message holds its values for as long as it is read.
        key = (id(read), id(value))
        found = seen.get(key, _NEW)
        if found is _NEW:
            try:
                seen[key] = found = read(value, how)
            except Fault as fault:
                seen[key] = fault.copy()
                raise
        elif found.__class__ is Fault:
            raise found.copy()
        return found

    return read_once


def holds_alternatives(parts: Iterable[Any], nodes: Mapping[str, Node]) -> bool:
    """Whether values of some types, records or names of nodes can hold a value that has alternatives itself."""
    waiting: list[Any] = list(parts)
    met: set[str] = set()
    while waiting:
        match waiting.pop():
            case Choice() | ("union", *_):
                return True
            case Record(fields=fields, extra=extra):
                waiting += [*(field.type for field in fields), extra]
            case Alias(type=type_):
                waiting.append(type_)
            case ("enum", _, *beside):
                waiting += beside
            case made_of if isinstance(made_of, tuple):
                waiting += cast("Iterable[Any]", made_of)
            case limits if isinstance(limits, dict):
                waiting += cast("Mapping[str, Any]", limits).values()
            case str() as name if name in nodes and name not in met:
                met.add(name)
                waiting.append(nodes[name])
            case _:
                pass
    return False
