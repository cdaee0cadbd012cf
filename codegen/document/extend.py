"""A schema document with extensions applied, which still knows where each part of it came from.

    objects merge, arrays append       as Overlay 1.0 has it, action by action, in order
    a target that matches nothing      is an error
    what is there stays as it is       an update adds; only descriptions and other annotations, and the stages of RFDs, may change.
                                       To put something else in a place: `remove` what is there, then add
    what two extensions both bring     must be the same

A fault in something that an extension brought is reported in the extension's own file; see `Extended.place`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .. import faults
from ..errors import CodegenError, Fault, SchemaError, printable, quoted
from .jsonvalue import is_json_array, is_json_object
from .keywords import ANNOTATIONS
from .overlay import Action, Extension, select
from .read import MAX_DEPTH, Document, join, pointer_parts
from .walk import kind_of

MAX_SELECTED = 10_000
RFDS = "x-rfds"

# What says that a schema is meant whole, not as an addition to one that is there.
_WHOLE = frozenset({"type", "$ref", "allOf", "anyOf", "oneOf", "enum", "const", "x-method"})
_MAY_CHANGE = ANNOTATIONS - {"$id", "$schema", "discriminator"}

Path = tuple[str | int, ...]


class Node:
    """A JSON value with the place it came from. Opened one level at a time, so that what nobody touches costs nothing."""

    __slots__ = ("_items", "_value", "document", "pointer")

    def __init__(self, document: Document, pointer: str, value: Any) -> None:
        self.document = document
        self.pointer = pointer
        self._value = value
        self._items: dict[str, Node] | list[Node] | None = None

    @property
    def value(self) -> Any:
        """The value as plain JSON."""
        if isinstance(self._items, dict):
            return {name: child.value for name, child in self._items.items()}
        return [child.value for child in self._items] if self._items is not None else self._value

    def members(self) -> dict[str, Node]:
        """The members of an object, by name; of anything else none."""
        if self._items is None and is_json_object(self._value):
            self._items = {name: self._child(name, value) for name, value in self._value.items()}
        return self._items if isinstance(self._items, dict) else {}

    def items(self) -> list[Node]:
        """The items of an array; of anything else none."""
        if self._items is None and is_json_array(self._value):
            self._items = [self._child(index, value) for index, value in enumerate(self._value)]
        return self._items if isinstance(self._items, list) else []

    def child(self, step: str | int) -> Node | None:
        """The part one step below; None where there is none."""
        if is_json_object(self._value):
            return self.members().get(str(step))
        items = self.items()
        index = int(step) if isinstance(step, int) or step.isdecimal() else len(items)
        return items[index] if index < len(items) else None

    def drop(self, step: str | int) -> None:
        """Take a part out."""
        if is_json_object(self._value):
            del self.members()[str(step)]
        else:
            del self.items()[int(step)]

    @property
    def touched(self) -> bool:
        """Whether the parts below have been looked at one by one: where not, all of them come from where this does."""
        return self._items is not None

    @property
    def is_object(self) -> bool:
        """Whether the value is an object."""
        return is_json_object(self._value)

    @property
    def is_array(self) -> bool:
        """Whether the value is an array."""
        return is_json_array(self._value)

    @property
    def place(self) -> str:
        """Where the value stands, for a message."""
        line, column = self.document.locate(self.pointer, key=True)
        return f"{printable(self.document.name)}:{line}:{column}"

    def _child(self, step: str | int, value: Any) -> Node:
        return Node(self.document, join(self.pointer, step), value)


@dataclass(frozen=True)
class Removal:
    """Something of the base that an action removed: its pointer in the base, and the action."""

    pointer: str
    extension: Extension
    action: Action


@dataclass(frozen=True)
class Extended(Document):
    """A document with extensions applied; `value` is the outcome, `text` the base's."""

    base: Document
    extensions: tuple[Extension, ...]
    removed: tuple[Removal, ...]
    tree: Node = field(repr=False, compare=False)

    def origin(self, pointer: str) -> tuple[Document, str]:
        """The document a part came from and its pointer there; that of the deepest part on the way where there is none."""
        node = self.tree
        parts = pointer_parts(pointer)
        for index, part in enumerate(parts):
            below = node.child(part)
            if below is None:
                return node.document, join(node.pointer, *parts[index:])
            node = below
        return node.document, node.pointer

    def place(self, pointer: str, *, key: bool = False) -> tuple[str, int, int]:
        """File, line and column of what a pointer names."""
        document, own = self.origin(pointer)
        return (document.name, *document.locate(own, key=key))

    def locate(self, pointer: str, *, key: bool = False) -> tuple[int, int]:
        """Line and column in the file that `place` names."""
        return self.place(pointer, key=key)[1:]

    def error(self, pointer: str, problem: str, fault: Fault, *, key: bool = False, instead: str = "") -> SchemaError:
        """The error to raise for a fault at a pointer: in the file that brought it, by its pointer there."""
        document, own = self.origin(pointer)
        return document.error(own, problem, fault, key=key, instead=instead)

    def source(self, document: Document) -> Extension | None:
        """The extension that a document is; None for the base."""
        return next((e for e in self.extensions if e.document is document), None)

    def rfds_of(self, extension: Extension) -> set[str]:
        """The RFDs that an extension adds to the table, or changes there. With any, it is an RFD's extension; else a vendor's."""
        table = self.tree.child(RFDS)
        entries = table.members() if table is not None else {}
        return {
            name
            for name, node in entries.items()
            if any(part.document is extension.document for part in (node, *node.members().values()))
        }


