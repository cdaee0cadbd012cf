"""The Python names of a method: the handler that implements it, and the call that sends it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..emit.stubs import side_context
from ..shape.method_table import RUNTIME_SIDE, Row, sides
from ..shape.nodes import node_tables
from ..shape.public import PEERS, side_classes
from .book import Book, opposite


class Python:
    """The Python names of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    @cached_property
    def _contexts(self) -> dict[str, dict[str, Any]]:
        book, nodes = self.book, node_tables(self.book.shapes)
        return {side: side_context(side, book.table, book.schema, book.shapes, nodes) for side in sides(book.table)}

    def handler(self, row: Row) -> str:
        """The method that a program overrides to handle a row; empty if the runtime handles it."""
        found = (
            each for each in self._contexts.get(row.side, {}).get("handlers", ()) if each["name"] == row.python_name
        )
        made = next(found, None)
        if made is None or row.side == RUNTIME_SIDE:
            return ""
        result = ("None" if made["result"] is None else f"acp.{made['result']}") + " | None" * made["may_be_none"]
        base = side_classes(row.side)[0]
        head = f"class My{base}(acp.{base}):\n    async def {made['name']}"
        return f"{head}(self, params: acp.{made['params']}) -> {result}:\n        ..."

    def call(self, row: Row) -> str:
        """The call that sends a row, with its parameters and their types."""
        calls = (each for made in self._contexts.values() if made["callee"] == row.side for each in made["calls"])
        made = next((each for each in calls if each["name"] == row.python_name), None)
        if made is None:
            return ""
        arguments = [
            f"{each['name']}=...,  # {each['type']}{', optional' if each['optional'] else ''}"
            for each in made["parameters"]
        ]
        arguments = [f"params,  # {made['whole']}"] if made["whole"] else arguments
        lines = "".join(f"    {argument}\n" for argument in arguments)
        name = row.side if row.side in PEERS else "connection"
        text = f"await {name}.{made['name']}(" + (f"\n{lines})" if lines else ")")
        return f"answer = {text}  # acp.{made['result']}" if made["result"] else text

    def caller(self, row: Row) -> str:
        """The expressions in a program whose objects have the call."""
        return side_classes(opposite(row.side) if row.side in PEERS else row.side)[1]
