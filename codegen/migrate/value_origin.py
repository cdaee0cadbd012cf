"""The origin of a value: whether it certainly comes from the other SDK, so that its uses can be rewritten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import libcst as cst
from libcst.metadata import Assignment, ParentNodeProvider, Scope, ScopeProvider

from .expressions import ours


class Reader(Protocol):
    """The context of a node in the program."""

    def get_metadata(self, key: Any, node: cst.CSTNode, default: Any = ..., /) -> Any: ...
    def is_handler(self, node: cst.CSTNode | None, /) -> bool: ...


def is_theirs(node: cst.BaseExpression, reader: Reader, is_call: Callable[[cst.BaseExpression], bool]) -> bool:
    """Return whether a value certainly comes from a response of the peer or a handler's arguments."""
    while isinstance(node, cst.Attribute):
        node = node.value
    scope = reader.get_metadata(ScopeProvider, node, None)
    if not isinstance(node, cst.Name) or not isinstance(scope, Scope):
        return False
    found = [*scope[node.value]]
    return bool(found) and all(isinstance(each, Assignment) and _gives(each.node, reader, is_call) for each in found)


def _gives(node: cst.CSTNode, reader: Reader, is_call: Callable[[cst.BaseExpression], bool]) -> bool:
    parent = reader.get_metadata(ParentNodeProvider, node)
    if isinstance(node, cst.Param):
        return reader.is_handler(reader.get_metadata(ParentNodeProvider, parent))
    if isinstance(parent, cst.AssignTarget):
        parent = reader.get_metadata(ParentNodeProvider, parent)
    match parent:
        case (
            cst.Assign(value=cst.Await(expression=cst.Call(func=function)))
            | cst.AnnAssign(value=cst.Await(expression=cst.Call(func=function)))
        ):
            return is_call(function)
        case _:
            return False


def question(node: cst.Comparison) -> tuple[str, str]:
    """The attribute and the text in a comparison; both empty for other comparisons."""
    match node:
        case cst.Comparison(
            left=cst.Attribute(attr=cst.Name(value=word)),
            comparisons=[
                cst.ComparisonTarget(operator=cst.Equal() | cst.NotEqual(), comparator=cst.SimpleString() as text)
            ],
        ):
            return word, str(text.evaluated_value)
        case _:
            return "", ""


def asked(node: cst.Comparison, kinds: Sequence[str]) -> cst.BaseExpression:
    """The same comparison as a test of the class."""
    classes: cst.BaseExpression = ours(kinds[0])
    if len(kinds) > 1:
        classes = cst.Tuple([cst.Element(ours(kind)) for kind in kinds])
    value = cst.ensure_type(node.left, cst.Attribute).value
    found = cst.Call(cst.Name("isinstance"), [cst.Arg(value), cst.Arg(classes)])
    if isinstance(node.comparisons[0].operator, cst.Equal):
        return found.with_changes(lpar=node.lpar, rpar=node.rpar)
    return cst.UnaryOperation(cst.Not(), found, lpar=node.lpar, rpar=node.rpar)
