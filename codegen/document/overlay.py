"""Parse an extension document: its title and its actions, checked but not yet applied.

The format is that of the OpenAPI Overlay Specification 1.0: `overlay`, `info`, `actions`, each with `target` and
`update` or `remove`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .. import diagnostics
from ..errors import SchemaError, meant, quoted
from ..limits import ACTIONS, SEGMENTS, TARGET
from .json_types import is_json_array, is_json_object
from .read import Document, join, parse, pointer_parts
from .walk import part_at
from .yaml_parser import SUFFIXES, parse_yaml

_VERSION = re.compile(r"1\.([01])\.\d+")
_ROOT = frozenset({"overlay", "info", "extends", "actions"})
_INFO = frozenset({"title", "version"})
FITS = "x-fits"
REQUIRES = "x-requires"
SIDE = "x-side"
_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_SEGMENT = re.compile(r"\.\.\[|\.\.?|\[")
_ACTION = frozenset({"target", "description", "update", "remove"})
_COPY = "copy"
"""The field of actions that version 1.1 adds."""


@dataclass(frozen=True)
class Action:
    """One action: its target, and the value to merge there. `update` is None for an action that removes."""

    pointer: str
    target: str
    update: Any
    remove: bool
    requires: tuple[str, ...] = ()
    """In an annotation document: pointers to places that a file must have for the action to apply."""
    side: str | None = None
    """In an annotation document: the side of the methods that the action applies to."""
    copy: str | None = None
    """The source to merge instead of `update`: a JSONPath to one part of the current document."""


@dataclass(frozen=True)
class Extension:
    """An extension document."""

    document: Document
    title: str
    version: str
    actions: tuple[Action, ...]
    fits: tuple[str, ...] = ()
    """Pointers to places that a file must have for the document to apply."""


def parse_extension(data: bytes, name: str) -> Extension:
    """The extension in a text; raises SchemaError."""
    document = parse_yaml(data, name) if name.lower().endswith(SUFFIXES) else parse(data, name)
    root = _object(document, "", _ROOT)
    version = _text(document, root, "", "overlay")
    known = _VERSION.fullmatch(version)
    if known is None:
        raise document.error(
            "/overlay",
            f"the Overlay version {quoted(version)} is not supported; write 1.0.0 or 1.1.0",
            diagnostics.OVERLAY,
        )
    if len(root.get("actions", ())) > ACTIONS.most:
        raise document.over(join("/actions", ACTIONS.most), ACTIONS)
    if "extends" in root:
        _text(document, root, "", "extends")
    if "info" not in root:
        raise document.error("", "`info` is missing: an extension needs a title and a version", diagnostics.OVERLAY)
    info = _object(document, "/info", _INFO)
    actions = root.get("actions")
    if not is_json_array(actions) or not actions:
        raise document.error(
            "/actions", "expected `actions`, a list with at least one action", diagnostics.OVERLAY, key=True
        )
    return Extension(
        document=document,
        title=_text(document, info, "/info", "title"),
        version=_text(document, info, "/info", "version"),
        actions=tuple(
            _action(document, join("/actions", index), copies=known[1] == "1") for index in range(len(actions))
        ),
        fits=_pointers(document, root, "", FITS),
    )


def _action(document: Document, pointer: str, *, copies: bool) -> Action:
    node = _object(document, pointer, _ACTION | {_COPY} if copies else _ACTION)
    copy = _text(document, node, pointer, _COPY) if copies and _COPY in node else None
    target = _text(document, node, pointer, "target")
    for limit, number in ((TARGET, len(target)), (SEGMENTS, len(_SEGMENT.findall(_STRING.sub("", target))))):
        if number > limit.most:
            raise document.over(join(pointer, "target"), limit)
    remove = node.get("remove", False)
    if not isinstance(remove, bool):
        raise document.error(join(pointer, "remove"), "`remove` must be true or false", diagnostics.OVERLAY)
    if not remove and "update" not in node and copy is None:
        raise document.error(pointer, "the action has neither `update` nor `remove`", diagnostics.OVERLAY)
    if copy is not None and (remove or "update" in node):
        problem = "`copy` has no effect beside `update` or `remove`"
        raise document.error(join(pointer, _COPY), problem, diagnostics.OVERLAY, key=True, instead="write two actions")
    if "description" in node:
        _text(document, node, pointer, "description")
    update = None if remove else node.get("update")
    side = _text(document, node, pointer, SIDE) if SIDE in node else None
    return Action(pointer, target, update, remove, _pointers(document, node, pointer, REQUIRES), side, copy)


def _object(document: Document, pointer: str, known: frozenset[str]) -> dict[str, Any]:
    node = part_at(document.value, pointer_parts(pointer))
    if not is_json_object(node):
        raise document.error(
            pointer, f"expected an object with {', '.join(f'`{name}`' for name in sorted(known))}", diagnostics.OVERLAY
        )
    for key in node:
        if key not in known and not key.startswith("x-"):
            raise _unknown(document, join(pointer, key), key, known)
    return node


def _pointers(document: Document, node: dict[str, Any], pointer: str, key: str) -> tuple[str, ...]:
    """The JSON pointers in a list."""
    found = node.get(key, [])
    if not is_json_array(found) or not all(isinstance(one, str) and one.startswith("/") for one in found):
        problem = f"`{key}` must be a list of JSON pointers"
        raise document.error(join(pointer, key), problem, diagnostics.OVERLAY, instead='write ["/$defs/Name", ...]')
    return tuple(found)


def _unknown(document: Document, pointer: str, key: str, known: frozenset[str]) -> SchemaError:
    hint = meant(key, sorted(known), text="did you mean `{}`?")
    return document.error(
        pointer, f"unknown field {quoted(key)} of an Overlay", diagnostics.OVERLAY, key=True, instead=hint
    )


def _text(document: Document, node: dict[str, Any], pointer: str, key: str) -> str:
    if key not in node:
        raise document.error(pointer, f"`{key}` is missing", diagnostics.OVERLAY)
    value = node[key]
    if not isinstance(value, str) or (not value.strip() and key != "description"):
        raise document.error(join(pointer, key), f"`{key}` must be a non-empty string", diagnostics.OVERLAY)
    return value
