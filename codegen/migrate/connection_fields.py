"""Connection fields: the attributes in which a class stores its connection. Pure functions over its syntax."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst


def attribute(node: cst.ClassDef) -> str | None:
    """The attribute in which a class stores its connection, if the class does nothing else with it."""
    return next((found for line in node.body.body if (found := _keeper(line)) is not None), None)


def is_keeper(node: cst.CSTNode) -> bool:
    """Return whether a statement is the method that receives the connection and only stores it."""
    return _keeper(node) is not None


def only_keeps(line: cst.CSTNode, attributes: set[str]) -> bool:
    """Return whether a line of a class only stores the connection or declares its attribute."""
    match line:
        case cst.SimpleStatementLine(body=[cst.AnnAssign(target=cst.Name(value=name), value=value)]):
            return name in attributes and (value is None or _is_none(value))
        case _:
            return is_keeper(line)


def empties(line: cst.SimpleStatementLine, attribute: str) -> bool:
    """Return whether a line only initialises the connection with None."""
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]:
            return is_self(target, attribute) and _is_none(value)
        case [cst.AnnAssign(target=target, value=value)]:
            return is_self(target, attribute) and (value is None or _is_none(value))
        case _:
            return False


def is_self(node: cst.BaseExpression, attribute: str) -> bool:
    """Return whether an expression is this attribute of `self`."""
    match node:
        case cst.Attribute(value=cst.Name(value="self"), attr=cst.Name(value=name)):
            return name == attribute
        case _:
            return False


def calls(function: cst.BaseExpression, attribute: str) -> str:
    """The call of the peer that a function wraps, through the connection in this attribute; empty if it wraps none."""
    match function:
        case cst.Attribute(value=value, attr=cst.Name(value=name)) if is_self(value, attribute):
            return name
        case _:
            return ""


def _keeper(node: cst.CSTNode) -> str | None:
    match node:
        case cst.FunctionDef(name=cst.Name(value="on_connect"), body=cst.IndentedBlock() as body):
            match [*_statements(body)]:
                case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(attr=kept))])]:
                    return kept.value
                case _:
                    return None
        case _:
            return None


def _statements(body: cst.IndentedBlock) -> Iterator[cst.CSTNode]:
    """The statements of a block, without docstrings."""
    for line in body.body:
        if not isinstance(line, cst.SimpleStatementLine):
            yield line
            continue
        for statement in line.body:
            match statement:
                case cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
                    pass
                case _:
                    yield statement


def _is_none(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Name) and value.value == "None"
