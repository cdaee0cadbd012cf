"""Rewrite a program's text for a generated package, and list the places that remain for its author. Pure.

Invariant: rewritten code has the same meaning as before. Code that the table and the types do not cover stays unchanged
and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

import libcst as cst
from libcst.helpers import get_full_name_for_node_or_raise
from libcst.metadata import (
    GlobalScope,
    MetadataWrapper,
    ParentNodeProvider,
    QualifiedNameProvider,
    QualifiedNameSource,
    Scope,
    ScopeProvider,
)

from . import connection_fields
from .absent import Absent
from .context import Facts, Moved
from .expressions import ALIAS, call_of, derived, import_line, joined, keyword_arguments, ours, with_import, word_of
from .handlers import Handlers
from .rename_table import Helper, Table


def move(text: str, table: Table, package: str, facts: Facts | None = None) -> Moved:
    """Rewrite a program that uses the table's SDK. Raises libcst.ParserSyntaxError for invalid Python."""
    wrapper = MetadataWrapper(cst.parse_module(text))
    mover = _Mover(table, facts or Facts(), package)
    module = wrapper.visit(mover)
    if mover.has_new_names:
        module = with_import(module, package)
    return Moved(module.code, tuple(sorted(set(mover.remarks))))


class _Mover(Absent, Handlers):
    def __init__(self, table: Table, facts: Facts, package: str) -> None:
        super().__init__(table, facts)
        self.import_line = import_line(package)
        self._imported = False
        self._annotations = 0
        """Number of annotations around the current node."""

    # --- imports ---------------------------------------------------------------------------------------------------

    def visit_Module(self, node: cst.Module) -> None:
        scope = self.get_metadata(ScopeProvider, node, None)
        for each in scope[ALIAS] if isinstance(scope, GlobalScope) and ALIAS in scope else ():
            place = getattr(each, "node", node)
            if isinstance(place, cst.Import | cst.ImportFrom):
                continue
            if _uses_sdk(node, self.table.root):
                self.remark(place, f"{ALIAS}: is a name of this program; rename it, then migrate again")

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        return False

    def visit_Import(self, node: cst.Import) -> bool:
        return False

    def _is_sdk(self, name: cst.BaseExpression | None) -> bool:
        while isinstance(name, cst.Attribute):
            name = name.value
        return isinstance(name, cst.Name) and name.value == self.table.root

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> _Small:
        if original_node.relative or not self._is_sdk(original_node.module):
            return updated_node
        if isinstance(original_node.names, cst.ImportStar):
            self.remark(original_node, "imports all names (*): import each name that is used, then migrate again")
            return updated_node
        *_, module = get_full_name_for_node_or_raise(original_node.module or original_node).split(".")
        if module not in {self.table.root, *self.table.modules}:
            self.remark(original_node, f"{module}: has no counterpart")
            return updated_node
        return self._import(original_node)

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> _Small:
        mine = [name for name in original_node.names if self._is_sdk(name.name)]
        if not mine:
            return updated_node
        if len(mine) < len(original_node.names):
            self.remark(original_node, "imports the SDK and other modules on one line: split the line")
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
        line = cst.ensure_type(cst.parse_statement(self.import_line), cst.SimpleStatementLine)
        return line.body[0]

    # --- names -----------------------------------------------------------------------------------------------------

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.become.get(original_node) or self._renamed(original_node, updated_node)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        return self.name(node) is None  # the first part of a dotted SDK name is not an SDK name itself

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        kept = self.connection_kept()
        if kept is not None and connection_fields.is_self(original_node, kept[0]):
            return updated_node.with_changes(attr=cst.Name(kept[1]))
        renamed = self._renamed(original_node, updated_node)
        if renamed is not updated_node or self.name(original_node) is not None:
            return renamed
        word = original_node.attr.value
        if word in self.table.members:
            updated_node = updated_node.with_changes(attr=cst.Name(self.table.members[word]))
        if word in self.table.left.members and self.is_theirs(original_node.value):
            self.remark(original_node, f"{word}: {self.table.left.members[word]}")
        return self.read(original_node, updated_node)

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:
        """An annotation in quotes."""
        scope = self.get_metadata(ScopeProvider, original_node, None)
        if not self._annotations or not isinstance(scope, Scope):
            return updated_node

        def renamed(found: re.Match[str]) -> str:
            for each in scope.get_qualified_names_for(found[0]):
                name = self.name_of(each.name) if each.source is QualifiedNameSource.IMPORT else None
                if name:
                    return f"{ALIAS}.{self._named(original_node, name) or name}"
            return found[0]

        return updated_node.with_changes(value=re.sub(r"\b[^\W\d][\w.]*", renamed, updated_node.value))

    def _renamed(self, node: cst.CSTNode, updated: cst.BaseExpression) -> cst.BaseExpression:
        name = self.name(node)
        if name is None:
            return updated
        if not name:
            self.remark(
                node,
                "uses a module of the SDK as a value: use names of the package instead; some have another meaning",
            )
            return cst.Name(ALIAS)
        named = self._named(node, name)
        return updated if named is None else ours(named)

    def _named(self, node: cst.CSTNode, name: str) -> str | None:
        """The package's name for a name of the SDK; None if it stays, with a remark."""
        if self._annotations and name in self.table.sides:
            return self._annotated(name)
        instead = next((way for left, way in self.table.left.names.items() if fnmatchcase(name, left)), None)
        named = self.ours(name)
        package = self.facts.package
        if instead is None and name not in self.table.helpers and package is not None and named not in package.names:
            instead = "is not in the package; use the class that has these members here"
        if instead is not None:
            self.remark(node, f"{name}: {instead}")
        return None if instead is not None or name in self.table.helpers else named  # the call of a helper is rewritten

    def _annotated(self, name: str) -> str:
        """The class in an annotation: the connection to a peer, or a class of the program."""
        side = self.sides[-1][0] if self.sides else None
        implemented = self.facts.implemented
        to_peer = next(each for each in self.table.sides.values() if each.peer == name)
        is_peer = side is to_peer or (implemented is not None and name not in implemented)
        return to_peer.type if is_peer else name

    def visit_Annotation(self, node: cst.Annotation) -> None:
        self._annotations += 1

    def leave_Annotation(self, original_node: cst.Annotation, updated_node: cst.Annotation) -> cst.Annotation:
        self._annotations -= 1
        return updated_node

    def _is_cast(self, node: cst.Arg) -> bool:
        """Return whether an argument is the type that `cast` gets."""
        call = next(self.parents(node))
        if not isinstance(call, cst.Call) or call.args[0] is not node:
            return False
        names = self.get_metadata(QualifiedNameProvider, call.func, set())
        return any(each.name == "typing.cast" for each in names)

    def visit_Arg(self, node: cst.Arg) -> None:
        self._annotations += self._is_cast(node)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        self._annotations -= self._is_cast(original_node)
        return updated_node

    # --- calls -----------------------------------------------------------------------------------------------------

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        name = self.name(original_node.func)
        if name is None:
            sent = self._sent(original_node, updated_node)
            return self.called(original_node, updated_node) if sent is updated_node else sent
        helper = self.table.helpers.get(name)
        if helper is not None:
            return self._made(original_node, updated_node, helper)
        if name in self.table.left.calls:
            self.remark(original_node, f"{name}: {self.table.left.calls[name]}")
        dropped = self.table.dropped.get(name, ())
        arguments = [
            self._member(self.value(name, argument, original, word_of(original)))
            for argument, original in zip(updated_node.args, original_node.args, strict=True)
            if not self._is_implied(word_of(original), name) and word_of(original) not in dropped
            if not self.is_none(name, original, word_of(original))
        ]
        return updated_node.with_changes(args=joined(arguments, updated_node.args))

    def _is_implied(self, word: str, name: str) -> bool:
        """Return whether a class of the SDK sets a keyword by itself."""
        kind = self.ours(name)
        return any(kind in kinds for kinds in self.table.implied.get(word, {}).values())

    def _member(self, argument: cst.Arg) -> cst.Arg:
        keyword = self.table.members.get(word_of(argument))
        return argument if keyword is None else argument.with_changes(keyword=cst.Name(keyword))

    def _made(self, original: cst.Call, updated: cst.Call, helper: Helper) -> cst.BaseExpression:
        named = self._named_arguments(original, updated.args, helper.take)
        if named is None:
            return updated
        passed = {helper.called.get(keyword, keyword): value for keyword, value in named.items()}
        if helper.wrap:
            kind, attribute = helper.wrap
            text = passed.pop(attribute, None) or passed.pop(helper.take[0])
            passed = {helper.take[0]: call_of(kind, {attribute: text}), **passed}
        passed |= {word: cst.SimpleString(f'"{value}"') for word, value in helper.default.items() if word not in passed}
        made = derived(helper, passed)
        if made is None:
            self.remark(original, "an argument would be evaluated twice: assign it to a variable, then migrate again")
            return updated
        return call_of(helper.make, made)

    def _named_arguments(
        self, node: cst.Call, arguments: Sequence[cst.Arg], names: Sequence[str]
    ) -> dict[str, cst.BaseExpression] | None:
        positional = [each for each in arguments if each.keyword is None]
        if any(each.star for each in arguments) or len(positional) > len(names):
            self.remark(node, "the order of the arguments is unclear: pass each by keyword")
            return None
        named = {name: each.value for name, each in zip(names, positional, strict=False)}
        return named | {word_of(each): each.value for each in arguments if each.keyword is not None}

    def _sent(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        """A call of the peer through a connection. It uses keywords; unknown ones go into `meta`."""
        if not isinstance(original.func, cst.Attribute) or not self._is_connection(original.func.value):
            return updated
        called = original.func.attr.value
        names = self.table.calls.get(called)
        rest = [each.value for each in updated.args if each.star == "**"]
        order = self.parameters(original.func) or names or ()  # releases of the SDK have different orders
        arguments = [each for each in updated.args if each.star != "**"]
        named = None if names is None else self._named_arguments(original, arguments, order)
        if names is None or named is None:
            return updated
        if called in self.table.left.calls:
            self.remark(original, f"{called}: {self.table.left.calls[called]}")
        extra: list[cst.BaseDictElement] = [
            cst.DictElement(cst.SimpleString(f'"{word}"'), value) for word, value in named.items() if word not in names
        ]
        meta: cst.BaseExpression = cst.Dict([*extra, *(cst.StarredDictElement(value) for value in rest)])
        if len(rest) == 1 and not extra:
            meta = cst.BooleanOperation(rest[0], cst.Or(), ours("UNSET"))
        passed = {word: value for word, value in named.items() if word in names}
        function = cst.ensure_type(updated.func, cst.Attribute)
        return updated.with_changes(
            func=function.with_changes(attr=cst.Name(self.table.sent.get(called, called))),
            args=keyword_arguments(passed | ({"meta": meta} if extra or rest else {})),
        )

    def _is_connection(self, value: cst.BaseExpression) -> bool:
        kept = self.connection_kept()
        if kept is not None and connection_fields.is_self(value, kept[0]):
            return True
        connections = {name for side in self.table.sides.values() for name in (side.peer, side.type)}
        return self.is_theirs(value) and self.theirs(value) <= connections


def _uses_sdk(node: cst.Module, root: str) -> bool:
    """Return whether a module imports the SDK."""
    return re.search(rf"^\s*(from|import) {root}\b", node.code, re.MULTILINE) is not None


_Small = cst.BaseSmallStatement | cst.RemovalSentinel
