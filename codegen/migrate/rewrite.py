"""Rewrites a program's text for a generated package, and lists the changes that its author must make by hand.

Invariant: rewritten code has the same meaning as before. Code that the table does not cover stays unchanged and is
reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import dropwhile
from typing import NamedTuple

import libcst as cst
from libcst.helpers import get_full_name_for_node_or_raise
from libcst.metadata import (
    ClassScope,
    CodeRange,
    FunctionScope,
    MetadataWrapper,
    ParentNodeProvider,
    PositionProvider,
    QualifiedNameProvider,
    QualifiedNameSource,
    ScopeProvider,
)

from . import connection_fields, value_origin
from .expressions import ALIAS, call_of, derived, import_line, joined, keyword_arguments, ours, word_of
from .rename_table import Helper, Side, Table


class Remark(NamedTuple):
    """A place that the author must check."""

    line: int
    text: str


class Moved(NamedTuple):
    """A program, rewritten."""

    text: str
    remarks: tuple[Remark, ...]


def move(text: str, table: Table, package: str) -> Moved:
    """Rewrite a program that uses the table's SDK. Raises libcst.ParserSyntaxError for invalid Python."""
    wrapper = MetadataWrapper(cst.parse_module(text))
    mover = _Mover(table, package)
    module = wrapper.visit(mover)
    return Moved(module.code, tuple(sorted(set(mover.remarks))))


