"""Find the places that an action's target selects: a JSONPath (RFC 9535), in most cases plain names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .. import diagnostics
from ..errors import meant, quoted
from ..limits import STEPS
from .json_types import is_json_array, is_json_object
from .overlay import Action, Extension
from .provenance import Node, Path
from .read import join

# RFC 9535 requires brackets around names with `$` or `-`. Outside a string, neither can follow a dot in any other meaning.
_SHORTHAND = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\.(\$?[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)(?![A-Za-z0-9_(-])"""
)

_NAME = re.compile(r"""\.(\$?[A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_(-])|\['([^'\\]+)'\]|\["([^"\\]+)"\]""")
_BACKTRACKING = ("match", "search")
"""The query functions that match a pattern, which might never finish."""
_ROOT_AGAIN = re.compile(r"\$(?![A-Za-z])")


class Steps:
    """The number of parts of a document that the targets of an extension have visited."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self, number: int = 1) -> None:
        """Count more visited parts; raises OverflowError beyond the limit."""
        self.taken += number
        if self.taken > STEPS.most:
            raise OverflowError


class _Object(dict[str, Any]):
    """An object that counts visits to its properties."""

    steps: Steps

    def items(self) -> Any:
        self.steps.take(len(self))
        return super().items()


class _Array(list[Any]):
    """An array that counts visits to its items."""

    steps: Steps

    def __iter__(self) -> Iterator[Any]:
        self.steps.take(len(self))
        return super().__iter__()


def _counted(value: Any, steps: Steps) -> Any:
    steps.take()
    counted: _Object | _Array
    if is_json_object(value):
        counted = _Object((name, _counted(child, steps)) for name, child in value.items())
    elif is_json_array(value):
        counted = _Array(_counted(child, steps) for child in value)
    else:
        return value
    counted.steps = steps
    return counted


def select(extension: Extension, action: Action, tree: Node, steps: Steps) -> list[Path]:
    """The places in a document that an action's target selects, each once; raises SchemaError."""
    start, rest = _named(action.target, tree)
    if start is None:
        return []
    if not rest:
        return [start]
    import jsonpath_rfc9535  # noqa: PLC0415  # only what selects by more than names needs it

    environment = jsonpath_rfc9535.JSONPathEnvironment()
    for function in _BACKTRACKING:
        del environment.function_extensions[function]
    at = join(action.pointer, "target")
    try:
        query = environment.compile(_SHORTHAND.sub(_bracketed, rest))
        found = [(*start, *node.location) for node in query.find(_counted(tree.at(start).value, steps))]
    except (jsonpath_rfc9535.JSONPathError, RecursionError) as error:
        problem = f"the target {quoted(action.target)} is not a JSONPath (RFC 9535): {str(error).splitlines()[0]}"
        raise extension.document.error(
            at, problem, diagnostics.TARGET, instead=suggestion(action.target, tree)
        ) from None
    except OverflowError:
        raise extension.document.over(at, STEPS) from None
    return list(dict.fromkeys(found))


def _named(target: str, tree: Node) -> tuple[Path | None, str]:
    """Follow the plain names of a target. Returns the place they lead to (None if there is none), and the rest of the
    query.
    """
    if not target.startswith("$") or _ROOT_AGAIN.search(target, 1):
        return (), target
    path: list[str | int] = []
    at, node = 1, tree
    while (found := _NAME.match(target, at)) is not None:
        name = found[1] or found[2] or found[3]
        below = node.child(name) if node.is_object else None
        if below is None:
            return None, ""
        path.append(name)
        at, node = found.end(), below
    return tuple(path), f"${target[at:]}" if at < len(target) else ""


def suggestion(target: str, tree: Node) -> str:
    """Advice for a target that selects nothing: a similar target; empty if there is none."""
    meant = _meant(target, tree)
    return f"did you mean {quoted(meant)}?" if meant else ""


def _meant(target: str, tree: Node) -> str:
    if not target.startswith(("$.", "$[")):
        with_root = "$." + target.lstrip("./")
        return with_root if _names(with_root, tree) else ""
    at, node = 1, tree
    while (found := _NAME.match(target, at)) is not None:
        group = 1 if found[1] else 2 if found[2] else 3
        below = node.child(found[group]) if node.is_object else None
        if below is None:
            near = _near(found[group], node)
            if near:
                return f"{target[: found.start(group)]}{near}{target[found.end(group) :]}"
            definitions = tree.child("$defs") if node is tree else None
            near = _near(found[group], definitions) if definitions is not None else ""
            return f"$.$defs.{near}{target[found.end() :]}" if near else ""
        at, node = found.end(), below
    return ""


def _names(target: str, tree: Node) -> bool:
    """Return whether a target consists of plain names and selects something."""
    start, rest = _named(target, tree)
    return start is not None and not rest


def _near(name: str, node: Node) -> str:
    return meant(name, node.members())


def _bracketed(found: re.Match[str]) -> str:
    text, name = found[1], found[2]
    return text if text is not None else f"['{name}']" if "$" in name or "-" in name else found[0]
