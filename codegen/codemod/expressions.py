"""The pieces of a program that was moved: names of the package, calls with keywords, the import."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

__all__ = ["ALIAS", "call_of", "import_line", "joined", "keyword_arguments", "ours", "word_of"]

ALIAS = "acp"
"""What the package is called in a program that was moved."""


def import_line(package: str) -> str:
    """The statement that imports the package."""
    parent, _, name = package.rpartition(".")
    renamed = "" if name == ALIAS else f" as {ALIAS}"
    return f"from {parent or '.'} import {name}{renamed}" if parent else f"import {name}{renamed}"


def ours(name: str) -> cst.Attribute:
    return cst.Attribute(cst.Name(ALIAS), cst.Name(name))


def word_of(argument: cst.Arg) -> str:
    return "" if argument.keyword is None else argument.keyword.value


def joined(arguments: Sequence[cst.Arg], before: Sequence[cst.Arg]) -> Sequence[cst.Arg]:
    """Arguments whose last one may have been another one: it ends as that one did, so that lines stay lines."""
    return [*arguments[:-1], *(each.with_changes(comma=before[-1].comma) for each in arguments[-1:])]


def keyword_arguments(given: dict[str, cst.BaseExpression]) -> list[cst.Arg]:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return [cst.Arg(value, keyword=cst.Name(word), equal=equal) for word, value in given.items()]


def call_of(kind: str, given: dict[str, cst.BaseExpression]) -> cst.Call:
    return cst.Call(ours(kind), keyword_arguments(given))