class _Mover(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (ParentNodeProvider, PositionProvider, QualifiedNameProvider, ScopeProvider)

    def __init__(self, table: Table, package: str) -> None:
        super().__init__()
        self.table = table
        self.package = package
        self.remarks: list[Remark] = []
        self._imported = False
        self._sides: list[tuple[Side | None, str | None]] = []
        """For each enclosing class: its side, and the attribute with its connection."""
        self._become: dict[cst.CSTNode, cst.BaseExpression] = {}
        """Uses of a handler's parameters, with their replacements."""
        self._variables: dict[cst.CSTNode, dict[str, cst.BaseExpression]] = {}
        """Parameters of a handler that become local variables, with their values."""
        self._asked: dict[cst.CSTNode, tuple[str, ...]] = {}
        """Comparisons with discriminators of values that certainly come from the SDK, with our classes."""
        self._annotations = 0
        """Number of annotations around the current node."""

    # --- what is where ---------------------------------------------------------------------------------------------

    def _remark(self, node: cst.CSTNode, text: str) -> None:
        place = self.get_metadata(PositionProvider, node)
        assert isinstance(place, CodeRange)
        self.remarks.append(Remark(place.start.line, text))

    def _name(self, node: cst.CSTNode) -> str | None:
        """The SDK's name of a node without its module. None if it is not one, "" for a module itself."""
        for found in self.get_metadata(QualifiedNameProvider, node, set()):
            root, *parts = found.name.split(".")
            if found.source is QualifiedNameSource.IMPORT and root == self.table.root:
                parts = [*dropwhile(self.table.modules.__contains__, parts)]
                return ".".join(parts) if len(parts) < 2 else None
        return None

    def _is_sdk(self, name: cst.BaseExpression | None) -> bool:
        while isinstance(name, cst.Attribute):
            name = name.value
        return isinstance(name, cst.Name) and name.value == self.table.root

    # --- imports ---------------------------------------------------------------------------------------------------

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> _Small:
        if original_node.relative or not self._is_sdk(original_node.module):
            return updated_node
        if isinstance(original_node.names, cst.ImportStar):
            self._remark(original_node, "imports all names (*): import each name that is used, then migrate again")
            return updated_node
        *_, module = get_full_name_for_node_or_raise(original_node.module or original_node).split(".")
        if module not in {self.table.root, *self.table.modules}:
            self._remark(original_node, f"{module}: has no counterpart")
            return updated_node
        return self._import(original_node)

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> _Small:
        mine = [name for name in original_node.names if self._is_sdk(name.name)]
        if not mine:
            return updated_node
        if len(mine) < len(original_node.names):
            self._remark(original_node, "imports the SDK and other modules on one line: split the line")
            return updated_node
        return self._import(original_node)

    def _import(self, node: cst.CSTNode) -> _Small:
        """Combine a module's imports into one. Those in blocks stay in place."""
        statement = self.get_metadata(ParentNodeProvider, node)
        assert isinstance(statement, cst.CSTNode)
        if isinstance(self.get_metadata(ParentNodeProvider, statement), cst.Module):
            if self._imported:
                return cst.RemoveFromParent()
            self._imported = True
        line = cst.ensure_type(cst.parse_statement(import_line(self.package)), cst.SimpleStatementLine)
        return line.body[0]

    # --- names -----------------------------------------------------------------------------------------------------

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self._become.get(original_node) or self._renamed(original_node, updated_node)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        return self._name(node) is None  # the first part of a dotted SDK name is not an SDK name itself

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        kept = self._connection_kept()
        if kept is not None and connection_fields.is_self(original_node, kept[0]):
            return updated_node.with_changes(attr=cst.Name(kept[1]))
        renamed = self._renamed(original_node, updated_node)
        if renamed is updated_node and original_node.attr.value in self.table.members:
            return updated_node.with_changes(attr=cst.Name(self.table.members[original_node.attr.value]))
        return renamed

    def _renamed(self, node: cst.CSTNode, updated: cst.BaseExpression) -> cst.BaseExpression:
        name = self._name(node)
        if name is None:
            return updated
        if not name:
            self._remark(
                node,
                "uses a module of the SDK as a value: use names of the package instead; some have another meaning",
            )
            return cst.Name(ALIAS)
        side = self._sides[-1][0] if self._sides else None
        if self._annotations and side is not None and name == side.peer:
            return ours(side.type)
        instead = next((way for left, way in self.table.left.names.items() if fnmatchcase(name, left)), None)
        if instead is not None:
            self._remark(node, f"{name}: {instead}")
            return updated
        if name in self.table.helpers:
            return updated  # its call is rewritten
        return ours(self.table.names.get(name, name))

    def visit_Annotation(self, node: cst.Annotation) -> None:
        self._annotations += 1

    def leave_Annotation(self, original_node: cst.Annotation, updated_node: cst.Annotation) -> cst.Annotation:
        self._annotations -= 1
        return updated_node

    # --- calls -----------------------------------------------------------------------------------------------------

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        name = self._name(original_node.func)
        if name is None:
            return self._sent(original_node, updated_node)
        helper = self.table.helpers.get(name)
        if helper is not None:
            return self._made(original_node, updated_node, helper)
        arguments = [self._member(argument) for argument in updated_node.args]
        arguments = [each for each in arguments if not self._is_implied(word_of(each), name)]
        return updated_node.with_changes(args=joined(arguments, updated_node.args))

    def _is_implied(self, word: str, name: str) -> bool:
        """Return whether a class of the SDK sets a field itself."""
        kind = self.table.names.get(name, name)
        return any(kind in kinds for kinds in self.table.implied.get(word, {}).values())

    def visit_Comparison(self, node: cst.Comparison) -> None:
        word, text = value_origin.question(node)
        kinds = self.table.implied.get(word, {}).get(text, ())
        kept, _ = self._connection_kept() or ("", "")
        if kinds and value_origin.is_theirs(
            node.left, self, lambda call: connection_fields.calls(call, kept) in self.table.calls
        ):
            self._asked[node] = kinds
        elif kinds:
            instead = " or ".join(f"{ALIAS}.{kind}" for kind in kinds)
            self._remark(
                node,
                f"{word}: our classes set this field themselves; if the value is of the SDK, test isinstance {instead}",
            )

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        kinds = self._asked.get(original_node)
        return updated_node if kinds is None else value_origin.asked(updated_node, kinds)

    def is_handler(self, node: cst.CSTNode | None) -> bool:
        """Return whether a function is a handler of the enclosing class, whose arguments the SDK has parsed."""
        side = self._sides[-1][0] if self._sides else None
        return side is not None and isinstance(node, cst.FunctionDef) and node.name.value in side.handlers

    def _member(self, argument: cst.Arg) -> cst.Arg:
        keyword = self.table.members.get(word_of(argument))
        return argument if keyword is None else argument.with_changes(keyword=cst.Name(keyword))

    def _made(self, original: cst.Call, updated: cst.Call, helper: Helper) -> cst.BaseExpression:
        named = self._named(original, updated.args, helper.take)
        if named is None:
            return updated
        given = {helper.called.get(keyword, keyword): value for keyword, value in named.items()}
        if helper.wrap:
            kind, attribute = helper.wrap
            text = given.pop(attribute, None) or given.pop(helper.take[0])
            given = {helper.take[0]: call_of(kind, {attribute: text}), **given}
        given |= {word: cst.SimpleString(f'"{value}"') for word, value in helper.default.items() if word not in given}
        made = derived(helper, given)
        if made is None:
            self._remark(original, "an argument would be evaluated twice: assign it to a variable, then migrate again")
            return updated
        return call_of(helper.make, made)

    def _named(
        self, node: cst.Call, arguments: Sequence[cst.Arg], names: Sequence[str]
    ) -> dict[str, cst.BaseExpression] | None:
        positional = [each for each in arguments if each.keyword is None]
        if any(each.star for each in arguments) or len(positional) > len(names):
            self._remark(node, "the order of the arguments is unclear: pass each by keyword")
            return None
        given = {name: each.value for name, each in zip(names, positional, strict=False)}
        return given | {word_of(each): each.value for each in arguments if each.keyword is not None}

    def _sent(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        """A call of the peer through the stored connection. It uses keywords; unknown ones go into `meta`."""
        kept = self._connection_kept()
        if (
            kept is None
            or not isinstance(original.func, cst.Attribute)
            or not connection_fields.is_self(original.func.value, kept[0])
        ):
            return updated
        names = self.table.calls.get(original.func.attr.value)
        named = None if names is None else self._named(original, updated.args, names)
        if names is None or named is None:
            return updated
        extra = [
            cst.DictElement(cst.SimpleString(f'"{word}"'), value) for word, value in named.items() if word not in names
        ]
        given = {word: value for word, value in named.items() if word in names}
        return updated.with_changes(args=keyword_arguments(given | ({"meta": cst.Dict(extra)} if extra else {})))

    # --- classes and handlers --------------------------------------------------------------------------------------

    def _connection_kept(self) -> tuple[str, str] | None:
        for side, kept in reversed(self._sides):
            if side is not None and kept is not None:
                return kept, side.connection
        return None

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        names = [self._name(base.value) for base in node.bases]
        side = next((self.table.sides[name] for name in names if name in self.table.sides), None)
        self._sides.append((side, None if side is None else connection_fields.attribute(node)))

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
        side, kept = self._sides.pop()
        if side is None or kept is None:
            return updated_node
        left = [
            line for line in updated_node.body.body if not connection_fields.only_keeps(line, {kept, side.connection})
        ]
        if left and left[0] is not updated_node.body.body[0]:
            left[0] = left[0].with_changes(leading_lines=())
        return updated_node.with_changes(
            body=updated_node.body.with_changes(body=left or [cst.parse_statement("pass")])
        )

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        kept = self._connection_kept()
        gone = kept is not None and connection_fields.empties(original_node, kept[0])
        return cst.RemoveFromParent() if gone else updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        side = self._sides[-1][0] if self._sides else None
        name = node.name.value
        if side is None or not isinstance(self.get_metadata(ScopeProvider, node), ClassScope):
            return
        if name in self.table.left.handlers and not (self._sides[-1][1] and connection_fields.is_keeper(node)):
            self._remark(node, f"{name}: {self.table.left.handlers[name]}")
        if name not in side.handlers:
            return
        if name in self.table.notes:
            self._remark(node, f"{name}: {self.table.notes[name]}")
        scope = self.get_metadata(ScopeProvider, node.body)
        assert isinstance(scope, FunctionScope)
        for parameter in (*node.params.params[1:], *node.params.kwonly_params):
            word = parameter.name.value
            value: cst.BaseExpression = cst.Attribute(cst.Name("params"), cst.Name(word))
            if parameter.default is not None:
                value = cst.Call(ours("given"), [cst.Arg(value), cst.Arg(parameter.default)])
            if len(scope[word]) > 1:  # it is assigned to: it stays a variable
                self._variables.setdefault(node, {})[word] = value
            else:
                self._become |= {use.node: value for kept in scope[word] for use in kept.references}
        rest = node.params.star_kwarg
        if rest is not None and list(scope.accesses[rest.name.value]):
            meta = cst.Attribute(cst.Name("params"), cst.Name(self.table.rest))
            members = cst.Call(ours("given"), [cst.Arg(meta), cst.Arg(cst.Dict([]))])
            self._variables.setdefault(node, {})[rest.name.value] = members

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        side = self._sides[-1][0] if self._sides else None
        kind = None if side is None else side.handlers.get(original_node.name.value)
        if side is None or kind is None or not isinstance(self.get_metadata(ScopeProvider, original_node), ClassScope):
            return updated_node
        params = cst.Param(cst.Name("params"), cst.Annotation(ours(kind)))
        whole = cst.Parameters([updated_node.params.params[0].with_changes(comma=cst.MaybeSentinel.DEFAULT), params])
        body = list(updated_node.body.body)
        at = 1 if original_node.get_docstring() is not None else 0
        for word, value in reversed(self._variables.get(original_node, {}).items()):
            target = cst.AssignTarget(cst.Name(word))
            body.insert(at, cst.SimpleStatementLine([cst.Assign([target], value)]))
        block = (
            updated_node.body.with_changes(body=body) if len(body) > len(updated_node.body.body) else updated_node.body
        )
        called = cst.Name(side.renamed.get(original_node.name.value, original_node.name.value))
        return updated_node.with_changes(
            name=called, params=whole, body=block, whitespace_before_params=cst.SimpleWhitespace("")
        )


_Small = cst.BaseSmallStatement | cst.RemovalSentinel
