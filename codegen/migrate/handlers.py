"""Handlers: methods of an agent or a client whose parameters become one object."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
import libcst.matchers as m
from libcst.metadata import Assignment, ClassScope, FunctionScope, Scope, ScopeProvider

from . import connection_fields
from .context import Context
from .expressions import call_of, given, joined, ours
from .rename_table import Side

PARAMS = "params"


class Handlers(Context):
    """Rewrites handlers, and the calls that a program makes to its own handlers."""

    def __init__(self, *facts: object) -> None:
        super().__init__(*facts)  # type: ignore[arg-type]
        self.sides: list[tuple[Side | None, str | None, bool]] = []
        """For each enclosing class: its side, the attribute with its connection, whether it inherits from the SDK."""
        self._variables: dict[cst.CSTNode, list[cst.BaseSmallStatement]] = {}
        """For each handler, the assignments of parameters that become local variables."""
        self._called: dict[cst.CSTNode, str] = {}
        """The name of the parameter, if it is another one."""

    def connection_kept(self) -> tuple[str, str] | None:
        """The attribute in which the enclosing class keeps its connection, and the package's name for it."""
        for side, kept, _ in reversed(self.sides):
            if side is not None and kept is not None:
                return kept, side.connection
        return None

    # --- classes ---------------------------------------------------------------------------------------------------

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        side, inherits = self.side_of(node)
        self.sides.append((side, None if side is None else connection_fields.attribute(node), inherits))

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
        side, kept, inherits = self.sides.pop()
        if side is None:
            return updated_node
        if not inherits:
            self.has_new_names = True
            base = cst.Arg(ours(next(name for name, each in self.table.sides.items() if each is side)))
            before = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in updated_node.bases]
            updated_node = updated_node.with_changes(bases=[*before, base], lpar=cst.LeftParen(), rpar=cst.RightParen())
        if kept is None:
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
        kept = self.connection_kept()
        gone = kept is not None and connection_fields.empties(original_node, kept[0])
        return cst.RemoveFromParent() if gone else updated_node

    # --- handlers --------------------------------------------------------------------------------------------------

    def _side(self, node: cst.FunctionDef) -> Side | None:
        side = self.sides[-1][0] if self.sides else None
        return side if isinstance(self.get_metadata(ScopeProvider, node), ClassScope) else None

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        side, name = self._side(node), node.name.value
        if side is None:
            return
        if name in self.table.left.handlers and not (self.sides[-1][1] and connection_fields.is_keeper(node)):
            self.remark(node, f"{name}: {self.table.left.handlers[name]}")
        if name not in side.handlers:
            return
        if not _first(node) or isinstance(node.params.star_arg, cst.Param):
            self.remark(node, f"{name}: takes one object; write def {name}(self, {PARAMS}: acp.{side.handlers[name]})")
            return
        if name in self.table.notes:
            self.remark(node, f"{name}: {self.table.notes[name]}")
        scope = self.get_metadata(ScopeProvider, node.body)
        assert isinstance(scope, FunctionScope)
        whole = self._name_of_whole(node, scope)
        for parameter in (*node.params.posonly_params, *node.params.params, *node.params.kwonly_params)[1:]:
            word = parameter.name.value
            value: cst.BaseExpression = cst.Attribute(cst.Name(self._called.get(node, PARAMS)), cst.Name(word))
            if parameter.default is not None:
                value = given(value, parameter.default)
            uses = [use.node for kept in scope[word] for use in kept.references]
            if len(scope[word]) > 1 or (whole and uses) or any(self._needs_variable(use, value) for use in uses):
                assign = cst.Assign([cst.AssignTarget(cst.Name(word))], value)
                self._variables.setdefault(node, []).append(assign)
            else:
                self.become |= dict.fromkeys(uses, value)
        rest = node.params.star_kwarg
        if rest is not None and list(scope.accesses[rest.name.value]):
            meta = cst.Attribute(cst.Name(self._called.get(node, PARAMS)), cst.Name(self.table.rest))
            of = rest.annotation.annotation if rest.annotation is not None else cst.Name("object")
            kind = cst.parse_expression(f"dict[str, {cst.Module([]).code_for_node(of)}]")
            assigned = cst.AnnAssign(cst.Name(rest.name.value), cst.Annotation(kind), given(meta, cst.Dict([])))
            self._variables.setdefault(node, []).append(assigned)

    def _name_of_whole(self, node: cst.FunctionDef, scope: Scope) -> bool:
        """Make room for the new parameter. Return whether something in the handler already has its name."""
        if not m.findall(node.body, m.Name(PARAMS)):
            return False
        mine = [each for each in scope[PARAMS] if each.scope is scope and isinstance(each, Assignment)]
        other = cst.Name(f"{PARAMS}_")
        for each in mine:  # a variable of the handler: it gets another name
            self.become |= dict.fromkeys([each.node, *(use.node for use in each.references)], other)
        if not mine and PARAMS in scope:  # a name from outside: the parameter gets another name
            self._called[node] = other.value
        return True

    def _needs_variable(self, use: cst.CSTNode, value: cst.BaseExpression) -> bool:
        """Return whether a use cannot be replaced by an expression."""
        return any(
            isinstance(each, cst.Del)
            or (isinstance(each, cst.FormattedString) and not isinstance(value, cst.Attribute))
            for each in self.parents(use)
        )

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        side = self._side(original_node)
        kind = None if side is None else side.handlers.get(original_node.name.value)
        first = _first(updated_node)
        if side is None or kind is None or not first or isinstance(original_node.params.star_arg, cst.Param):
            return updated_node
        params = cst.Param(cst.Name(self._called.get(original_node, PARAMS)), cst.Annotation(ours(kind)))
        whole = cst.Parameters([first[0].with_changes(comma=cst.MaybeSentinel.DEFAULT), params])
        variables = self._variables.get(original_node, [])
        called = cst.Name(side.renamed.get(original_node.name.value, original_node.name.value))
        return updated_node.with_changes(
            name=called,
            params=whole,
            body=_with_variables(updated_node.body, variables, original_node.get_docstring() is not None),
            whitespace_before_params=cst.SimpleWhitespace(""),
        )

    def called(self, original: cst.Call, updated: cst.Call) -> cst.BaseExpression:
        """A call that the program makes to a handler of its own."""
        function = original.func
        if not isinstance(function, cst.Attribute):
            return updated
        for side in self._sides_of(function.value):
            name = function.attr.value
            kind = side.handlers.get(name)
            if kind is None:
                continue
            names = self.table.calls.get(name)
            if names is None or any(each.star for each in original.args):
                self.remark(original, f"{name}: takes one object; write {name}({PARAMS}) or {name}(acp.{kind}(...))")
                return updated
            words = dict(zip(names, (each.value for each in updated.args if each.keyword is None), strict=False))
            words |= {each.keyword.value: each.value for each in updated.args if each.keyword is not None}
            renamed = cst.ensure_type(updated.func, cst.Attribute).with_changes(
                attr=cst.Name(side.renamed.get(name, name))
            )
            return updated.with_changes(
                func=renamed, args=joined([cst.Arg(call_of(kind, words))], [cst.Arg(cst.Name(PARAMS))])
            )
        return updated

    def _sides_of(self, value: cst.BaseExpression) -> Sequence[Side]:
        """The sides that the program itself implements with a value."""
        match value:
            case cst.Call(func=cst.Name(value="super")):
                side = self.sides[-1][0] if self.sides else None
                return () if side is None else (side,)
            case cst.Name(value="self") if self.sides and self.sides[-1][0] is not None:
                return (self.sides[-1][0],)
            case _:
                found = {self.facts.received.get(full) for full in self.kinds(value)}
                return [self.table.sides[name] for name in found if name is not None]


def _first(node: cst.FunctionDef) -> Sequence[cst.Param]:
    """The parameter `self`, if there is one."""
    return [*node.params.posonly_params, *node.params.params][:1]


def _with_variables(
    body: cst.BaseSuite, variables: Sequence[cst.BaseSmallStatement], has_docstring: bool
) -> cst.BaseSuite:
    if not variables:
        return body
    lines = [cst.SimpleStatementLine([each]) for each in variables]
    if isinstance(body, cst.IndentedBlock):
        at = 1 if has_docstring else 0
        return body.with_changes(body=[*body.body[:at], *lines, *body.body[at:]])
    assert isinstance(body, cst.SimpleStatementSuite)
    return cst.IndentedBlock([*lines, cst.SimpleStatementLine(body.body)])
