"""Programs on disk: read, rewritten together, checked, and written whole or not at all."""

from __future__ import annotations

import ast
import difflib
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import libcst
from msgspec import Struct
from msgspec.structs import replace
from mypy.errors import CompileError

from ..emit.prebuilt import standard_files
from ..errors import InputError
from ..time_limit import within_time, working_at
from ..upgrade.interface import interface
from ..write.directory import replace_files
from .context import Facts, Moved, Remark
from .discriminators import ask
from .inference import Inference, infer
from .rename_table import Table, official
from .rewrite import move
from .survey import TOO_DEEP, survey
from .verify import line_map, new_problems, parse_error, unknown_names

_DEEPEST = 500
"""Maximum depth of a program's syntax tree. libcst's parser overflows the stack at a few thousand levels,
which crashes the process.
"""
_IMPORT = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)
# What a generated package uses only if it is installed; reading all of it would take most of the time.
_OPTIONAL = re.compile(_IMPORT.pattern + r".*# type: ignore\[import-not-found", re.MULTILINE)
_PACKAGE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


_Rewrite = Callable[[str, Table, str, Facts], Moved]


class File(Struct, frozen=True):
    """A program before and after."""

    path: Path
    before: bytes
    after: bytes
    remarks: tuple[Remark, ...]
    """The places that remain, by their lines after the rewrite."""

    def difference(self) -> str:
        """A unified diff; empty if nothing changes."""
        before, after = (
            text.decode("utf-8", "replace").splitlines(keepends=True) for text in (self.before, self.after)
        )
        return "".join(difflib.unified_diff(before, after, str(self.path), str(self.path)))


class Result(Struct, frozen=True):
    """All programs, and what could not be checked."""

    files: list[File]
    notes: list[str]

    def write(self) -> None:
        """Replace all files that change, or none. No file changes if one of them would not be valid Python."""
        replace_files({file.path.resolve(): file.after for file in self.files if file.after != file.before})


class _Source(Struct, frozen=True):
    data: bytes
    text: str
    encoding: str


def moved(paths: Sequence[Path], package: str, python: str = sys.executable) -> Result:
    """Read programs and rewrite them in memory. `python` is the interpreter that has their dependencies.

    Raises InputError if a program is not valid Python.
    """
    if not _PACKAGE.fullmatch(package):
        raise InputError("--package", f"{package!r} is not a valid Python package name")
    sources = {path: _read(path) for path in paths}
    try:
        return _moved(sources, package, python)
    except _InvalidResult as found:
        unchanged = sources[found.path].data
        return Result([File(found.path, unchanged, unchanged, (found.remark,))], [])


def _moved(sources: Mapping[Path, _Source], package: str, python: str) -> Result:
    table = official()
    notes: list[str] = []
    texts = {path: source.text for path, source in sources.items()}
    with tempfile.TemporaryDirectory(prefix="acp-migrate-") as folder:
        package_files = _files_of(package, sources)
        if package_files is None:
            notes.append(
                f"--package: {package} is not found from here; the result is checked with the standard package"
            )
            package_files = standard_files()
            _lay(Path(folder, "package", *package.split(".")), package_files)
        unread = _imports(package_files, _OPTIONAL) - _imports(texts, _IMPORT)
        check = _Checker(python, Path(folder), frozenset(unread))
        offered = interface(package_files)
        before = check(texts)
        if table.root not in before.modules:
            notes.append(f"--python: {python} does not have the SDK: fewer places can be rewritten, more are listed")
            before = Inference({}, before.problems, before.modules)
        received, implemented = survey(texts, before.files, table)
        facts = Facts(None, received, frozenset(implemented), offered)
        first = {
            path: _rewritten(path, move, text, table, package, replace(facts, types=before.files.get(path)))
            for path, text in texts.items()
        }
        between = check({path: result.text for path, result in first.items()})
        second = {
            path: _rewritten(path, ask, result.text, table, package, Facts(between.files.get(path), package=offered))
            for path, result in first.items()
        }
        after = check({path: result.text for path, result in second.items()})
    found: list[File] = []
    for path, source in sources.items():
        text = second[path].text
        remarks = [*_placed(first[path], text, source.text), *_placed(second[path], text, first[path].text)]
        if text != source.text:
            listed = {each.line for each in remarks}
            was, now = ([each for each in run.problems if each.path == path] for run in (before, after))
            wrong = (*unknown_names(text, offered), *new_problems(was, now, table.left.types))
            remarks += [each for each in wrong if each.line not in listed]
        found.append(File(path, source.data, text.encode(source.encoding), tuple(sorted(set(remarks)))))
    return Result(found, notes)


