"""Functions that make objects, by the table of `official.toml`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from . import schema
from .tables import OFFICIAL


def _made(name: str, make: str, take: list[str], row: dict[str, Any]) -> Callable[..., Any]:
    wrap, called, default = row.get("wrap"), row.get("called", {}), row.get("default", {})
    first = wrap[1] if wrap else take[0]
    names = [first, *take[1:]]

    def helper(*args: Any, **words: Any) -> Any:
        given = default | dict(zip(names, args, strict=False)) | words
        given = {called.get(word, word): value for word, value in given.items() if value is not None}
        if wrap:
            given[take[0]] = getattr(schema, wrap[0])(**{wrap[1]: given.pop(first)})
        return getattr(schema, make)(**given)

    parameters = [inspect.Parameter(word, inspect.Parameter.POSITIONAL_OR_KEYWORD) for word in names]
    parameters.append(inspect.Parameter("members", inspect.Parameter.VAR_KEYWORD))
    helper.__name__ = name
    helper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return helper


_HELPERS: dict[str, Any] = OFFICIAL["helpers"]
globals().update(
    {name: _made(name, row["make"], row["take"], row) for name, row in _HELPERS.items() if "derived" not in row}
)


def start_read_tool_call(tool_call_id: str, title: str, path: str, *, extra_options: Any = None) -> Any:
    """A tool call that reads a file."""
    return _for_file("read", tool_call_id, title, path, {"path": path}, extra_options)


def start_edit_tool_call(tool_call_id: str, title: str, path: str, content: Any, *, extra_options: Any = None) -> Any:
    """A tool call that edits a file."""
    return _for_file("edit", tool_call_id, title, path, {"path": path, "content": content}, extra_options)


def _for_file(kind: str, tool_call_id: str, title: str, path: str, raw_input: Any, content: Any) -> Any:
    names: dict[str, Any] = vars(schema)
    return names["ToolCall"](
        tool_call_id=tool_call_id,
        title=title,
        kind=kind,
        status="pending",
        locations=[names["ToolCallLocation"](path=path)],
        raw_input=raw_input,
        content=None if content is None else list(content),
    )


__all__ = [*_HELPERS]  # noqa: PLE0604
