"""Kinds of text in the context of a template. Each is a `str` whose class states its use.

Templates contain the code. A context contains names, types, flags and documentation, and no other Python.
"""

from __future__ import annotations

from collections.abc import Iterable


class Identifier(str):
    """A Python name of a class, attribute, parameter or module (with a leading dot if relative)."""

    __slots__ = ()


class Expression(str):
    """The type expression of an annotation."""

    __slots__ = ()


class Literal(str):
    """A JSON value, a tuple of them, or a name on the wire, as a Python literal in ASCII."""

    __slots__ = ()


class Docstring(str):
    """A text wrapped and quoted as a docstring."""

    __slots__ = ()


class Prose(str):
    """Unquoted text, escaped for a comment, a Markdown cell or a docstring."""

    __slots__ = ()


def identifiers(names: Iterable[str]) -> list[Identifier]:
    """Sorted names for a context."""
    return sorted(map(Identifier, names))
