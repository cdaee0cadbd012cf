"""Numbers and strings with their bounds, read from one node."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from .. import diagnostics
from ..document.read import join
from ..errors import quoted
from ..limits import GROUPS, PATTERN
from ..model.algebra.intersect import Bounded, ClashError, not_empty
from ..model.nodes.patterns import is_compilable, is_tame
from ..model.nodes.types import Integer, Number, String
from .nodes import Node, NodeReader

NumberKind: TypeAlias = type[Integer] | type[Number]

_NUMERIC = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusiveMinimum": "above",
    "exclusiveMaximum": "below",
    "multipleOf": "multiple_of",
}
# What Python reads and ECMA-262 does not, or takes for something else, outside classes and escapes.
_ESCAPE = re.compile(r"\\[^AZa]")
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_GROUP = re.compile(r"[()]")
_CLASS = re.compile(r"\[[^\]]*\]")
_PYTHON_ONLY = re.compile(r"\\[AZa]|\(\?(?:P|#|\(|>|[aiLmsux]+[:)-])|[*+?}]\+")


def number(reader: NodeReader, node: Node, pointer: str, kind: NumberKind) -> Integer | Number:
    """A number with the bounds of a node."""
    bounds: dict[str, Any] = {}
    for keyword, attribute in _NUMERIC.items():
        if keyword in node:
            value = node[keyword]
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                problem = f"`{keyword}` must be a number, not {quoted(value)}"
                raise reader.error(pointer, problem, diagnostics.NOT_DRAFT, keyword)
            if keyword == "multipleOf" and value <= 0:
                raise reader.error(pointer, "`multipleOf` must be greater than 0", diagnostics.NOT_DRAFT, keyword)
            bounds[attribute] = int(value) if isinstance(value, float) and value.is_integer() else value
    return bounded(reader, node, pointer, kind(format=reader.text(node, pointer, "format"), **bounds))


def _check_size(reader: NodeReader, pointer: str, pattern: str) -> None:
    """Reject a pattern that exceeds the capacity of Python's parser."""
    at = join(pointer, "pattern")
    if len(pattern) > PATTERN.most:
        raise reader.document.over(at, PATTERN, key=True)
    depth = 0
    for bracket in _GROUP.findall(_CLASS.sub("", _ESCAPED.sub("", pattern))):
        depth += 1 if bracket == "(" else -1
        if depth > GROUPS.most:
            raise reader.document.over(at, GROUPS, key=True)


def string(reader: NodeReader, node: Node, pointer: str) -> String:
    """A string with the lengths and the pattern of a node."""
    pattern = reader.text(node, pointer, "pattern")
    if pattern is not None:
        _check_size(reader, pointer, pattern)
        try:
            re.compile(pattern)
        except re.error as error:
            problem = f"`pattern` is not a regular expression: {error}"
            raise reader.error(pointer, problem, diagnostics.PATTERN, "pattern") from None
        plain = _CLASS.sub("x", _ESCAPE.sub("xx", pattern))
        strange = _PYTHON_ONLY.search(plain)
        if strange is not None:
            problem = f"`pattern` is not a regular expression in ECMA-262: only Python supports {quoted(strange[0])}"
            raise reader.error(pointer, problem, diagnostics.PATTERN, "pattern")
        if not is_compilable(pattern):
            problem = "`pattern` is too large, because nested repetitions multiply its length"
            way = "use smaller repetitions, or describe the format in `description`"
            raise reader.error(pointer, problem, diagnostics.PATTERN, "pattern", way)
        if not is_tame(pattern):
            text = "decoders do not check this `pattern`, because matching may take very long (rule pattern-dangerous)"
            reader.warnings.append((join(pointer, "pattern"), text))
    type_ = String(
        min_length=count(reader, node, pointer, "minLength"),
        max_length=count(reader, node, pointer, "maxLength"),
        pattern=pattern,
        format=reader.text(node, pointer, "format"),
        encoding=reader.text(node, pointer, "contentEncoding"),
    )
    return bounded(reader, node, pointer, type_)


def count(reader: NodeReader, node: Node, pointer: str, keyword: str) -> int | None:
    """The value of a keyword that is a non-negative integer; None if absent."""
    value = node.get(keyword)
    if keyword in node and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        problem = f"`{keyword}` must be a whole number, 0 or more, not {quoted(value)}"
        raise reader.error(pointer, problem, diagnostics.NOT_DRAFT, keyword)
    return value


def bounded(reader: NodeReader, node: Node, pointer: str, type_: Bounded) -> Bounded:
    """The type itself, if its bounds allow any value."""
    try:
        return not_empty(type_)
    except ClashError as error:
        upper = next(k for k in ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "pattern") if k in node)
        raise reader.error(
            pointer, str(error), error.fault, upper, "raise the upper bound, or lower the other"
        ) from None
