"""The Python of a method: the handler that implements it, and the call that sends it, from the data behind the stubs."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...emit.stubs import side_context
from ...shape.method_table import RUNTIME_SIDE, Row, sides
from ...shape.nodes import node_tables
from ...shape.public import PEERS, side_classes
from ..book.context import Book, opposite


class Python:
    """The Python side of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    @cached_property
    def _handlers(self) -> dict[tuple[str, str], dict[str, Any]]:
        return {(side, each["name"]): each for side, made in self._contexts.items() for each in made["handlers"]}

    @cached_property
    def _calls(self) -> dict[tuple[str, str], dict[str, Any]]:
        return {(made["callee"], each["name"]): each for made in self._contexts.values() for each in made["calls"]}

    @cached_property
    def _contexts(self) -> dict[str, dict[str, Any]]:
        book = self.book
        nodes = node_tables(book.shapes)
        return {side: side_context(side, book.table, book.schema, book.shapes, nodes) for side in sides(book.table)}

    def handler(self, row: Row) -> str:
        """The method that a program overrides to implement a row; empty where the runtime implements it."""
        made = self._handlers.get((row.side, row.python_name))
        if made is None or row.side == RUNTIME_SIDE:
            return ""
        result = _qualified(made["result"]) + (" | None" if made["may_be_none"] else "")
        base = side_classes(row.side)[0]
        return f"class My{base}(acp.{base}):\n    async def {made['name']}(self, params: acp.{made['params']}) -> {result}:\n        ..."

    def call(self, row: Row) -> str:
        """The call that sends a row, with its parameters and their types."""
        made = self._calls.get((row.side, row.python_name))
        if made is None:
            return ""
        name = row.side if row.side in PEERS else "connection"
        arguments = [_argument(each) for each in made["parameters"]]
        arguments = [f"params,  # {made['whole']}"] if made["whole"] else arguments
        answer = "answer = " if made["result"] else ""
        lines = "".join(f"    {argument}\n" for argument in arguments)
        text = f"{answer}await {name}.{made['name']}(" + (f"\n{lines})" if lines else ")")
        return text + (f"  # acp.{made['result']}" if answer else "")

    def caller(self, row: Row) -> str:
        """What a program holds that can make the call."""
        return side_classes(opposite(row.side) if row.side in PEERS else row.side)[1]


def _argument(parameter: dict[str, Any]) -> str:
    return f"{parameter['name']}=...,  # {parameter['type']}{', optional' if parameter['optional'] else ''}"


def _qualified(result: str | None) -> str:
    return "None" if result is None else f"acp.{result}"
