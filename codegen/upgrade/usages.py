"""The places where a project uses a vendored package, found in the syntax trees of its modules; nothing is imported."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from .api_diff import Effect

MARKS = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files that mark the root of a project outside a repository."""
MOST_FILES, MOST_BYTES = 5000, 2**20
_SKIPPED = frozenset({"node_modules", "__pycache__", "build", "dist", "site-packages"})


class Usage(Struct, frozen=True, order=True):
    """A line of a module that an effect concerns."""

    path: str
    line: int


def usages(dest: Path, root: Path, found: Sequence[Effect]) -> dict[Effect, list[Usage]]:
    """The lines below `root` that the effects concern, in modules that import the package in `dest`."""
    lines: dict[Effect, list[Usage]] = {effect: [] for effect in found}
    if not found:
        return lines
    dest, root = dest.resolve(), root.resolve()
    for path in _modules(root, dest):
        tree = _tree(path, dest.name)
        if tree is None:
            continue
        module = _Module(path, tree, dest, root)
        if module.is_user:
            for effect in found:
                shown = path.relative_to(root).as_posix()
                lines[effect] += [Usage(shown, line) for line in sorted(set(module.lines(effect)))]
    return lines


def _modules(root: Path, dest: Path) -> Iterator[Path]:
    """The Python files of a project, without environments, hidden folders and the package itself."""
    count = 0
    for folder, inside, files in os.walk(root):
        here = Path(folder)
        inside[:] = sorted(
            name
            for name in inside
            if not name.startswith(".")
            and name not in _SKIPPED
            and here / name != dest
            and not (here / name / "pyvenv.cfg").exists()
        )
        for name in sorted(files):
            if name.endswith((".py", ".pyi")) and count < MOST_FILES:
                count += 1
                yield here / name


