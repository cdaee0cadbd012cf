"""Apply one action of an extension to a document.

objects and arrays                 objects are merged, arrays are appended, as in Overlay 1.0
a target that matches nothing      is an error
existing values                    stay; an update may change only descriptions, other annotations, and stages of RFDs
the same part in two extensions    must be equal in both
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from .. import diagnostics
from ..errors import SchemaError, printable, quoted
from ..limits import COPIES, DEPTH, PLACES
from .jsonpath import Steps, select, suggestion
from .keywords import ANNOTATIONS
from .overlay import Action, Extension
from .provenance import Node, Path
from .read import Document, join
from .walk import everything, kind_of

RFDS = "x-rfds"

# Keywords of a complete schema, as opposed to an addition to an existing one.
_WHOLE = frozenset({"type", "$ref", "allOf", "anyOf", "oneOf", "enum", "const", "x-method"})
_MAY_CHANGE = ANNOTATIONS - {"discriminator"}


@dataclass(frozen=True)
class Removal:
    """A part of the base that an action removed: its pointer in the base, and the action."""

    pointer: str
    extension: Extension
    action: Action


class Spent:
    """The cost of the actions of an extension so far."""

    def __init__(self) -> None:
        self.steps, self.copies = Steps(), 0


class Merge:
    """One action of an extension, applied to a tree."""

    def __init__(self, base: Document, extension: Extension, action: Action, tree: Node, spent: Spent) -> None:
        self.base, self.extension, self.action, self.tree, self.spent = base, extension, action, tree, spent

    def apply(self) -> list[Removal]:
        selected = select(self.extension, self.action, self.tree, self.spent.steps)
        if not selected:
            problem = f"the target {quoted(self.action.target)} matches nothing in {self._what()}"
            raise self._error("target", problem, suggestion(self.action.target, self.tree))
        if len(selected) > PLACES.most:
            raise self.extension.document.over(join(self.action.pointer, "target"), PLACES)
        for path in selected:
            if len(path) > DEPTH.most:
                raise self._error("target", DEPTH.problem)
            node = self.tree.at(path)
            if not node.is_object and not node.is_array:
                raise self._error(
                    "target", f"the target selects {quoted(node.value)}; select the object that contains it"
                )
        if self.action.remove:
            return [removal for path in sorted(selected, reverse=True) for removal in self._remove(path)]
        addition = self._addition()
        self.spent.copies += len(selected) * sum(1 for _ in everything(addition))
        if self.spent.copies > COPIES.most:
            raise self.extension.document.over(join(self.action.pointer, "update"), COPIES)
        for path in selected:
            self._update(path, addition)
        return []

    def _what(self) -> str:
        return printable(self.base.name) + (
            " as extended so far" if self.extension.actions[0] is not self.action else ""
        )

    def _remove(self, path: Path) -> list[Removal]:
        if not path:
            raise self._error("target", "the whole schema cannot be removed")
        node = self.tree.at(path)
        self.tree.at(path[:-1]).drop(path[-1])
        return [Removal(node.pointer, self.extension, self.action)] if node.document is self.base else []

    def _addition(self) -> Any:
        """The value to merge into each place: `update`, or a copy of the selection of `copy`."""
        if self.action.copy is None:
            return self.action.update
        source = replace(self.action, target=self.action.copy)
        selected = select(self.extension, source, self.tree, self.spent.steps)
        if len(selected) != 1:
            problem = (
                f"`copy` {quoted(self.action.copy)} selects {len(selected) or 'no'} parts, expected one part of the "
                "document"
            )
            raise self._error("copy", problem, "" if selected else suggestion(self.action.copy, self.tree))
        return self.tree.at(selected[0]).value

    def _update(self, path: Path, addition: Any) -> None:
        target = self.tree.at(path)
        key = "update" if self.action.copy is None else "copy"
        # A copy for every place, because a later action may change one of them.
        update = Node(self.extension.document, join(self.action.pointer, key), addition)
        if target.is_object and update.is_object:
            self._merge(target, update, path)
        elif target.is_object:
            raise self._error(key, f"the target is an object, so `{key}` must be an object, too")
        elif update.is_array:
            raise self._error(key, f"`{key}` must be one entry to append to the array; write one action per entry")
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
                raise new.document.error(new.pointer, self._conflict(old, new, name), diagnostics.CONFLICT, key=True)

    def _check_addition(self, old: Node, new: Node, path: Path) -> None:
        """Reject a second definition of an existing definition or property. Extensions may only add to it."""
        foreign = old.document is not self.base and old.document is not self.extension.document
        if foreign or _WHOLE & new.members().keys():
            what = "definition" if len(path) == 2 else "property"
            target = "$" + "".join(f"[{step!r}]" for step in path)
            problem = f"the {what} {quoted(path[-1])} already exists ({old.place}) with another value"
            problem = f"{problem}; to add to it, target {printable(target)}"
            raise new.document.error(new.pointer, problem, diagnostics.CONFLICT, key=True)

    def _may_change(self, old: Node, new: Node, kind: str, path: Path, name: str) -> bool:
        """Return whether a value may be replaced: descriptive texts, and entries in the table of RFDs."""
        if old.document is not self.base and old.document is not self.extension.document:
            return False
        both_plain = not (old.is_object or old.is_array or new.is_object or new.is_array)
        table = bool(path) and path[0] == RFDS
        return both_plain and (table or (kind in ("root", "schema") and name in _MAY_CHANGE))

    def _conflict(self, old: Node, new: Node, name: str) -> str:
        return (
            f"`{printable(name)}` is already {quoted(old.value)} ({old.place}), found {quoted(new.value)}; extensions "
            "cannot overwrite values: first remove the part that contains it, then add the part again"
        )

    def _error(self, key: str, problem: str, instead: str = "") -> SchemaError:
        return self.extension.document.error(
            join(self.action.pointer, key), problem, diagnostics.TARGET, instead=instead
        )


def _same(old: Node, new: Node) -> bool:
    return json.dumps(old.value, sort_keys=True) == json.dumps(new.value, sort_keys=True)
