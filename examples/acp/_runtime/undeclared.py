# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Members of a record that its schema does not declare, kept and written back by those who ask for it.

A record with such members is of a class of its own, derived from the record's, with a field for each: msgspec writes
them like any other, ``isinstance`` and ``match`` see the record, and who does not ask pays nothing. Peers choose the
names of members, so they are never those of attributes, and only so many classes are remembered.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct, defstruct

__all__ = ["keep", "undeclared"]

_CLASSES = 512
"""Classes that are remembered, each some kilobytes; what a peer names afresh each time costs time, not memory."""
_NAMES = "__undeclared__"


def undeclared(record: Any) -> dict[str, Any]:
    """The members of a record that its schema does not declare, by their names on the wire; a dict of its own.

    Empty unless the record was read with ``keep_undeclared``. ``extra`` of an open record holds its own.
    """
    names: dict[str, str] = getattr(record.__class__, _NAMES, {})
    return {wire: getattr(record, name) for name, wire in names.items()}


def keep(base: type[Struct], values: dict[str, Any], members: dict[str, Any]) -> Any:
    """A record made of its declared values, by attribute, and of members that are not declared, by name on the wire."""
    kind = _derived(base, tuple(members))
    names: dict[str, str] = getattr(kind, _NAMES)
    return kind(**values, **{name: members[wire] for name, wire in names.items()})


@lru_cache(maxsize=_CLASSES)
def _derived(base: type[Struct], members: tuple[str, ...]) -> Any:
    names = {f"undeclared_{index}": wire for index, wire in enumerate(members)}
    return defstruct(
        base.__name__,
        [(name, Any) for name in names],
        bases=(base,),
        namespace={_NAMES: names},
        module=base.__module__,
        kw_only=True,
        gc=False,
        rename=names,
    )
