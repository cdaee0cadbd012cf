"""Facts about several programs together: the classes whose objects a connection gets, and the implemented sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, QualifiedNameProvider

from ..errors import InputError
from .context import Context, Facts
from .inference import Types
from .rename_table import Table

TOO_DEEP = "is nested too deeply to be rewritten; split the expression or the chain of `elif`"


def survey(texts: Mapping[Path, str], types: Mapping[Path, Types], table: Table) -> tuple[dict[str, str], set[str]]:
    """The received classes with their sides, by full name; and all implemented sides. Raises InputError."""
    readers = [_Reader(table, Facts(types.get(path))) for path in texts]
    for reader, (path, text) in zip(readers, texts.items(), strict=True):
        try:
            MetadataWrapper(cst.parse_module(text)).visit(reader)
        except RecursionError:
            raise InputError(str(path), TOO_DEEP) from None
    handlers = {full for reader in readers for full in reader.handlers}
    received: dict[str, str] = {}
    for reader in readers:
        for full, side in reader.received.items():
            received |= dict.fromkeys(handlers.intersection((full, *_bases(full, types.values()))), side)
    return received, {side for reader in readers for side in (*reader.inherited, *reader.received.values())}


def _bases(full: str, types: Iterable[Types]) -> Iterator[str]:
    for each in types:
        if full.startswith(f"{each.module}."):
            yield from each.bases(full[len(each.module) + 1 :])


class _Reader(Context):
    def __init__(self, table: Table, facts: Facts) -> None:
        super().__init__(table, facts)
        self.received: dict[str, str] = {}
        self.inherited: set[str] = set()
        self.handlers: set[str] = set()
        """The classes with handlers, by full name."""

    def visit_Call(self, node: cst.Call) -> None:
        side = self.table.received.get(self.name(node.func) or "")
        if side is not None and node.args:
            self.received |= dict.fromkeys(self._classes(node.args[0].value), side)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        side, _ = self.side_of(node)
        names = {name for each in self.table.sides.values() for name in each.handlers}
        if self.facts.types is not None and any(_name(line) in names for line in node.body.body):
            found = self.get_metadata(QualifiedNameProvider, node, set())
            self.handlers |= {f"{self.facts.types.module}.{each.name}" for each in found}
        self.inherited |= {name for name, each in self.table.sides.items() if each is side}

    def _classes(self, value: cst.BaseExpression) -> Iterator[str]:
        for kind in self.kinds(value):
            full = kind.removeprefix("() ").removeprefix("type ")
            if "." in full and not full.startswith("builtins.") and self.class_of(full) is None:
                yield full


def _name(line: cst.CSTNode) -> str:
    return line.name.value if isinstance(line, cst.FunctionDef) else ""
