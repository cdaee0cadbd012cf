"""Errors that a user can cause, as one small tree.

CodegenError
    InputError      a file that cannot be read or written
    SchemaError     an error in a document, with its place: file:line:column and JSON pointer
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .escape import line as printable
from .escape import quoted

__all__ = [
    "CodegenError",
    "Fault",
    "InputError",
    "SchemaError",
    "meant",
    "printable",
    "quoted",
    "suggested",
    "without_module",
]


class Fault(NamedTuple):
    """A kind of error in a document. `instead` is the default advice."""

    id: str
    purpose: str
    instead: str
    reasoning: str = ""


class CodegenError(Exception):
    """An error that ends the run with exit code 2. Its text is the one line that the user sees."""

    def __init__(self, text: str) -> None:
        super().__init__(printable(text, 2000))


class InputError(CodegenError):
    """A path that cannot be read or written."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{printable(path)}: error: {problem}")


class SchemaError(CodegenError):
    """An error in a document, with its place. `others`: further errors in the same document.

    `whole`: the pointer in the extended schema, if the document is an extension or its base.
    """

    def __init__(
        self, file: str, line: int, column: int, pointer: str | None, problem: str, fault: Fault, instead: str = ""
    ) -> None:
        self.file, self.line, self.column, self.pointer, self.problem = file, line, column, pointer, problem
        self.fault, self.instead = fault, instead or fault.instead
        self.others: tuple[SchemaError, ...] = ()
        self.whole: str | None = None
        closer = f" ({printable(instead)})" if instead else ""
        where = "" if pointer is None else f" at {printable(pointer) or '(root)'}"
        super().__init__(f"{printable(file)}:{line}:{column}: error: {problem}{closer}{where}")


def meant(word: str, known: Iterable[str], cutoff: float = 0.6, text: str = "{}") -> str:
    """A suggestion of the known word that is most similar to an unknown one; empty if none is similar."""
    from difflib import get_close_matches  # noqa: PLC0415  # only on the way to an error

    near = get_close_matches(word, list(known), 1, cutoff)
    return text.format(near[0]) if near else ""


def suggested(word: str, known: Iterable[str]) -> str:
    """The suggestion of `meant`, to append to a "not found" message."""
    return meant(word, known, text="; did you mean {}?")


def without_module(error: ModuleNotFoundError, extra: str = "") -> str | None:
    """Advice for a missing optional module; None for modules of this package. `extra`: the extra with it, such as
    ``[check]``.
    """
    if (error.name or "").partition(".")[0] == __name__.partition(".")[0]:
        return None
    return (
        f'error: this {"command" if extra else "tool"} needs the module "{error.name}", which is not installed; install '
        f"'acp-codegen{extra}', or run `make generate` in a checkout and use .venv/bin/python -m codegen"
    )
