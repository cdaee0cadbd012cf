"""Attributes that may be absent: None in the SDK, UNSET in a package."""

from __future__ import annotations

import libcst as cst

from .context import Context
from .expressions import given, ours
from .inference import NONE


class Absent(Context):
    """Rewrites tests for None and reads of such attributes, and arguments that may be None."""

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        match updated_node.comparisons:
            case [cst.ComparisonTarget(operator=cst.Is() | cst.IsNot() as operator, comparator=cst.Name(value="None"))]:
                if not self._may_be_absent(original_node.left):
                    return updated_node
            case _:
                return updated_node
        self.has_new_names = True
        first = updated_node.with_changes(lpar=(), rpar=())
        second = first.with_changes(comparisons=[cst.ComparisonTarget(operator, ours("UNSET"))]).deep_clone()
        joint = cst.Or() if isinstance(operator, cst.Is) else cst.And()
        return cst.BooleanOperation(first, joint, second, lpar=[cst.LeftParen()], rpar=[cst.RightParen()])

    def read(self, original: cst.Attribute, updated: cst.Attribute) -> cst.BaseExpression:
        """The read of an attribute whose value goes elsewhere, where None means an absent one."""
        if not self._may_be_absent(original) or NONE not in self.kinds(original):
            return updated
        parent = next(self.parents(original))
        match parent:
            case cst.Return():
                pass
            case cst.Assign() | cst.AnnAssign() if parent.value is original:
                pass
            case cst.Arg():
                call = next(self.parents(parent))
                if isinstance(call, cst.Call) and (_accepts(call) or self.name(call.func) is not None):
                    return updated
            case _:
                return updated
        self.has_new_names = True
        return given(updated)

    def is_none(self, name: str, argument: cst.Arg, word: str) -> bool:
        """Return whether an argument of a class only says that an attribute is absent."""
        annotation = self._annotation(name, word)
        is_none = isinstance(argument.value, cst.Name) and argument.value.value == NONE
        return is_none and bool(annotation) and NONE not in annotation

    def value(self, name: str, argument: cst.Arg, original: cst.Arg, word: str) -> cst.Arg:
        """An argument of a class, absent where the SDK has None."""
        annotation = self._annotation(name, word)
        if not annotation or NONE in annotation or NONE not in self.kinds(original.value):
            return argument
        return argument.with_changes(value=given(argument.value, ours("UNSET")))

    def _may_be_absent(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Attribute) and self.is_optional(node) and self.is_theirs(node.value)

    def _annotation(self, name: str, word: str) -> str:
        """The type of a class's attribute in the package, as text; empty if it is not known or not optional."""
        package = self.facts.package
        record = None if package is None else package.records.get(self.ours(name))
        attribute = None if record is None else record.get(self.table.members.get(word, word))
        return "" if attribute is None or attribute.required else attribute.annotation


def _accepts(call: cst.Call) -> bool:
    """Return whether a function treats an absent value as it treats None."""
    return isinstance(call.func, cst.Name) and call.func.value in {"bool", "getattr", "isinstance", "hasattr"}
