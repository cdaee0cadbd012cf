"""Rules about extension documents: what a vendor's extension may do to the protocol that it extends.

    its methods start with `_`                        any other name belongs to the protocol, and so to an RFD
    nothing of the protocol is removed                peers that know the protocol rely on all of it
    nothing of it is narrowed                         what they send has to be accepted
    nothing is put among the protocol's own parts     `_meta` is the room for that
    a capability is under `_meta`, by vendor key  and says what gates a method

An extension that adds an RFD to the table tries a change of the protocol: it is judged as a change, not by these rules
(but by the first). Plain functions over an extended document; each finding is placed in the file of the extension.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from msgspec import Struct

from ..document.extend import Extended, misnamed
from ..document.overlay import Extension
from ..document.read import Document, join
from ..document.tree import Node
from ..document.walk import Kind, step
from ..errors import printable, quoted
from ..faults import MISNAMED
from ..findings.finding import Level, Place
from ..model.types import Schema
from ..runtime.capabilities import locate, split

META = "_meta"

_NARROWING = frozenset(
    """
    type const enum $ref allOf anyOf oneOf not items prefixItems required pattern minLength maxLength minItems maxItems
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf additionalProperties unevaluatedProperties
    """.split()
)
_METHOD = frozenset({"x-method", "x-side", "x-capability"})


class ExtensionFinding(Struct, frozen=True, kw_only=True):
    """What a rule found; `pointer` leads into the document of the extension, where `place` is."""

    id: str
    level: Level
    pointer: str
    place: Place
    message: str
    instead: str


class ExtensionRule(Struct, frozen=True, kw_only=True):
    """A row of the table; `check` yields pointers into the extended document with what is wrong there."""

    id: str
    level: Level
    purpose: str
    instead: str
    check: Callable[[Schema, Extended], Iterator[tuple[str, str]]]


class Addition(Struct, frozen=True):
    """Something that a vendor's extension put into a part of the base: where, into what, and under which key."""

    pointer: str
    parent: Kind
    path: tuple[str, ...]
    node: Node


def extension_findings(extended: Schema, document: Document) -> list[ExtensionFinding]:
    """What is wrong with the extensions of a document, in the order of the rules. `extended`: the document, loaded."""
    if not isinstance(document, Extended):
        return []
    found = [
        _finding(rule, document, pointer, message)
        for rule in RULES
        for pointer, message in rule.check(extended, document)
    ]
    return [*found, *_removals(document)]


def _finding(rule: ExtensionRule, document: Extended, pointer: str, message: str) -> ExtensionFinding:
    _, own = document.origin(pointer)
    return ExtensionFinding(
        id=rule.id,
        level=rule.level,
        pointer=own,
        place=Place(*document.place(pointer, key=True)),
        message=message,
        instead=rule.instead,
    )


# --- the rules -------------------------------------------------------------------------------------------------------


def _names(_: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    yield from misnamed(document)


def _removals(document: Extended) -> Iterator[ExtensionFinding]:
    for removal in document.removed:
        if not _is_rfd(document, removal.extension):
            own = join(removal.action.pointer, "target")
            yield ExtensionFinding(
                id=REMOVES.id,
                level=REMOVES.level,
                pointer=own,
                place=Place(*removal.extension.document.place(own)),
                message=f"{printable(removal.pointer)} of the protocol is removed",
                instead=REMOVES.instead,
            )


def _narrowed(_: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    for added in _additions(document):
        *owner, key = added.path
        if added.parent == "schema" and key in _NARROWING:
            yield added.pointer, f"`{key}` narrows what {_named(owner)} accepts"
        elif added.parent == "variants" and owner[-1] == "allOf":
            yield added.pointer, f"one more entry of `allOf` narrows what {_named(owner[:-1])} accepts"
        elif added.parent == "data" and owner[-1] == "required":
            yield added.pointer, f"{_named(owner[:-1])} without {quoted(added.node.value)} is no longer accepted"


def _altered(_: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    for added in _additions(document):
        *owner, key = added.path
        inside_meta = META in owner
        if added.parent == "schemas" and owner[-1] == "properties" and not inside_meta:
            yield (
                added.pointer,
                f"the property {quoted(key)} is added to {_named(owner[:-1])}, which is the protocol's own",
            )
        elif added.parent == "schema" and key == "properties" and not inside_meta:
            yield added.pointer, f"properties are added to {_named(owner)}, which is the protocol's own"
        elif added.parent == "schema" and key in _METHOD:
            yield added.pointer, f"`{key}` is added to {_named(owner)}, which is the protocol's own"
        elif (added.parent == "variants" and owner[-1] in ("anyOf", "oneOf")) or (
            added.parent == "data" and owner[-1] in ("enum", "type")
        ):
            yield added.pointer, f"a value is added to {_named(owner[:-1])}, which is the protocol's own"


def _capabilities(extended: Schema, document: Extended) -> Iterator[tuple[str, str]]:
    for method in extended.methods:
        origin, _ = document.origin(method.pointer)
        if document.source(origin) is None or not method.path.startswith("_"):
            continue
        vendor = method.path.removeprefix("_").partition("/")[0]
        if method.capability is None:
            if method.gated is None:
                yield method.pointer, f"nothing says what gates the method {quoted(method.path)}"
        elif (META, vendor) not in pairwise(split(locate(method.capability, "")[1])):
            yield (
                join(method.pointer, "x-capability"),
                f"the gate {quoted(method.capability)} is not under `{META}` by the vendor's key {quoted(vendor)}",
            )


# --- what an extension added to the base -----------------------------------------------------------------------------


def _additions(document: Extended) -> Iterator[Addition]:
    """The topmost parts that vendors' extensions put into parts of the base, in the order of the document."""
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


REMOVES = ExtensionRule(
    id="extension-removes",
    level=Level.error,
    purpose="A vendor's extension removes a part of the protocol.",
    instead='keep it; a peer that does not implement a method answers "method not found"',
    check=lambda _, __: iter(()),  # a removal has no place in the extended document; see `_removals`
)

RULES: tuple[ExtensionRule, ...] = (
    ExtensionRule(
        id=MISNAMED.id,
        level=Level.error,
        purpose=MISNAMED.purpose,
        instead=MISNAMED.instead,
        check=_names,
    ),
    ExtensionRule(
        id="extension-narrows",
        level=Level.error,
        purpose="A vendor's extension makes a type of the protocol accept fewer values.",
        instead="put the constraint on types of your own",
        check=_narrowed,
    ),
    ExtensionRule(
        id="extension-alters",
        level=Level.error,
        purpose="A vendor's extension adds to the protocol's own properties, values or methods.",
        instead="put it under your vendor key in `_meta`, or into types of your own",
        check=_altered,
    ),
    ExtensionRule(
        id="extension-capability",
        level=Level.warning,
        purpose="A vendor's method is not gated by a capability under the vendor's key in `_meta`.",
        instead="advertise it under your vendor key in the capabilities' `_meta`, and name that path in "
        "`x-capability` (`false`: nothing gates it)",
        check=_capabilities,
    ),
    REMOVES,
)
