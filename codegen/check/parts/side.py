"""One of the two schemas of a comparison."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...document.extend import Extended
from ...document.json_types import is_json_object
from ...document.read import Document
from ...document.walk import references
from ...errors import SchemaError
from ...findings.finding import Place
from ...load.schema import load
from ...model.naming.leaves import ShapeError
from ...model.naming.lock import Lock
from ...model.naming.settle import Settled, settle
from ...model.nodes.types import Definition, Schema

if TYPE_CHECKING:
    from ...shape.shapes import Shapes


class Written:
    """The definitions of a document as they are written."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def known(self, side: Side) -> Mapping[str, Definition]:
        """The definitions of a loaded schema that need not be loaded again here."""
        definitions = side.schema.definitions
        found = set[str]() if side.schema.tolerant else unchanged(side, self) & definitions.keys()
        return {name: definitions[name] for name in found}

    @property
    def written(self) -> dict[str, Any]:
        """The definitions as JSON; none in a document that does not load."""
        found = self.document.value.get("$defs") if is_json_object(self.document.value) else None
        return found if is_json_object(found) else {}

    @cached_property
    def references(self) -> Mapping[str, frozenset[str]]:
        """The definitions to which each definition refers."""
        return {name: frozenset(references(node)) for name, node in self.written.items()}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each definition. In Python, true equals 1."""
        return {name: json.dumps(node) for name, node in self.written.items()}


class Side(Written):
    """A loaded schema, its document, and its names lock. `whole`: the schema that it is a part of."""

    def __init__(
        self, document: Document, schema: Schema, lock: Lock | None = None, whole: Schema | None = None
    ) -> None:
        super().__init__(document)
        self.schema, self.lock, self.whole = schema, lock, whole

    def place(self, pointer: str) -> Place:
        """The file position of a pointer."""
        return Place(*self.document.place(pointer, key=True))

    @cached_property
    def names(self) -> Settled | None:
        """The Python names that `generate` would assign; None for a schema that cannot become a package."""
        try:
            return self.settled
        except (SchemaError, ShapeError):
            return None

    @cached_property
    def settled(self) -> Settled:
        """The same. Raises SchemaError or ShapeError."""
        base, lock = None, self.lock
        if isinstance(self.document, Extended) and self.document.extensions:
            base, _ = load(self.document.base)
            lock = (lock or Lock()).under(settle(base, lock=lock).lock)
        return settle(self.schema, self.whole, lock, base)

    @cached_property
    def shapes(self) -> Shapes:
        """The classes that `generate` would write. Raises SchemaError or ShapeError."""
        from ...shape.shaping import shape_settled  # noqa: PLC0415  # few comparisons want it

        return shape_settled(self.settled)


def unchanged(old: Written, new: Written) -> set[str]:
    """The definitions that are identical in both documents, including everything that they refer to."""
    found = {name for name, text in new.texts.items() if old.texts.get(name) == text}
    while changed := {name for name in found if not new.references[name] <= found}:
        found -= changed
    return found
