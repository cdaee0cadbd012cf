"""Rules for extension documents: the changes that a vendor's extension may make to the protocol.

    its methods start with `_`               other names belong to the protocol, and so to an RFD
    it removes no part of the protocol       peers that know the protocol rely on all parts
    it narrows no type of the protocol       it must accept the messages of such peers
    it adds nothing to the protocol's types  `_meta` is the place for additions
    its capabilities are in `_meta`          under the vendor's key, and they name what gates a method

An extension that adds an RFD to the table proposes a change of the protocol. Only the first of these rules applies to
it; it is also judged as a change. Each finding has a place in the extension's file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct

from ...contracts import locate, split
from ...diagnostics import MISNAMED
from ...document.extend import Extended, misnamed
from ...document.overlay import Extension
from ...document.provenance import Node
from ...document.read import Document, join
from ...document.walk import Kind, step
from ...errors import printable, quoted
from ...findings.finding import Finding, Place
from ...findings.rule import silent
from ...model.nodes.types import Schema
from ..parts.schemas import Loaded
from .rows import Rows, fault_lint

META = "_meta"

_NARROWING = frozenset(
    """
    type const enum $ref allOf anyOf oneOf not items prefixItems required pattern minLength maxLength minItems maxItems
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf additionalProperties unevaluatedProperties
    """.split()
)
_METHOD = frozenset({"x-method", "x-side", "x-capability", "x-was"})


class Addition(Struct, frozen=True):
    """A part that a vendor's extension added to the base: its place, target and key."""

    pointer: str
    parent: Kind
    path: tuple[str, ...]
    node: Node


# --- the rules -------------------------------------------------------------------------------------------------------


def _names(_: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    yield from misnamed(document)


def _removed(document: Extended) -> Iterator[tuple[str, Place, str]]:
    """The removals, with their places in the extensions."""
    for removal in document.removed:
        if not _is_rfd(document, removal.extension):
            own = join(removal.action.pointer, "target")
            place = Place(*removal.extension.document.place(own))
            yield own, place, f"the extension removes {printable(removal.pointer)} of the protocol"


def _narrowed(_: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    for added in _additions(document):
        *owner, key = added.path
        if added.parent == "schema" and key in _NARROWING:
            yield added.pointer, f"`{key}` narrows what {_named(owner)} accepts"
        elif added.parent == "variants" and owner[-1] == "allOf":
            yield added.pointer, f"another entry of `allOf` narrows what {_named(owner[:-1])} accepts"
        elif added.parent == "data" and owner[-1] == "required":
            yield added.pointer, f"{_named(owner[:-1])} without {quoted(added.node.value)} is no longer accepted"


def _altered(_: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    for added in _additions(document):
        *owner, key = added.path
        inside_meta = META in owner
        if added.parent == "schemas" and owner[-1] == "properties" and not inside_meta:
            yield (
                added.pointer,
                f"the property {quoted(key)} is added to {_named(owner[:-1])}, which belongs to the protocol",
            )
        elif added.parent == "schema" and key == "properties" and not inside_meta:
            yield added.pointer, f"properties are added to {_named(owner)}, which belongs to the protocol"
        elif added.parent == "schema" and key in _METHOD:
            yield added.pointer, f"`{key}` is added to {_named(owner)}, which belongs to the protocol"
        elif (added.parent == "variants" and owner[-1] in ("anyOf", "oneOf")) or (
            added.parent == "data" and owner[-1] in ("enum", "type")
        ):
            yield added.pointer, f"a value is added to {_named(owner[:-1])}, which belongs to the protocol"


def _capabilities(extended: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    for method in extended.methods:
        origin, _ = document.origin(method.pointer)
        if document.source(origin) is None or not method.path.startswith("_"):
            continue
        vendor = method.path.removeprefix("_").partition("/")[0]
        if method.capability is None:
            if method.gated is None:
                yield method.pointer, f"the method {quoted(method.path)} does not state its gate"
        elif (META, vendor) not in pairwise(split(locate(method.capability, "")[1])):
            yield (
                join(method.pointer, "x-capability"),
                f"the gate {quoted(method.capability)} is not under the vendor's key {quoted(vendor)} in `{META}`",
            )


# --- what an extension added to the base -----------------------------------------------------------------------------


def _additions(document: Extended) -> Iterator[Addition]:
    """The topmost parts that extensions of vendors added to the base, in the order of the document."""
    definitions = document.tree.child("$defs")
    if definitions is not None and definitions.document is document.base:
        yield from _inside(document, definitions, "schemas", "/$defs", ("$defs",))


def _inside(document: Extended, parent: Node, kind: Kind, pointer: str, path: tuple[str, ...]) -> Iterator[Addition]:
    children: list[tuple[str, Node]] = list(parent.members().items()) if parent.touched else []
    children += [(str(index), item) for index, item in enumerate(parent.items())] if parent.touched else []
    for name, child in children:
        below, to = join(pointer, name), (*path, name)
        if child.document is document.base:
            yield from _inside(document, child, step(kind, name), below, to)
            continue
        extension = document.source(child.document)
        if extension is not None and not _is_rfd(document, extension):
            yield Addition(below, kind, to, child)


def _is_rfd(document: Extended, extension: Extension) -> bool:
    return bool(document.rfds_of(extension))


def _named(path: list[str]) -> str:
    """A part of the base for a message, by definition and property."""
    names = [name for name in path[1:] if name not in ("properties", "anyOf", "oneOf", "allOf")]
    return f"`{printable('.'.join(names))}`"


_rules = Rows(
    """
# extensions

extension-narrows (error)
    A vendor's extension makes a type of the protocol accept fewer values.
    Instead: put the constraint on types of your own

extension-alters (error)
    A vendor's extension adds to the protocol's own properties, values or methods.
    Instead: put it under your vendor key in `_meta`, or into types of your own

extension-capability (warning)
    A vendor's method is not gated by a capability under the vendor's key in `_meta`.
    Instead: advertise it under your vendor key in the capabilities' `_meta`, and name that path in `x-capability`
    (`false`: nothing gates it)

extension-removes (error)
    A vendor's extension removes a part of the protocol.
    Instead: keep it; a peer that does not implement a method answers "method not found"
"""
)

ROWS = (
    fault_lint("extensions", MISNAMED, Loaded, silent),
    _rules.lint("extension-narrows", Loaded, silent),
    _rules.lint("extension-alters", Loaded, silent),
    _rules.lint("extension-capability", Loaded, silent),
    _rules.lint("extension-removes", Loaded, silent),
)

_CHECKS: Mapping[str, Callable[[Schema, Extended], Iterator[tuple[str, str]]]] = {
    MISNAMED.id: _names,
    "extension-narrows": _narrowed,
    "extension-alters": _altered,
    "extension-capability": _capabilities,
}
"""Checks that return pointers into the extended document with problems."""


def extension_findings(extended: Schema, document: Document) -> list[Finding]:
    """Problems of the extensions of a document, in the order of the rules. `extended`: the document, loaded."""
    if not isinstance(document, Extended):
        return []
    found = [
        (rule, document.origin(pointer)[1], Place(*document.place(pointer, key=True)), message)
        for rule in ROWS[:-1]
        for pointer, message in _CHECKS[rule.id](extended, document)
    ]
    found += [(ROWS[-1], *removed) for removed in _removed(document)]
    return [rule.finding(pointer, place, message) for rule, pointer, place, message in found]
