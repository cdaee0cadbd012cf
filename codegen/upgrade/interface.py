"""The interface of a generated package (names, attributes, handlers, calls, gates), read from its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

_CONNECTION = "SideConnection"
_MODELS, _METHODS = "models.py", "methods.py"


class Attribute(Struct, frozen=True):
    """An attribute of a record with its annotation as text."""

    annotation: str
    required: bool


class Signature(Struct, frozen=True):
    """The signature of a handler or a call: parameters by name, and whether they are required."""

    params: tuple[tuple[str, str, bool], ...]
    returns: str


class Interface(Struct, frozen=True, kw_only=True):
    """The public names of a package. Handlers are keyed by base class and name, calls by connection class and name."""

    names: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    """The names in public modules, as `module.name`."""
    aliases: Mapping[str, str] = {}
    """Aliases of other names."""
    records: Mapping[str, Mapping[str, Attribute]] = {}
    handlers: Mapping[tuple[str, str], Signature] = {}
    calls: Mapping[tuple[str, str], Signature] = {}
    gates: Mapping[tuple[str, str, str], str | None] = {}
    """The gate of each method, by implementing side, path and kind."""
    called: Mapping[tuple[str, str, str], str] = {}
    """The Python name of each method, by the same keys."""
    former: Mapping[tuple[str, str, str], str] = {}
    """The name that a method had as an extension, by the same keys."""


def interface(files: Mapping[str, str]) -> Interface:
    """The public names of a package with these files. A file that does not parse has none."""
    own = {path: text for path, text in files.items() if path.endswith(".py") and "/" not in path}
    trees = {path: tree for path, text in own.items() if (tree := _parsed(text)) is not None}
    models = trees.get(_MODELS, ast.Module([], []))
    records = {node.name: _attributes(node) for node in models.body if isinstance(node, ast.ClassDef)}
    aliases = dict(_aliases(models))
    handlers: dict[tuple[str, str], Signature] = {}
    calls: dict[tuple[str, str], Signature] = {}
    for path, tree in trees.items():
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        for node in classes.values() if path != _MODELS else ():
            found = calls if node.name.endswith(_CONNECTION) else handlers
            bases = [classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in classes]
            for each in (*bases, node):
                found |= {(node.name, name): signature for name, signature in _functions(each)}
    rows = list(_rows(trees.get(_METHODS, ast.Module([], []))))
    return Interface(
        names=frozenset(_exported(trees.get("__init__.py", ast.Module([], [])))),
        places=frozenset(
            f"{path[:-3]}.{name}" for path, tree in trees.items() if path[0] != "_" for name in _offered(tree)
        ),
        aliases={name: target for name, target in aliases.items() if target in records or target in aliases},
        records=records,
        handlers=handlers,
        calls=calls,
        gates={key: gate for key, gate, _, _ in rows},
        called={key: name for key, _, name, _ in rows},
        former={key: former for key, _, _, former in rows if former is not None},
    )


@lru_cache(maxsize=64)  # both versions have most modules in common
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _exported(tree: ast.Module) -> Iterator[str]:
    """The public names of a module: the listed ones, and re-exports for type checkers."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                yield from (
                    part.value
                    for part in ast.walk(value)
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                )
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body):
                imports = (each for each in body if isinstance(each, ast.ImportFrom) and each.module is not None)
                yield from (name.name for each in imports for name in each.names if name.asname == name.name)
            case _:
                pass


def _offered(tree: ast.Module) -> Iterator[str]:
    """The names that type checkers allow programs to import from a module."""
    yield from _exported(tree)
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield name
            case ast.ImportFrom(names=names):
                yield from (alias.name for alias in names if alias.asname == alias.name)
            case _:
                pass


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.value, ast.Name):
            yield node.target.id, node.value.id


def _attributes(record: ast.ClassDef) -> dict[str, Attribute]:
    return {
        node.target.id: Attribute(ast.unparse(node.annotation), required=_is_required(node))
        for node in record.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def _is_required(node: ast.AnnAssign) -> bool:
    """Return whether an attribute has no default. A field that only sets the wire name has none."""
    if isinstance(node.value, ast.Call):
        return not any(keyword.arg in ("default", "default_factory") for keyword in node.value.keywords)
    return node.value is None


def _functions(owner: ast.ClassDef) -> Iterator[tuple[str, Signature]]:
    seen = set[str]()
    for node in owner.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name.startswith("_"):
            continue
        if node.name in seen:  # of overloads the first one is the call with the whole params
            continue
        seen.add(node.name)
        given = [*node.args.posonlyargs, *node.args.args][1:]
        plain = [(a.arg, ast.unparse(a.annotation) if a.annotation else "", True) for a in given]
        named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        plain += [(a.arg, ast.unparse(a.annotation) if a.annotation else "", default is None) for a, default in named]
        yield node.name, Signature(tuple(plain), ast.unparse(node.returns) if node.returns else "")


def _rows(tree: ast.Module) -> Iterator[tuple[tuple[str, str, str], str | None, str, str | None]]:
    """The rows of the method table: the method, its gate, its Python name and its former name."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Method"):
            continue
        row = {k.arg: k.value.value for k in node.keywords if k.arg and isinstance(k.value, ast.Constant)}
        key = (str(row.get("side")), str(row.get("method")), str(row.get("kind")))
        gate, former = (value if isinstance(value := row.get(n), str) else None for n in ("capability", "former"))
        yield key, gate, str(row.get("python_name")), former
