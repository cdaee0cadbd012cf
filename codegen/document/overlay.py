"""An extension document: what it says of itself, and its actions, checked but not yet applied.

The form is that of the OpenAPI Overlay Specification 1.0: `overlay`, `info`, `actions`, each with `target` and `update` or `remove`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .. import faults
from ..errors import SchemaError, quoted
from .jsonvalue import is_json_array, is_json_object
from .read import Document, join, parse
from .tree import Node, Path

_VERSION = re.compile(r"1\.0\.\d+")
_ROOT = frozenset({"overlay", "info", "extends", "actions"})
_INFO = frozenset({"title", "version"})
FITS = "x-fits"
REQUIRES = "x-requires"
_ACTION = frozenset({"target", "description", "update", "remove"})

# RFC 9535 wants brackets around names that hold `$` or `-`. Outside a string neither can follow a dot in any other meaning.
_SHORTHAND = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\.(\$?[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*)(?![A-Za-z0-9_(-])"""
)

_NAME = re.compile(r"""\.(\$?[A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_(-])|\['([^'\\]+)'\]|\["([^"\\]+)"\]""")
_ROOT_AGAIN = re.compile(r"\$(?![A-Za-z])")


@dataclass(frozen=True)
class Action:
    """One step: what it selects, and what is merged into that; `update` is None where it is removed."""

    pointer: str
    target: str
    update: Any
    remove: bool
    requires: tuple[str, ...] = ()
    """Pointers to what has to be there, where the action only fills in what a file leaves unsaid."""


@dataclass(frozen=True)
class Extension:
    """An extension document."""

    document: Document
    title: str
    version: str
    actions: tuple[Action, ...]
    fits: tuple[str, ...] = ()
    """Pointers to what a file has that the actions are meant for."""


def parse_extension(data: bytes, name: str) -> Extension:
    """The extension in a text; raises SchemaError."""
    document = parse(data, name)
    root = _object(document, "", _ROOT)
    version = _text(document, root, "", "overlay")
    if not _VERSION.fullmatch(version):
        raise document.error(
            "/overlay", f"the Overlay version {quoted(version)} is not supported; write 1.0.0", faults.OVERLAY
        )
    if "extends" in root:
        _text(document, root, "", "extends")
    if "info" not in root:
        raise document.error("", "`info` is missing: an extension has a title and a version", faults.OVERLAY)
    info = _object(document, "/info", _INFO)
    actions = root.get("actions")
    if not is_json_array(actions) or not actions:
        raise document.error(
            "/actions", "expected `actions`, a list with at least one action", faults.OVERLAY, key=True
        )
    return Extension(
        document=document,
        title=_text(document, info, "/info", "title"),
        version=_text(document, info, "/info", "version"),
        actions=tuple(_action(document, join("/actions", index)) for index in range(len(actions))),
        fits=_pointers(document, root, "", FITS),
    )


def select(extension: Extension, action: Action, tree: Node) -> list[Path]:
    """The places in a document that an action's target selects, without repetitions; raises SchemaError."""
    start, rest = _named(action.target, tree)
    if start is None:
        return []
    if not rest:
        return [start]
    import jsonpath_rfc9535  # noqa: PLC0415  # only what selects by more than names needs it

    try:
        query = jsonpath_rfc9535.compile(_SHORTHAND.sub(_bracketed, rest))
        found = [(*start, *node.location) for node in query.find(tree.at(start).value)]
    except (jsonpath_rfc9535.JSONPathError, RecursionError) as error:
        problem = f"the target {quoted(action.target)} is no JSONPath (RFC 9535): {str(error).splitlines()[0]}"
        raise extension.document.error(join(action.pointer, "target"), problem, faults.TARGET) from None
    return list(dict.fromkeys(found))


def _named(target: str, tree: Node) -> tuple[Path | None, str]:
    """How far plain names lead: the place, None where there is none, and what else to look for from there."""
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


def _bracketed(found: re.Match[str]) -> str:
    text, name = found[1], found[2]
    return text if text is not None else f"['{name}']" if "$" in name or "-" in name else found[0]


def _action(document: Document, pointer: str) -> Action:
    node = _object(document, pointer, _ACTION)
    target = _text(document, node, pointer, "target")
    remove = node.get("remove", False)
    if not isinstance(remove, bool):
        raise document.error(join(pointer, "remove"), "`remove` must be true or false", faults.OVERLAY)
    if not remove and "update" not in node:
        raise document.error(pointer, "the action does nothing: it has neither `update` nor `remove`", faults.OVERLAY)
    if "description" in node:
        _text(document, node, pointer, "description")
    update = None if remove else node["update"]
    return Action(pointer, target, update, remove, _pointers(document, node, pointer, REQUIRES))


def _object(document: Document, pointer: str, known: frozenset[str]) -> dict[str, Any]:
    node: Any = document.value
    for step in pointer.split("/")[1:]:
        node = node[int(step) if isinstance(node, list) else step]
    if not is_json_object(node):
        raise document.error(
            pointer, f"expected an object with {', '.join(f'`{name}`' for name in sorted(known))}", faults.OVERLAY
        )
    for key in node:
        if key not in known and not key.startswith("x-"):
            raise _unknown(document, join(pointer, key), key)
    return node


def _pointers(document: Document, node: dict[str, Any], pointer: str, key: str) -> tuple[str, ...]:
    """The JSON pointers in a list."""
    found = node.get(key, [])
    if not is_json_array(found) or not all(isinstance(one, str) and one.startswith("/") for one in found):
        problem = f"`{key}` must be a list of JSON pointers"
        raise document.error(join(pointer, key), problem, faults.OVERLAY, instead='write ["/$defs/Name", ...]')
    return tuple(found)


def _unknown(document: Document, pointer: str, key: str) -> SchemaError:
    return document.error(pointer, f"{quoted(key)} is not a field of Overlay 1.0", faults.OVERLAY, key=True)


def _text(document: Document, node: dict[str, Any], pointer: str, key: str) -> str:
    if key not in node:
        raise document.error(pointer, f"`{key}` is missing", faults.OVERLAY)
    value = node[key]
    if not isinstance(value, str) or (not value.strip() and key != "description"):
        raise document.error(join(pointer, key), f"`{key}` must be a string that says something", faults.OVERLAY)
    return value
