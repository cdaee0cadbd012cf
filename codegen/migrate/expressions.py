"""Expressions of a moved program: names of the package, calls with keywords, the import."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from .rename_table import Helper

ALIAS = "acp"
"""The package's name in a migrated program."""


def import_line(package: str) -> str:
    """The statement that imports the package."""
    parent, _, name = package.rpartition(".")
    renamed = "" if name == ALIAS else f" as {ALIAS}"
    return f"from {parent or '.'} import {name}{renamed}" if parent else f"import {name}{renamed}"


def with_import(module: cst.Module, package: str) -> cst.Module:
    """A module that imports the package before any code that runs."""
    line = import_line(package)
    if any(module.code_for_node(each).strip() == line for each in module.body):
        return module
    body = [*module.body]
    at = next((index for index, each in enumerate(body) if not _is_opening(each)), len(body))
    return module.with_changes(body=[*body[:at], cst.parse_statement(f"{line}\n"), *body[at:]])


def _is_opening(line: cst.CSTNode) -> bool:
    """Return whether a line must stay before the imports: a docstring, or an import from `__future__`."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
            return True
        case cst.SimpleStatementLine(body=[cst.ImportFrom(module=cst.Name(value="__future__"))]):
            return True
        case _:
            return False


def ours(name: str) -> cst.Attribute:
    return cst.Attribute(cst.Name(ALIAS), cst.Name(name))


def given(value: cst.BaseExpression, default: cst.BaseExpression | None = None) -> cst.Call:
    """A value, or the default where it is absent or None."""
    return cst.Call(ours("given"), [cst.Arg(value), cst.Arg(default or cst.Name("None"))])


def word_of(argument: cst.Arg) -> str:
    return "" if argument.keyword is None else argument.keyword.value


def joined(arguments: Sequence[cst.Arg], before: Sequence[cst.Arg]) -> Sequence[cst.Arg]:
    """Arguments whose last one may have changed. Its trailing whitespace is restored, so that lines stay the same."""
    return [*arguments[:-1], *(each.with_changes(comma=before[-1].comma) for each in arguments[-1:])]


def keyword_arguments(given: dict[str, cst.BaseExpression]) -> list[cst.Arg]:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return [cst.Arg(value, keyword=cst.Name(word), equal=equal) for word, value in given.items()]


def call_of(kind: str, given: dict[str, cst.BaseExpression]) -> cst.Call:
    return cst.Call(ours(kind), keyword_arguments(given))


def derived(helper: Helper, given: dict[str, cst.BaseExpression]) -> dict[str, cst.BaseExpression] | None:
    """The arguments with derived ones in place of their sources; None if an expression with side effects would be
    duplicated.
    """
    made: dict[str, cst.BaseExpression] = {}
    uses = [name for text in helper.derived.values() for name in re.findall(r"\$(\w+)", text)]
    if any(uses.count(name) > 1 and not _is_still(given[name]) for name in uses):
        return None
    code = cst.Module([])
    for word, text in helper.derived.items():
        written = re.sub(r"\$(\w+)", lambda use: code.code_for_node(given[use[1]]), text)
        made[word] = cst.parse_expression(written)
    return {name: value for name, value in given.items() if name not in uses} | made


def _is_still(value: cst.BaseExpression) -> bool:
    """Return whether an expression can be evaluated twice without a difference."""
    while isinstance(value, cst.Attribute):
        value = value.value
    return isinstance(value, cst.Name | cst.SimpleString | cst.Integer)
