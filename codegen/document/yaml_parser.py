"""YAML documents: the subset of YAML that is equivalent to JSON, with the place of every node.

Plain scalars are read as in YAML 1.2: `yes` and `2026-01-01` are strings. Anchors and aliases are rejected, because a
few lines of them can expand to gigabytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from .. import diagnostics
from ..errors import Fault, SchemaError, quoted
from ..limits import DEPTH, SCHEMA
from .read import Document, join, pointer_parts

SUFFIXES = (".yaml", ".yml")
_STANDARD = "tag:yaml.org,2002:"
_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE, _FALSE = re.compile(r"true|True|TRUE"), re.compile(r"false|False|FALSE")
_INTEGER = re.compile(r"[-+]?[0-9]{1,4000}")
_NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")

Place = tuple[int, int]


@dataclass(frozen=True)
class YamlDocument(Document):
    """A document written as YAML. `places` maps pointers to the places of nodes and keys."""

    places: Mapping[str, tuple[Place, Place]] = field(default_factory=dict[str, tuple[Place, Place]], repr=False)

    def locate(self, pointer: str, *, key: bool = False) -> Place:
        """Line and column of the node at a pointer, of its key, or of its nearest ancestor if the node does not exist."""
        parts = pointer_parts(pointer)
        found = next(
            (self.places[at] for n in range(len(parts), -1, -1) if (at := join("", *parts[:n])) in self.places),
            ((1, 1), (1, 1)),
        )
        return found[1] if key else found[0]


def parse_yaml(data: bytes, name: str) -> Document:
    """The document in a text; raises SchemaError."""
    yaml: Any = import_module("yaml")  # it says nothing of its types, and few extensions are written so

    def fail(place: Place, problem: str, fault: Fault = diagnostics.NOT_JSON, instead: str = "") -> SchemaError:
        return SchemaError(name, *place, None, problem, fault, instead)

    if len(data) > SCHEMA.most:
        raise fail((1, 1), SCHEMA.problem, diagnostics.TOO_MUCH, SCHEMA.instead)
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()
        for token in yaml.scan(text, Loader=yaml.SafeLoader):
            if isinstance(token, (yaml.tokens.AliasToken, yaml.tokens.AnchorToken)):
                raise fail(
                    _place(token.start_mark), "anchors and aliases are not supported", instead="write the value out"
                )
        root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise fail((1, 1), f"byte 0x{data[error.start]:02x} is not UTF-8", instead="save the file as UTF-8") from None
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None) or "it cannot be read"
        raise fail(_place(mark) if mark is not None else (1, 1), f"not YAML: {problem}") from None
    except RecursionError:
        raise fail((1, 1), DEPTH.problem, diagnostics.TOO_DEEP, DEPTH.instead) from None
    if root is None:
        raise fail((1, 1), "the file is empty; expected a YAML mapping")
    nodes = _Nodes(yaml, fail)
    return YamlDocument(name, data, nodes.read(root, "", _place(root.start_mark), 0), nodes.places)


class _Nodes:
    """Reads the nodes of a file and records their places. `fail` creates the error for a place."""

    def __init__(self, yaml: Any, fail: Callable[..., SchemaError]) -> None:
        self.places: dict[str, tuple[Place, Place]] = {}
        self._yaml = yaml
        self._fail = fail

    def read(self, node: Any, pointer: str, key: Place, depth: int) -> Any:
        place = _place(node.start_mark)
        self.places[pointer] = place, key
        if depth > DEPTH.most:
            raise self._fail(place, DEPTH.problem, diagnostics.TOO_DEEP, DEPTH.instead)
        if not node.tag.startswith(_STANDARD):
            raise self._fail(place, f"the tag {quoted(node.tag)} is not supported")
        if isinstance(node, self._yaml.SequenceNode):
            items = enumerate(node.value)
            return [self.read(item, join(pointer, n), _place(item.start_mark), depth + 1) for n, item in items]
        if isinstance(node, self._yaml.ScalarNode):
            return _scalar(node)
        return self._mapping(node, pointer, depth)

    def _mapping(self, node: Any, pointer: str, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name_node, value in node.value:
            at = _place(name_node.start_mark)
            if not isinstance(name_node, self._yaml.ScalarNode):
                raise self._fail(at, "a key must be a text")
            if name_node.value in found:
                problem = f"the key {quoted(name_node.value)} appears twice in one mapping"
                raise self._fail(at, problem, diagnostics.DUPLICATE_KEY)
            found[name_node.value] = self.read(value, join(pointer, name_node.value), at, depth + 1)
        return found


def _place(mark: Any) -> Place:
    return mark.line + 1, mark.column + 1


def _scalar(node: Any) -> Any:
    text = str(node.value)
    if node.style is not None:  # quoted, or a block
        return text
    if _NULL.fullmatch(text):
        return None
    if _TRUE.fullmatch(text) or _FALSE.fullmatch(text):
        return bool(_TRUE.fullmatch(text))
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text) and abs(number := float(text)) != float("inf"):
        return number
    return text