def _placed(moved: Moved, text: str, before: str) -> list[Remark]:
    """Remarks at their lines in the final text."""
    lines = line_map(before, text)
    return [Remark(lines.get(each.line, each.line), each.column, each.text) for each in moved.remarks]


def _rewritten(path: Path, rewrite: _Rewrite, text: str, table: Table, package: str, facts: Facts) -> Moved:
    try:
        with within_time():  # libcst takes quadratic time for a name that is assigned very often
            working_at(str(path))
            result = rewrite(text, table, package, facts)
    except RecursionError:
        raise InputError(str(path), TOO_DEEP) from None
    error = parse_error(result.text)
    if error is None:
        return result
    found = (result.text.splitlines() or [""])[(error.lineno or 1) - 1].strip()
    words = f"would not be valid Python after the rewrite ({error.msg}), found: {found}; no file is changed"
    line = line_map(result.text, text).get(error.lineno or 1, 1)
    raise _InvalidResult(path, Remark(line, error.offset or 1, words))


class _InvalidResult(Exception):
    """A program that would not be valid Python."""

    def __init__(self, path: Path, remark: Remark) -> None:
        super().__init__(path, remark)
        self.path = path
        self.remark = remark


class _Checker(Struct, frozen=True):
    """The type checker, with what it has learned in earlier runs."""

    python: str
    folder: Path
    unread: frozenset[str]

    def __call__(self, texts: Mapping[Path, str]) -> Inference:
        """The types of the programs; none if it cannot read them together."""
        here = Path.cwd()
        roots = [here, here / "src", self.folder / "package"]
        try:
            return infer(texts, self.python, self.folder, [root for root in roots if root.is_dir()], self.unread)
        except (CompileError, RecursionError):
            return Inference({}, [], frozenset())


def _imports(files: Mapping[Any, str], pattern: re.Pattern[str]) -> set[str]:
    """The packages that files import."""
    return {name for text in files.values() for name in pattern.findall(text)}


def _lay(place: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _files_of(package: str, paths: Iterable[Path]) -> dict[str, str] | None:
    """The modules of the package on disk, looked for in the working directory and above the programs."""
    place = Path(*package.split("."))
    here = Path.cwd()
    for root in (here, here / "src", *(above for path in paths for above in path.resolve().parents)):
        if (root / place / "__init__.py").is_file():
            return {each.name: each.read_text(encoding="utf-8") for each in (root / place).glob("*.py")}
    return None


def _read(path: Path) -> _Source:
    data = path.read_bytes()
    _check(path, data)
    try:
        with within_time():
            working_at(str(path))
            encoding = libcst.parse_module(data).encoding
            return _Source(data, data.decode(encoding), encoding)
    except libcst.ParserSyntaxError as error:
        raise InputError(f"{path}:{error.raw_line}", f"is not valid Python: {error.message}") from None
    except UnicodeDecodeError as error:
        raise InputError(str(path), f"is not a text: {error}") from None
    except RecursionError:
        raise InputError(str(path), TOO_DEEP) from None


def _check(path: Path, program: bytes) -> None:
    """Raise InputError for text that libcst cannot parse: invalid Python, or too deeply nested."""
    try:
        level: list[ast.AST] = [ast.parse(program)]
    except (SyntaxError, ValueError) as error:
        line, reason = getattr(error, "lineno", None), getattr(error, "msg", str(error))
        raise InputError(f"{path}:{line}" if line else str(path), f"is not valid Python: {reason}") from None
    except (MemoryError, RecursionError):
        raise InputError(str(path), TOO_DEEP) from None
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    raise InputError(f"{path}:{getattr(level[0], 'lineno', 1)}", TOO_DEEP)
