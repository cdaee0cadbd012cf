"""Apply extensions to a schema document, and remember the file of each part of the result.

`merge` defines the effect of an action. Errors in a part that an extension added are reported in the extension's file
(`Extended.place`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from .. import diagnostics
from ..errors import CodegenError, Fault, SchemaError, printable, quoted
from ..limits import DEPTH
from .merge import RFDS, Merge, Removal, Spent
from .overlay import Extension
from .provenance import Node
from .read import Document, join, located, pointer_parts


@dataclass(frozen=True)
class Extended(Document):
    """A document with extensions applied. `value` is the result; `text` is the base's text."""

    base: Document
    extensions: tuple[Extension, ...]
    removed: tuple[Removal, ...]
    tree: Node = field(repr=False, compare=False)

    def origin(self, pointer: str) -> tuple[Document, str]:
        """The source document and pointer of a part; if the part does not exist, of its nearest ancestor."""
        node = self.tree
        parts = pointer_parts(pointer)
        for index, part in enumerate(parts):
            below = node.child(part)
            if below is None:
                return node.document, join(node.pointer, *parts[index:])
            node = below
        return node.document, node.pointer

    def place(self, pointer: str, *, key: bool = False) -> tuple[str, int, int]:
        """The file, line and column of a pointer."""
        document, own = self.origin(pointer)
        return (document.name, *document.locate(own, key=key))

    def locate(self, pointer: str, *, key: bool = False) -> tuple[int, int]:
        """Line and column in the file that `place` returns."""
        return self.place(pointer, key=key)[1:]

    def error(self, pointer: str, problem: str, fault: Fault, *, key: bool = False, instead: str = "") -> SchemaError:
        """The error for a fault at a pointer, located in the source file of the part."""
        document, own = self.origin(pointer)
        error = document.error(own, problem, fault, key=key, instead=instead)
        error.whole = pointer
        return error

    def added_in(self, pointer: str) -> Node | None:
        """The first part at a pointer that an extension added to the base's value; None if there is none."""
        node: Node | None = self.tree
        for part in pointer_parts(pointer):
            node = node.child(part) if node is not None else None
        waiting = [node] if node is not None else []
        while waiting:
            below = waiting.pop()
            if below.document is not self.base:
                return below
            if below.touched:
                waiting += reversed([*below.members().values(), *below.items()])
        return None

    def source(self, document: Document) -> Extension | None:
        """The extension that a document belongs to; None for the base."""
        return next((e for e in self.extensions if e.document is document), None)

    def rfds_of(self, extension: Extension) -> set[str]:
        """The RFDs that an extension adds or changes. An extension without RFDs belongs to a vendor."""
        table = self.tree.child(RFDS)
        entries = table.members() if table is not None else {}
        return {
            name
            for name, node in entries.items()
            if any(part.document is extension.document for part in (node, *node.members().values()))
        }


def extend(base: Document, extensions: Sequence[Extension]) -> Document:
    """The base with extensions applied in order, or the base itself without extensions. Raises SchemaError."""
    if not extensions:
        return base
    tree = Node(base, "", base.value)
    removed: list[Removal] = []
    for extension in extensions:
        spent = Spent()
        for action in extension.actions:
            removed += Merge(base, extension, action, tree, spent).apply()
    document = Extended(base.name, base.text, tree.value, base, tuple(extensions), tuple(removed), tree)
    _check_depth(document)
    return document


def check_names(document: Document) -> None:
    """Raise SchemaError if an extension adds a method under a reserved name."""
    for pointer, problem in misnamed(document):
        raise document.error(pointer, problem, diagnostics.MISNAMED)


def misnamed(document: Document) -> list[tuple[str, str]]:
    """The methods that extensions add under reserved names: pointers to the names, with the problems."""
    if not isinstance(document, Extended):
        return []
    found: list[tuple[str, str]] = []
    definitions = document.tree.child("$defs")
    for name, definition in definitions.members().items() if definitions is not None else ():
        method = definition.child("x-method")
        extension = document.source(method.document) if method is not None else None
        if method is None or extension is None or not isinstance(method.value, str) or method.value.startswith("_"):
            continue
        rfd = definition.child("x-rfd")
        if rfd is None or rfd.value not in document.rfds_of(extension):
            problem = (
                f"the method {quoted(method.value)}: methods of a vendor must start with `_`; an extension for an RFD "
                f"must add the RFD to `{RFDS}` and name it in `x-rfd`"
            )
            found.append((join("", "$defs", name, "x-method"), problem))
    return found


def blamed(document: Document, error: SchemaError, judge: Callable[[Document], object]) -> SchemaError:
    """The error, located at the action that causes it. `judge` must raise the error for the base of an extended
    document.

    It tests the base with the first extensions, then without single actions, until the error disappears.
    """
    if not isinstance(document, Extended) or error.file != document.base.name or _fails(document.base, (), judge):
        return error
    applied = document.extensions
    count = next(
        n for n in range(1, len(applied) + 1) if n == len(applied) or _fails(document.base, applied[:n], judge)
    )
    before, extension = applied[: count - 1], applied[count - 1]
    pointer = "/actions"
    for action in extension.actions:
        others = tuple(other for other in extension.actions if other is not action)
        if not _fails(document.base, (*before, replace(extension, actions=others)), judge):
            pointer = action.pointer
            break
    return extension.document.error(pointer, _leads_to(error), error.fault, instead=error.instead)


def at_additions(document: Document, error: SchemaError, before: SchemaError | None) -> SchemaError:
    """Relocate the errors in the base to the additions of an extension. `before`: the errors of the base alone."""
    if not isinstance(document, Extended):
        return error
    earlier = (before, *before.others) if before is not None else ()
    known = {(one.pointer, one.problem) for one in earlier}
    found = [
        one if one.file != document.base.name or (one.pointer, one.problem) in known else _at_addition(document, one)
        for one in (error, *error.others)
    ]
    found[0].others = tuple(found[1:])
    return found[0]


def _at_addition(document: Extended, error: SchemaError) -> SchemaError:
    part = document.added_in(error.whole or "")
    if part is None:
        return error
    found = part.document.error(part.pointer, _leads_to(error), error.fault, key=True, instead=error.instead)
    found.whole = error.whole
    return found


def _leads_to(error: SchemaError) -> str:
    return f"this causes an error at {printable(error.file)}:{error.line}:{error.column}: {error.problem}"


def _fails(base: Document, extensions: Sequence[Extension], judge: Callable[[Document], object]) -> bool:
    try:
        judge(extend(base, extensions))
    except CodegenError:
        return True
    return False


def _check_depth(document: Extended) -> None:
    """Reject nesting beyond the limit, which several shallow updates can reach together."""
    for value, steps in located(document.value):
        if len(steps) >= DEPTH.most and isinstance(value, (dict, list)):
            raise document.error(join("", *steps), DEPTH.problem, diagnostics.TOO_DEEP)
