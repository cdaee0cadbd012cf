"""One of the two schemas of a comparison."""

from __future__ import annotations

from ..document.read import Document
from ..findings.finding import Place
from ..model.types import Schema


class Side:
    """A loaded schema, and the document its places are in."""

    def __init__(self, document: Document, schema: Schema) -> None:
        self.document, self.schema = document, schema

    def place(self, pointer: str) -> Place:
        """Where a pointer leads."""
        return Place(*self.document.place(pointer, key=True))
