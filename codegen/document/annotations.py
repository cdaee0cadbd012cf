"""Annotations for published files: gates, the handshake, cancellation, order and sessions, from annotation documents.

Annotation documents are overlays in `codegen/annotations/`, one for each version of the protocol. With these additional
fields, they can be applied safely to any published file:

    x-fits       pointers; the document applies to files that have all of these places
    x-requires   pointers; the action is skipped if the file lacks one of these places
    x-side       a side; the action applies only to methods of that side

An action is also skipped if its target selects nothing. An action never overwrites a value that is in the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ..resources import annotation_files
from .extend import Extended
from .json_types import is_json_object
from .jsonpath import Steps, select
from .keywords import OURS, ROOT_EXTENSIONS
from .overlay import Action, Extension, parse_extension
from .provenance import Node
from .read import Document, join, pointer_parts, read_bytes
from .walk import schemas

_WORDS = {
    "x-handshake": "the handshake",
    "x-cancel": "cancellation",
    "x-ordering": "ordering",
    "x-sessions": "sessions",
    "x-lists": "lists",
    "x-interrupt": "interrupting",
    "x-remote": "the remote form",
    "x-trace": "the trace context",
    "x-tunnel": "the tunnel",
    "x-permission": "permissions",
    "x-handles": "handles",
    "x-updates": "the state of a session",
}


@dataclass(frozen=True)
class Annotated(Extended):
    """A document completed by an annotation document; `given` is the original document."""

    given: Document
    annotations: Extension
    applied: tuple[Action, ...]


@cache
def annotation_documents() -> tuple[Extension, ...]:
    """The annotation documents that come with the tool, in the order they are tried."""
    return tuple(parse_extension(read_bytes(path), f"annotations/{path.name}") for path in annotation_files())


def is_bare(document: Document) -> bool:
    """Return whether a file has none of our keywords, like all published files. Extensions do not count."""
    value = document.base.value if isinstance(document, Extended) else document.value
    if not is_json_object(value) or ROOT_EXTENSIONS & value.keys():
        return False
    return all(OURS.isdisjoint(node) for _, node in schemas(value, kind="root"))


def given(document: Document) -> Document:
    """The original document before annotation."""
    return document.given if isinstance(document, Annotated) else document


def fitting(document: Document) -> Extension | None:
    """The annotation document that fits a file, or None."""
    tree = document.tree if isinstance(document, Extended) else Node(document, "", document.value)
    return next((found for found in annotation_documents() if _leads(tree, found.fits)), None)


def annotated(document: Document) -> Document:
    """A completed document. It is unchanged if it has our keywords, or if no annotation document fits."""
    if isinstance(document, Annotated) or not is_bare(document):
        return document
    found = fitting(document)
    return document if found is None else annotate(document, found)


def annotate(document: Document, annotations: Extension) -> Annotated:
    """Apply the actions of an annotation document whose required places exist in the file."""
    plain = given(document)
    if isinstance(plain, Extended):
        base, extensions, removed, tree = plain.base, plain.extensions, plain.removed, plain.tree.copied()
    else:
        base, extensions, removed, tree = plain, (), (), Node(plain, "", plain.value)
    steps = Steps()
    applied = tuple(action for action in annotations.actions if _apply(annotations, action, tree, steps))
    return Annotated(
        name=plain.name,
        text=plain.text,
        value=tree.value,
        base=base,
        extensions=extensions,
        removed=removed,
        tree=tree,
        given=plain,
        annotations=annotations,
        applied=applied,
    )


def summary(document: Annotated) -> str:
    """Describe the filled-in keywords."""
    updates = [action.update for action in document.applied if is_json_object(action.update)]
    said = [words for keyword, words in _WORDS.items() if any(keyword in update for update in updates)]
    gates = sum(isinstance(update.get("x-capability"), str) for update in updates)
    return ", ".join([*said, f"{gates} gate{'' if gates == 1 else 's'}"])


def _apply(annotations: Extension, action: Action, tree: Node, steps: Steps) -> bool:
    """Apply an action; False if it found no place."""
    places = select(annotations, action, tree, steps) if _leads(tree, action.requires) else []
    places = [path for path in places if action.side in (None, _side(tree.at(path)))]
    for path in places:
        _fill(tree.at(path), Node(annotations.document, join(action.pointer, "update"), action.update))
    return bool(places)


def _side(target: Node) -> object:
    side = target.child("x-side") if target.is_object else None
    return None if side is None else side.value


def _fill(target: Node, update: Node) -> None:
    """Add missing keywords. Existing values stay."""
    if target.is_array:
        target.items().extend(update.items() if update.is_array else [update])
    for name, new in update.members().items() if target.is_object else ():
        old = target.members().setdefault(name, new)
        if old is not new:
            _fill(old, new)


def _leads(tree: Node, pointers: Iterable[str]) -> bool:
    for pointer in pointers:
        node: Node | None = tree
        for part in pointer_parts(pointer):
            node = node.child(part) if node is not None else None
        if node is None:
            return False
    return True
