"""One of the two schemas of a comparison."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property

from ...document.extend import Extended
from ...document.read import Document
from ...document.walk import references
from ...errors import SchemaError
from ...findings.finding import Place
from ...load.schema import load
from ...model.naming.leaves import ShapeError
from ...model.naming.lock import Lock
from ...model.naming.settle import Settled, settle
from ...model.nodes.types import Schema


class Side:
    """A loaded schema, its document, and its names lock. `whole`: the schema that it is a part of."""

    def __init__(
        self, document: Document, schema: Schema, lock: Lock | None = None, whole: Schema | None = None
    ) -> None:
        self.document, self.schema, self.lock, self.whole = document, schema, lock, whole

    def place(self, pointer: str) -> Place:
        """The file position of a pointer."""
        return Place(*self.document.place(pointer, key=True))

    @cached_property
    def references(self) -> Mapping[str, frozenset[str]]:
        """The definitions to which each definition refers."""
        return {name: frozenset(references(node)) for name, node in self.document.value["$defs"].items()}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each definition. In Python, true equals 1."""
        return {name: json.dumps(node) for name, node in self.document.value["$defs"].items()}

    @cached_property
    def names(self) -> Settled | None:
        """The Python names that `generate` would assign; None for a schema that cannot become a package."""
        base, lock = None, self.lock
        try:
            if isinstance(self.document, Extended) and self.document.extensions:
                base, _ = load(self.document.base)
                lock = (lock or Lock()).under(settle(base, lock=lock).lock)
            return settle(self.schema, self.whole, lock, base)
        except (SchemaError, ShapeError):
            return None


def unchanged(old: Side, new: Side) -> set[str]:
    """The definitions that are identical in both documents, including everything that they refer to."""
    found = {name for name, text in new.texts.items() if old.texts.get(name) == text}
    while changed := {name for name in found if not new.references[name] <= found}:
        found -= changed
    return found
