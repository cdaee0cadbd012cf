"""Types of expressions, and errors that a type checker finds in programs (mypy, run in this process)."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from libcst.metadata import CodeRange
from msgspec import Struct
from mypy import build, nodes, types
from mypy.errors import CompileError
from mypy.find_sources import InvalidSourceList, create_source_list
from mypy.inspections import find_by_location
from mypy.modulefinder import BuildSource
from mypy.options import Options

ANY, NONE = "Any", "None"
UNKNOWN = frozenset({ANY})


class Problem(NamedTuple):
    """An error of the type checker. Lines and columns begin with 1."""

    path: Path
    line: int
    column: int
    text: str


class Types:
    """The types in one file, read when asked.

    A type is a set of full class names, one for each member of a union. A function that returns a class is `()` and
    the name; a class itself is `type` and the name.
    """

    def __init__(
        self, module: str, text: str, tree: nodes.MypyFile | None, found: Mapping[nodes.Expression, types.Type]
    ) -> None:
        self.module = module
        self._tree = tree
        self._found = found
        self._lines = text.splitlines()

    def kinds(self, place: CodeRange) -> frozenset[str]:
        """The type of the expression at a place."""
        node = self._node(place)
        kind = None if node is None else self._found.get(node)
        return UNKNOWN if kind is None else frozenset(name for each in _members(kind) for name in _names(each))

    def is_optional(self, place: CodeRange) -> bool:
        """Return whether an expression reads an attribute that its class declares with None."""
        node = self._node(place)
        holder = self._found.get(node.expr) if isinstance(node, nodes.MemberExpr) else None
        if holder is None or not isinstance(node, nodes.MemberExpr):
            return False
        return any(_is_optional(each, node.name) for each in _members(holder))

    def parameters(self, place: CodeRange) -> Sequence[str]:
        """The names of the parameters of a function at a place, in order; empty if they are not known."""
        node = self._node(place)
        kind = None if node is None else self._found.get(node)
        proper = None if kind is None else types.get_proper_type(kind)
        names = proper.arg_names if isinstance(proper, types.CallableType) else ()
        return [name for name in names if name is not None]

    def bases(self, name: str) -> Sequence[str]:
        """The full names of all bases of a class of the file, by its dotted name in the module."""
        names: Mapping[str, nodes.SymbolTableNode] = {} if self._tree is None else self._tree.names
        found: nodes.TypeInfo | None = None
        for part in name.split("."):
            symbol = names.get(part)
            if symbol is None or not isinstance(symbol.node, nodes.TypeInfo):
                return ()
            found = symbol.node
            names = found.names
        return () if found is None else [base.fullname for base in found.mro[1:]]

    def _node(self, place: CodeRange) -> nodes.Expression | None:
        if self._tree is None:
            return None
        start, end = place.start, place.end
        return find_by_location(
            self._tree, start.line, self._bytes(start.line, start.column), end.line, self._bytes(end.line, end.column)
        )

    def _bytes(self, line: int, column: int) -> int:
        """The column in bytes, which is how mypy counts."""
        return len(self._lines[line - 1][:column].encode()) if line <= len(self._lines) else column


class Inference(Struct):
    """The result of a run."""

    files: dict[Path, Types]
    problems: list[Problem]
    modules: frozenset[str]
    """All modules that were found."""


def infer(
    texts: Mapping[Path, str], python: str, folder: Path, roots: Iterable[Path] = (), unread: Iterable[str] = ()
) -> Inference:
    """Run the type checker over programs with these texts. `python` is the interpreter that has their dependencies.

    `folder` gets the texts and the checker's cache, which makes later runs faster. Names of the packages `unread` have
    the type Any. Raises mypy's CompileError if the programs cannot be analysed together.
    """
    options = Options()
    options.export_types = options.preserve_asts = options.check_untyped_defs = True
    options.ignore_missing_imports = True
    options.follow_imports = "silent"
    options.show_column_numbers = options.hide_error_codes = options.show_absolute_path = True
    options.python_executable = python
    options.cache_dir = str(folder / "cache")
    options.mypy_path = [str(root) for root in roots]
    try:
        found = create_source_list([str(path.absolute()) for path in texts], options)
    except InvalidSourceList as error:
        raise CompileError([str(error)]) from None
    by_name = {str(path.absolute()): path for path in texts}
    sources = [BuildSource(each.path, each.module, None, each.base_dir) for each in found]
    # Without the trees of imported modules, the checker skips their function bodies.
    options.per_module_options = {"*": {"preserve_asts": False}}
    options.per_module_options |= {source.module: {"preserve_asts": True} for source in sources}
    for package in unread:
        options.per_module_options |= {key: {"follow_imports": "skip"} for key in (package, f"{package}.*")}
    options.shadow_file = _shadows(by_name, texts, folder)
    result = build.build(sources, options, stdout=io.StringIO(), stderr=io.StringIO())
    files: dict[Path, Types] = {}
    for source in sources:
        path = by_name[source.path or ""]
        files[path] = Types(source.module, texts[path], result.graph[source.module].tree, result.types)
    problems = [problem for line in result.errors if (problem := _problem(line, by_name)) is not None]
    return Inference(files, problems, frozenset(result.graph))


def _shadows(by_name: Mapping[str, Path], texts: Mapping[Path, str], folder: Path) -> list[list[str]]:
    """Files with the texts, which the checker reads in place of the programs."""
    run = len([*folder.glob("run*")]) + 1
    place = folder / f"run{run}"
    place.mkdir(parents=True)
    pairs: list[list[str]] = []
    for number, (name, path) in enumerate(by_name.items()):
        shadow = place / f"{number}.py"
        shadow.write_bytes(texts[path].encode())
        os.utime(shadow, (run, run))  # the checker trusts its cache for files of the same time and size
        pairs.append([name, str(shadow)])
    return pairs


def _problem(line: str, by_name: Mapping[str, Path]) -> Problem | None:
    place, kind, text = line.partition(": error: ")
    path, *numbers = place.rsplit(":", 2)
    if not kind or path not in by_name:
        return None
    return Problem(by_name[path], int(numbers[0]), int(numbers[1]), text)


def _members(kind: types.Type) -> list[types.ProperType]:
    proper = types.get_proper_type(kind)
    if isinstance(proper, types.TypeVarType):
        return _members(proper.upper_bound)
    if isinstance(proper, types.UnionType):
        return [each for item in proper.items for each in _members(item)]
    return [proper]


def _names(kind: types.ProperType) -> Iterator[str]:
    match kind:
        case types.Instance():
            yield kind.type.fullname
        case types.NoneType():
            yield NONE
        case types.AnyType():
            yield ANY
        case types.TypeType():
            yield from (f"type {name}" for name in _names(kind.item))
        case types.CallableType() if kind.is_type_obj():
            yield f"type {kind.type_object().fullname}"
        case types.CallableType():
            yield from (f"() {name}" for each in _members(kind.ret_type) for name in _names(each))
        case types.LiteralType():
            yield kind.fallback.type.fullname
        case types.TupleType():
            yield kind.partial_fallback.type.fullname
        case _:
            yield type(kind).__name__


def _is_optional(holder: types.ProperType, name: str) -> bool:
    symbol = holder.type.get(name) if isinstance(holder, types.Instance) else None
    declared = None if symbol is None else symbol.type
    return declared is not None and any(isinstance(each, types.NoneType) for each in _members(declared))
