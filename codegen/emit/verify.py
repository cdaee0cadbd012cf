"""What datamodel-code-generator wrote, compared with what was asked for: classes, fields and every annotation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..errors import CodegenError
from .covariance import is_sequence
from .hints import hint
from .shapes import Attribute, Record, Shapes


def verify(text: str, shapes: Shapes) -> None:
    """Raise CodegenError unless the text is just the classes of these shapes."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise CodegenError(f"internal error: the emitted classes do not parse: {error.msg}") from None
    written = {node.name: _fields(node) for node in module.body if isinstance(node, ast.ClassDef)}
    wanted = {name: _wanted(record, shapes) for name, record in shapes.records.items()}
    for name in sorted({*written, *wanted}):
        if written.get(name) != wanted.get(name):
            raise CodegenError(
                f"internal error: datamodel-code-generator wrote the class {name} as {_shown(module, name)}, "
                f"which is not what was asked for"
            )
    if len(module.body) != len(wanted):
        raise CodegenError("internal error: datamodel-code-generator wrote something that is not a class")


def _fields(node: ast.ClassDef) -> dict[str, str]:
    return {
        item.target.id: _meaning(item.annotation)
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }


def _wanted(record: Record, shapes: Shapes) -> dict[str, str]:
    fields = {attribute.name: _meaning(_parsed(_annotation(attribute, shapes))) for attribute in record.attributes}
    if record.extra is not None:
        fields["extra"] = _meaning(_parsed(f"dict[str, {hint(record.extra)}]"))
    return fields


def _annotation(attribute: Attribute, shapes: Shapes) -> str:
    text = hint(attribute.type, bounds=True)
    if is_sequence(attribute.type, shapes):
        text = text.replace("list[", "Sequence[", 1)
    return text if attribute.field.required else f"{text} | UnsetType"


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _meaning(node: ast.expr) -> str:
    """An annotation in a form that is equal where the meaning is: the members of a union have no order."""
    match node:
        case ast.BinOp(op=ast.BitOr()):
            return " | ".join(sorted(set(_members(node))))
        case ast.Subscript(value=value, slice=inside):
            return f"{ast.unparse(value).removeprefix('builtins.')}[{_meaning(inside)}]"
        case ast.Tuple(elts=parts):
            return ", ".join(_meaning(part) for part in parts)
        case ast.Call(func=function, keywords=keywords):
            arguments = sorted(f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in keywords)
            return f"{ast.unparse(function)}({', '.join(arguments)})"
        case _:
            return ast.unparse(node)


def _members(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.BinOp):
        yield from _members(node.left)
        yield from _members(node.right)
    else:
        yield _meaning(node)


def _shown(module: ast.Module, name: str) -> str:
    found = [node for node in module.body if isinstance(node, ast.ClassDef) and node.name == name]
    if not found:
        return "nothing"
    return "; ".join(ast.unparse(item) for item in found[0].body if isinstance(item, ast.AnnAssign))
