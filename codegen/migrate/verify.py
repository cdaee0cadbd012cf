"""The check of a result: it parses, its names exist in the package, and a type checker finds no errors that were not
there before.
"""

from __future__ import annotations

import ast
import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from ..upgrade.interface import Interface
from .context import Remark
from .expressions import ALIAS
from .inference import Problem


def parse_error(text: str) -> SyntaxError | None:
    """The error of Python's compiler for a text."""
    try:
        compile(text, "program", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    return None


def unknown_names(text: str, package: Interface) -> Iterator[Remark]:
    """The names that a program takes from the package, and that the package does not have."""
    modules = {place.partition(".")[0] for place in package.places}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == ALIAS:
                if attribute not in package.names | modules and not attribute.startswith("__"):
                    yield Remark(node.lineno, node.col_offset + 1, f"{ALIAS}.{attribute}: is not in the package")
            case _:
                pass


def new_problems(before: Sequence[Problem], after: Sequence[Problem], advice: Mapping[str, str]) -> list[Remark]:
    """The errors of a file that it did not have before, at their places after the rewrite, with advice by pattern."""
    known = Counter(each.text for each in before)
    found: list[Remark] = []
    for problem in after:
        known[problem.text] -= 1
        if known[problem.text] < 0:
            steps = [f"; {step}" for pattern, step in advice.items() if fnmatchcase(problem.text, pattern)]
            found.append(Remark(problem.line, problem.column, f"type: {problem.text}{''.join(steps[:1])}"))
    return found


def line_map(before: str, after: str) -> dict[int, int]:
    """The line in a text for each line of another."""
    first, second = before.splitlines(), after.splitlines()
    lines: dict[int, int] = {}
    for kind, start, end, other, other_end in difflib.SequenceMatcher(
        None, first, second, autojunk=False
    ).get_opcodes():
        for index in range(start, end):
            if kind == "equal":
                lines[index + 1] = other + index - start + 1
                continue
            similar = difflib.get_close_matches(first[index], second[other:other_end], 1, 0)
            lines[index + 1] = (second.index(similar[0], other) if similar else max(other - 1, 0)) + 1
    return lines
