"""Tolerant loading: parts that cannot be typed exactly get the nearest wider type, and missing parts are looked up.

Nobody can edit a published release any more, so a tolerant loader prints a warning instead of reporting an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..document.json_types import is_json_object
from ..document.keywords import ROOT_EXTENSIONS
from ..document.read import Document, pointer_parts
from ..document.walk import schemas

# What says nothing any more once the other is gone, or would refuse what the other let in.
_TOGETHER = {
    "properties": ("additionalProperties", "unevaluatedProperties"),
    "prefixItems": ("items",),
    "allOf": ("unevaluatedProperties",),
    "anyOf": ("unevaluatedProperties",),
    "oneOf": ("unevaluatedProperties",),
    "$ref": ("unevaluatedProperties",),
}


def is_published(document: Document) -> bool:
    """Return whether a document has the published form: the union of all messages at its root, and none of our
    keywords.
    """
    base: Document = getattr(document, "base", document)  # of a document with extensions, which may say what they like
    root = base.value
    return is_json_object(root) and bool({"anyOf", "oneOf"} & root.keys()) and not ROOT_EXTENSIONS & root.keys()


def wider(node: Any, pointer: str, fault: str) -> Any:
    """A schema without the keyword that a fault concerns, or its bare type if the fault concerns several.

    The result accepts everything that the node accepts. It is the node itself if nothing can be removed.
    """
    if not is_json_object(node):
        return True
    keyword = next(iter(pointer_parts(fault.removeprefix(pointer))), "") if fault.startswith(f"{pointer}/") else ""
    if keyword in node:
        gone = {keyword, *_TOGETHER.get(keyword, ())}
        return {key: value for key, value in node.items() if key not in gone}
    kept = {key: value for key, value in node.items() if key in ("type", "title", "description")}
    return kept if kept.keys() != node.keys() else True


def results(root: Mapping[str, Any], nodes: Mapping[str, Any]) -> dict[str, tuple[Any, str]]:
    """The results of requests without a definition, from the envelopes, with their titles and places."""
    found: dict[str, tuple[Any, str]] = {}
    envelopes = {name: node for name, node in nodes.items() if is_envelope(node)}
    for pointer, node in schemas({**root, "$defs": envelopes}, kind="root"):
        if isinstance(node.get("title"), str) and {"$ref", "allOf", "type"} & node.keys():
            found.setdefault(node["title"], (node, pointer))
    return found


def is_envelope(node: object) -> bool:
    """Return whether a definition is an envelope and belongs to no method."""
    return is_json_object(node) and node.get("x-docs-ignore") is True
