"""The Python of a method: the handler that implements it, and the call that sends it, from what the stubs are made of."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import Any

from ..emit.public import PEERS, side_classes
from ..emit.stubs import side_context
from ..emit.table import RUNTIME_SIDE, Row, sides
from .book import Book, opposite

_SHORT = 88


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
        return {side: side_context(side, book.table, book.schema, book.shapes) for side in sides(book.table)}

    def handler(self, row: Row) -> str:
        """The method that a program overrides to implement a row; empty where the runtime implements it."""
        made = self._handlers.get((row.side, row.python_name))
        if made is None or row.side == RUNTIME_SIDE:
            return ""
        result = made["result"].partition(" | Awaitable")[0]
        base = side_classes(row.side)[0]
        return f"class My{base}(acp.{base}):\n    async def {made['name']}(self, params: acp.{made['params']}) -> {_qualified(result)}:\n        ..."

    def call(self, row: Row) -> str:
        """The call that sends a row, with its parameters and their types."""
        made = self._calls.get((row.side, row.python_name))
        if made is None:
            return ""
        name = row.side if row.side in PEERS else "connection"
        function = ast.parse(f"async def f({made['signature']}) -> {made['returns']}: ...").body[0]
        assert isinstance(function, ast.AsyncFunctionDef)
        arguments = [
            self._argument(each, default is not None)
            for each, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        ]
        arguments = arguments or [f"params,  # {_text(each.annotation)}" for each in function.args.args[1:]]
        answer = "answer = " if made["returns"] != "None" else ""
        lines = "".join(f"    {argument}\n" for argument in arguments)
        text = f"{answer}await {name}.{made['name']}(" + (f"\n{lines})" if lines else ")")
        return text + (f"  # acp.{made['returns']}" if answer else "")

    def _argument(self, argument: ast.arg, optional: bool) -> str:
        kind = _text(argument.annotation).removesuffix(" | UnsetType")
        return f"{argument.arg}=...,  # {kind}{', optional' if optional else ''}"

    def caller(self, row: Row) -> str:
        """What a program holds that can make the call."""
        return side_classes(opposite(row.side) if row.side in PEERS else row.side)[1]


def _text(annotation: ast.expr | None) -> str:
    return ast.unparse(annotation) if annotation is not None else "Any"


def _qualified(result: str) -> str:
    return " | ".join(part if part == "None" else f"acp.{part}" for part in result.split(" | "))