def _tree(path: Path, word: str) -> ast.Module | None:
    """The syntax tree of a module that may use the package; None for other modules and for invalid ones."""
    try:
        data = path.read_bytes()
        if len(data) > MOST_BYTES or not re.search(rb"\b%s\b" % re.escape(word.encode()), data):
            return None
        return ast.parse(data)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Module:
    """A module of the project: its names for the package, and for names from the package."""

    def __init__(self, path: Path, tree: ast.Module, dest: Path, root: Path) -> None:
        self.path, self.tree, self.dest, self.root = path, tree, dest, root
        self.packages: set[str] = set()  # dotted, as they are written
        self.imported: dict[str, list[tuple[str, int]]] = {}  # a name of the package: its names here, with the lines
        self.modules: dict[str, list[int]] = {}  # a module of the package: the lines that name it
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self._import(node)
            elif isinstance(node, ast.ImportFrom):
                self._import_from(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                self._module(self._inside(node.value.split(".")), node.lineno)  # as in pytest_plugins

    @property
    def is_user(self) -> bool:
        """Return whether the module imports the package or something from it."""
        return bool(self.packages or self.imported or self.modules)

    def lines(self, effect: Effect) -> Iterator[int]:
        """The lines that an effect concerns."""
        match effect.use:
            case "name":
                yield from self._named(effect.name)
            case "module":
                yield from self.modules.get(effect.name, ())
                yield from self._named(effect.name)
            case "attribute":
                uses_owner = any(True for _ in self._named(effect.owner))
                for node in ast.walk(self.tree):
                    if (
                        isinstance(node, ast.Attribute)
                        and node.attr == effect.name
                        and not self._is_package(node.value)
                    ):
                        yield node.lineno
                    elif uses_owner and isinstance(node, ast.keyword) and node.arg == effect.name:
                        yield node.value.lineno
            case "handler":
                for node in ast.walk(self.tree):
                    if isinstance(node, ast.ClassDef) and self._implements(node, effect.owner):
                        yield from (
                            f.lineno
                            for f in node.body
                            if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) and f.name == effect.name
                        )
            case "call":
                for node in ast.walk(self.tree):
                    if (
                        isinstance(node, ast.Call)
                        and isinstance(node.func, ast.Attribute)
                        and node.func.attr == effect.name
                    ) and not (isinstance(node.func.value, ast.Name) and node.func.value.id in ("self", "cls")):
                        yield node.lineno

    def _named(self, name: str) -> Iterator[int]:
        """The places that use or import a public name of the package."""
        locals_ = {local for local, _ in self.imported.get(name, ())}
        yield from (line for _, line in self.imported.get(name, ()))
        for node in ast.walk(self.tree):
            if (isinstance(node, ast.Attribute) and node.attr == name and self._is_package(node.value)) or (
                isinstance(node, ast.Name) and node.id in locals_
            ):
                yield node.lineno

    def _is_package(self, node: ast.expr) -> bool:
        return _dotted(node) in self.packages

    def _implements(self, node: ast.ClassDef, owner: str) -> bool:
        """Return whether a class derives from the package's base class `owner`, or from any if `owner` is empty."""
        bases = [base for base in node.bases if not isinstance(base, ast.Starred)]
        if not owner:
            return bool(bases)
        ours = {local for local, _ in self.imported.get(owner, ())}
        direct = any(
            (isinstance(base, ast.Attribute) and base.attr == owner and self._is_package(base.value))
            or (isinstance(base, ast.Name) and base.id in ours)
            for base in bases
        )
        named = {base.id for base in bases if isinstance(base, ast.Name)}
        above = [c for c in ast.walk(self.tree) if isinstance(c, ast.ClassDef) and c.name in named and c is not node]
        return direct or any(c.lineno < node.lineno and self._implements(c, owner) for c in above)

    # --- imports -----------------------------------------------------------------------------------------------------

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            inside = self._inside(alias.name.split("."))
            self._module(inside, alias.lineno)
            if inside is not None and alias.asname is not None:
                self.packages.add(alias.asname)
            elif inside is not None:
                self.packages.add(".".join(alias.name.split(".")[: len(alias.name.split(".")) - len(inside)]))
                self.packages.add(alias.name)

    def _import_from(self, node: ast.ImportFrom) -> None:
        parts = node.module.split(".") if node.module else []
        inside = self._relative(node.level, parts) if node.level else self._inside(parts)
        self._module(inside, node.lineno)
        for alias in node.names:
            local = alias.asname or alias.name
            self._module([alias.name] if inside == [] else None, alias.lineno)
            if inside is not None and (self.dest / f"{alias.name}.py").exists() and not inside:
                self.packages.add(local)
            elif inside is not None:
                self.imported.setdefault(alias.name, []).append((local, alias.lineno))
            else:
                below = [*parts, alias.name]
                if (self._relative(node.level, below) if node.level else self._inside(below)) is not None:
                    self.packages.add(local)

    def _module(self, inside: list[str] | None, line: int) -> None:
        """Record the module that a dotted name refers to, if it is in the package."""
        if inside:
            self.modules.setdefault(inside[0], []).append(line)

    def _inside(self, parts: list[str]) -> list[str] | None:
        """The rest of a module's name inside the package; None if the name is outside."""
        for length in range(len(parts), 0, -1):
            tail = self.dest.parts[-length:]
            if tuple(parts[:length]) == tail and self._means(length):
                return parts[length:]
        return None

    def _means(self, length: int) -> bool:
        """Return whether the first parts of a name refer to this package instead of another one with the same name."""
        here, there = _project(self.path, self.root), _project(self.dest, self.root)
        if here == there:
            return True
        tail = Path(*self.dest.parts[-length:])
        own = [here / tail, here / "src" / tail]
        return length > 1 and not any(folder.is_dir() for folder in own)

    def _relative(self, level: int, parts: list[str]) -> list[str] | None:
        folder = self.path.parents[level - 1] if level <= len(self.path.parents) else None
        target = None if folder is None else folder.joinpath(*parts)
        return (
            list(target.relative_to(self.dest).parts)
            if target is not None and target.is_relative_to(self.dest)
            else None
        )


def _project(path: Path, root: Path) -> Path:
    """The nearest folder above a path that is the root of a project; at most `root`."""
    for folder in path.parents:
        if folder == root or any((folder / name).exists() for name in MARKS):
            return folder
    return root


def _dotted(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
