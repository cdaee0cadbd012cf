"""The context of a rewrite: what is known about each node of a program, and the places left for its author."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import NamedTuple

import libcst as cst
from libcst.metadata import (
    CodeRange,
    ParentNodeProvider,
    PositionProvider,
    QualifiedNameProvider,
    QualifiedNameSource,
    ScopeProvider,
)
from msgspec import Struct

from ..upgrade.interface import Interface
from .inference import NONE, UNKNOWN, Types
from .rename_table import Side, Table


class Remark(NamedTuple):
    """A place that the author must check. Lines and columns begin with 1."""

    line: int
    column: int
    text: str


class Moved(NamedTuple):
    """A program, rewritten."""

    text: str
    remarks: tuple[Remark, ...]


class Facts(Struct, frozen=True):
    """Facts about a program beside its text."""

    types: Types | None = None
    received: Mapping[str, str] = {}
    """The classes of all programs whose objects a connection gets, by full name, with their sides."""
    implemented: frozenset[str] | None = None
    """The sides that the programs implement; None if all programs are not known."""
    package: Interface | None = None
    """The package that the program will use."""


class Context(cst.CSTTransformer):
    """A transformer that knows the SDK's names and types."""

    METADATA_DEPENDENCIES = (ParentNodeProvider, PositionProvider, QualifiedNameProvider, ScopeProvider)

    def __init__(self, table: Table, facts: Facts) -> None:
        super().__init__()
        self.table = table
        self.facts = facts
        self.remarks: list[Remark] = []
        self.become: dict[cst.CSTNode, cst.BaseExpression] = {}
        """Nodes with their replacements."""
        self.has_new_names = False
        """True if code that runs has new names of the package."""

    def remark(self, node: cst.CSTNode, text: str) -> None:
        start = self._place(node).start
        self.remarks.append(Remark(start.line, start.column + 1, text))

    def name(self, node: cst.CSTNode) -> str | None:
        """The SDK's name of a node without its module. None if it is not one, "" for a module itself."""
        for found in self.get_metadata(QualifiedNameProvider, node, set()):
            if found.source is QualifiedNameSource.IMPORT:
                name = self.name_of(found.name)
                if name is not None:
                    return name
        return None

    def name_of(self, full: str) -> str | None:
        """The SDK's name in a full name, without its module."""
        if not f"{full}.".startswith(f"{self.table.root}."):
            return None
        parts = [*dropwhile(self.table.modules.__contains__, full[len(self.table.root) + 1 :].split("."))]
        return ".".join(parts) if len(parts) < 2 else None

    def class_of(self, full: str) -> str | None:
        """The name of a class of the SDK, from its full name."""
        return full.rpartition(".")[2] if full.startswith(f"{self.table.root}.") else None

    def kinds(self, node: cst.CSTNode) -> frozenset[str]:
        """The type of an expression, as full class names."""
        types = self.facts.types
        return UNKNOWN if types is None else types.kinds(self._place(node))

    def theirs(self, node: cst.CSTNode) -> set[str]:
        """The SDK's classes in the type of an expression."""
        return {name for full in self.kinds(node) if (name := self.class_of(full))}

    def is_theirs(self, node: cst.CSTNode) -> bool:
        """Return whether an expression is certainly an object of the SDK, or None."""
        kinds = self.kinds(node) - {NONE}
        return bool(kinds) and all(self.class_of(full) for full in kinds)

    def ours(self, name: str) -> str:
        """The package's name of a class of the SDK."""
        return self.table.names.get(name, name)

    def is_optional(self, node: cst.CSTNode) -> bool:
        types = self.facts.types
        return types is not None and types.is_optional(self._place(node))

    def parameters(self, node: cst.CSTNode) -> Sequence[str]:
        """The parameters of a function, in the order of the installed SDK; empty if they are not known."""
        types = self.facts.types
        return () if types is None else types.parameters(self._place(node))

    def side_of(self, node: cst.ClassDef) -> tuple[Side | None, bool]:
        """The side that a class implements, and whether it inherits from the SDK's base class."""
        for base in node.bases:
            name = self.name(base.value)
            if name in self.table.sides:
                return self.table.sides[name], True
        types = self.facts.types
        if types is None:
            return None, False
        for found in self.get_metadata(QualifiedNameProvider, node, set()):
            bases = types.bases(found.name.replace("<locals>.", ""))
            sides = [name for full in bases if (name := self.class_of(full)) in self.table.sides]
            received = [*filter(None, map(self.facts.received.get, (f"{types.module}.{found.name}", *bases)))]
            if sides or received:
                inherits = bool(sides) or any(base in self.facts.received for base in bases)
                return self.table.sides[str((sides or received)[0])], inherits
        return None, False

    def parents(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, from the inside."""
        while not isinstance(node, cst.Module):
            parent = self.get_metadata(ParentNodeProvider, node)
            assert isinstance(parent, cst.CSTNode)
            node = parent
            yield node

    def _place(self, node: cst.CSTNode) -> CodeRange:
        place = self.get_metadata(PositionProvider, node)
        assert isinstance(place, CodeRange)
        return place