def extend(base: Document, extensions: Sequence[Extension]) -> Document:
    """The base with extensions applied in order; the base itself where there are none. Raises SchemaError."""
    if not extensions:
        return base
    tree = Node(base, "", base.value)
    removed: list[Removal] = []
    for extension in extensions:
        for action in extension.actions:
            removed += _Step(base, extension, action, tree).apply()
    document = Extended(base.name, base.text, tree.value, base, tuple(extensions), tuple(removed), tree)
    _check_depth(document)
    return document


def check_names(document: Document) -> None:
    """Raise SchemaError where an extension adds a method under a name that it must not take."""
    for pointer, problem in misnamed(document):
        raise document.error(pointer, problem, faults.MISNAMED)


def misnamed(document: Document) -> list[tuple[str, str]]:
    """The methods that extensions add under names they must not take: pointers to the names, and what is wrong."""
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
                f"the method {quoted(method.value)}: what a vendor adds starts with `_`; an extension that tries an RFD "
                f"adds it to `{RFDS}` and names it by `x-rfd`"
            )
            found.append((join("", "$defs", name, "x-method"), problem))
    return found


def at_fault(document: Document, error: SchemaError, judge: Callable[[Document], object]) -> SchemaError:
    """An error that shows in the base although an extension causes it, at the action that does; any other as it is.

    `judge` raises CodegenError on a document that is not in order.
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
    return extension.document.error(
        pointer,
        f"this leads to a fault at {printable(error.file)}:{error.line}:{error.column}: {error.problem}",
        error.fault,
        instead=error.instead,
    )


def _fails(base: Document, extensions: Sequence[Extension], judge: Callable[[Document], object]) -> bool:
    try:
        judge(extend(base, extensions))
    except CodegenError:
        return True
    return False


class _Step:
    """One action, applied to a tree."""

    def __init__(self, base: Document, extension: Extension, action: Action, tree: Node) -> None:
        self.base, self.extension, self.action, self.tree = base, extension, action, tree

    def apply(self) -> list[Removal]:
        selected = select(self.extension, self.action, self.tree.value)
        if not selected:
            raise self._error("target", f"the target {quoted(self.action.target)} matches nothing in {self._what()}")
        if len(selected) > MAX_SELECTED:
            raise self._error(
                "target", f"the target {quoted(self.action.target)} matches more than {MAX_SELECTED} places"
            )
        for path in selected:
            if len(path) > MAX_DEPTH:
                raise self._error("target", f"nested more than {MAX_DEPTH} levels deep")
            node = self._at(path)
            if not node.is_object and not node.is_array:
                raise self._error("target", f"the target selects {quoted(node.value)}; select the object that holds it")
        if self.action.remove:
            return [removal for path in sorted(selected, reverse=True) for removal in self._remove(path)]
        for path in selected:
            self._update(path)
        return []

    def _what(self) -> str:
        return printable(self.base.name) + (
            " as extended so far" if self.extension.actions[0] is not self.action else ""
        )

    def _at(self, path: Path) -> Node:
        node = self.tree
        for part in path:
            below = node.child(part)
            assert below is not None
            node = below
        return node

    def _remove(self, path: Path) -> list[Removal]:
        if not path:
            raise self._error("target", "the whole schema cannot be removed")
        node = self._at(path)
        self._at(path[:-1]).drop(path[-1])
        return [Removal(node.pointer, self.extension, self.action)] if node.document is self.base else []

    def _update(self, path: Path) -> None:
        target = self._at(path)
        # Made anew for every place, because a later action may change one of them.
        update = Node(self.extension.document, join(self.action.pointer, "update"), self.action.update)
        if target.is_object and update.is_object:
            self._merge(target, update, path)
        elif target.is_object:
            raise self._error("update", "the target is an object, so `update` must be one too")
        elif update.is_array:
            raise self._error("update", "`update` is one entry to append to the array; write an action for each")
        else:
            target.items().append(update)

    def _merge(self, target: Node, update: Node, path: Path) -> None:
        kind = kind_of(path)
        for name, new in update.members().items():
            old = target.members().get(name)
            if old is None:
                target.members()[name] = new
            elif _same(old, new):
                continue
            elif old.is_object and new.is_object:
                if kind == "schemas":
                    self._check_addition(old, new, (*path, name))
                self._merge(old, new, (*path, name))
            elif old.is_array and new.is_array:
                old.items().extend(new.items())
            elif self._may_change(old, new, kind, path, name):
                target.members()[name] = new
            else:
                raise new.document.error(new.pointer, self._conflict(old, new, name), faults.CONFLICT, key=True)

    def _check_addition(self, old: Node, new: Node, path: Path) -> None:
        """A definition or property that is there already can be added to, not defined once more."""
        foreign = old.document is not self.base and old.document is not self.extension.document
        if foreign or _WHOLE & new.members().keys():
            what = "definition" if len(path) == 2 else "property"
            target = "$" + "".join(f"[{step!r}]" for step in path)
            problem = f"the {what} {quoted(path[-1])} is there already ({old.place}), and not the same"
            problem = f"{problem}; to add to it, target {printable(target)}"
            raise new.document.error(new.pointer, problem, faults.CONFLICT, key=True)

    def _may_change(self, old: Node, new: Node, kind: str, path: Path, name: str) -> bool:
        """Whether a value may be replaced: texts for people, and what the table says of an RFD."""
        if old.document is not self.base and old.document is not self.extension.document:
            return False
        both_plain = not (old.is_object or old.is_array or new.is_object or new.is_array)
        table = bool(path) and path[0] == RFDS
        return both_plain and (table or (kind in ("root", "schema") and name in _MAY_CHANGE))

    def _conflict(self, old: Node, new: Node, name: str) -> str:
        return (
            f"`{printable(name)}` is {quoted(old.value)} already ({old.place}), not {quoted(new.value)}; an extension adds "
            "and does not overwrite: remove what holds it first, then add that anew"
        )

    def _error(self, key: str, problem: str) -> SchemaError:
        return self.extension.document.error(join(self.action.pointer, key), problem, faults.TARGET)


def _same(old: Node, new: Node) -> bool:
    return json.dumps(old.value, sort_keys=True) == json.dumps(new.value, sort_keys=True)


def _check_depth(document: Extended) -> None:
    """Updates may nest deeply what each of them nests only a little."""
    stack: list[tuple[Any, Path]] = [(document.value, ())]
    while stack:
        value, path = stack.pop()
        if len(path) >= MAX_DEPTH and (is_json_object(value) or is_json_array(value)):
            raise document.error(join("", *path), f"nested more than {MAX_DEPTH} levels deep", faults.TOO_DEEP)
        if is_json_object(value):
            stack += [(child, (*path, name)) for name, child in value.items()]
        elif is_json_array(value):
            stack += [(child, (*path, index)) for index, child in enumerate(value)]
