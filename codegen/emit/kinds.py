"""Kinds of text in the context of a template. Each is a `str` whose class states how it may be used.

Templates write the code. A context has names, types, flags and documentation, and nothing else that is Python.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Docstring", "Expression", "Identifier", "Literal", "Prose", "identifiers"]


class Identifier(str):
    """A name in Python: of a class, an attribute, a parameter, a module (with a dot before it if that is relative)."""

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
    """A text without quotes, escaped for a comment, a Markdown cell or the middle of a docstring."""

    __slots__ = ()


def identifiers(names: Iterable[str]) -> list[Identifier]:
    """Names, sorted, as a context has them."""
    return sorted(map(Identifier, names))
