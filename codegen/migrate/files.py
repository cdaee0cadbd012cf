"""Programs on disk: read, compared, and written whole or not at all."""

from __future__ import annotations

import ast
import difflib
import re
from pathlib import Path

import libcst
from msgspec import Struct

from ..errors import InputError
from ..time_limit import within_time, working_at
from ..write.directory import replace_file
from .rename_table import official
from .rewrite import Remark, move

_TOO_DEEP = "is nested too deeply to be rewritten; split the expression or the chain of `elif`"
_DEEPEST = 500
"""Maximum depth of a program's syntax tree. libcst's parser overflows the stack at a few thousand levels,
which crashes the process.
"""
_PACKAGE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class File(Struct, frozen=True):
    """A program before and after."""

    path: Path
    before: bytes
    after: bytes
    remarks: tuple[Remark, ...]

    def difference(self) -> str:
        """A unified diff; empty if nothing changes."""
        before, after = (
            text.decode("utf-8", "replace").splitlines(keepends=True) for text in (self.before, self.after)
        )
        return "".join(difflib.unified_diff(before, after, str(self.path), str(self.path)))

    def write(self) -> None:
        """Write the file if anything has changed."""
        if self.after != self.before:
            replace_file(self.path.resolve(), self.after)


def moved(path: Path, package: str) -> File:
    """Read a program and rewrite it in memory."""
    if not _PACKAGE.fullmatch(package):
        raise InputError("--package", f"{package!r} is not a valid Python package name")
    before = path.read_bytes()
    _check(path, before)
    try:
        with within_time():  # libcst takes quadratic time for a name that is assigned very often
            working_at(str(path))
            module = libcst.parse_module(before)
            text = before.decode(module.encoding)
            result = move(text, official(), package)
    except libcst.ParserSyntaxError as error:
        raise InputError(f"{path}:{error.raw_line}", f"is not valid Python: {error.message}") from None
    except UnicodeDecodeError as error:
        raise InputError(str(path), f"is not a text: {error}") from None
    except RecursionError:
        raise InputError(str(path), _TOO_DEEP) from None
    return File(path, before, result.text.encode(module.encoding), result.remarks)


def _check(path: Path, program: bytes) -> None:
    """Raise InputError for text that libcst cannot parse: invalid Python, or too deeply nested."""
    try:
        level: list[ast.AST] = [ast.parse(program)]
    except (SyntaxError, ValueError) as error:
        line, reason = getattr(error, "lineno", None), getattr(error, "msg", str(error))
        raise InputError(f"{path}:{line}" if line else str(path), f"is not valid Python: {reason}") from None
    except (MemoryError, RecursionError):
        raise InputError(str(path), _TOO_DEEP) from None
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise InputError(f"{path}:{getattr(level[0], 'lineno', 1)}", _TOO_DEEP)
