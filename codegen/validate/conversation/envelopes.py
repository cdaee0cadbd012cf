"""The envelope of a message: JSON-RPC 2.0, without batches."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from ...document.json_types import is_json_array, is_json_object
from ...errors import quoted
from ..values.notes import Note, undeclared_note
from ..values.suggestions import nearest

VERSION: Final = "2.0"


class Envelope(Enum):
    """The kinds of messages."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"


_MEMBERS = {
    Envelope.REQUEST: frozenset({"jsonrpc", "id", "method", "params"}),
    Envelope.NOTIFICATION: frozenset({"jsonrpc", "method", "params"}),
    Envelope.RESPONSE: frozenset({"jsonrpc", "id", "result", "error"}),
}


def kind_of(value: Any) -> Envelope | None:
    """Interpret a value as a message; None if it is not one."""
    if not is_json_object(value):
        return None
    if isinstance(value.get("method"), str):
        return Envelope.REQUEST if "id" in value else Envelope.NOTIFICATION
    if "method" not in value and "id" in value and ("result" in value or "error" in value):
        return Envelope.RESPONSE
    return None


def envelope_notes(value: Any, kind: Envelope | None) -> list[Note]:
    """Problems outside of params, result and error."""
    if kind is None:
        return [_no_message(value)]
    notes: list[Note] = []
    version = value.get("jsonrpc")
    if version != VERSION:
        if "jsonrpc" in value:
            notes.append(_wrong(("jsonrpc",), quoted(VERSION), quoted(version)))
        else:
            notes.append(_wrong((), f'a property "jsonrpc", {quoted(VERSION)}', "none"))
    if "id" in value and not is_id(value["id"]):
        notes.append(_wrong(("id",), "a string, an integer or null", _kind(value["id"])))
    if kind is Envelope.RESPONSE:
        if value.get("error") is not None and "result" in value:
            notes.append(_wrong((), "either a result or an error", "both"))
        elif "error" in value and value["error"] is None and "result" not in value:
            notes.append(_wrong(("error",), "an error object", "null"))
    elif not (value.get("params") is None or is_json_object(value["params"]) or is_json_array(value["params"])):
        notes.append(_wrong(("params",), "an object", _kind(value["params"])))
    if not _MEMBERS[kind].issuperset(value):
        members = _MEMBERS[kind]
        free = members.difference(value)
        notes += [undeclared_note((key,), members, free) for key in value if key not in members]
    return notes


def is_id(id_: Any) -> bool:
    """Return whether a value may be the id of a message."""
    if isinstance(id_, bool):
        return False
    return id_ is None or isinstance(id_, (str, int)) or (isinstance(id_, float) and id_.is_integer())


def _no_message(value: Any) -> Note:
    if not is_json_object(value):
        return _wrong((), "a message: an object", _kind(value))
    if "method" in value:
        return _wrong(("method",), "a string", _kind(value["method"]))
    wanted = 'a message: "method", or "id" with "result" or "error"'
    if "result" in value or "error" in value:
        return _wrong((), 'a property "id"', "a response without one")
    near = next(
        (
            f"{name}; did you mean {nearest(name, ('method', 'result'))}?"
            for name in value
            if nearest(name, ("method", "result"))
        ),
        "",
    )
    names = ", ".join(map(quoted, list(value)[:8]))
    return _wrong((), wanted, f"an object with {near or names}" if value else "an empty object")


def _wrong(path: tuple[str, ...], expected: str, found: str) -> Note:
    where = "$" + "".join(f".{step}" for step in path)
    text = f"{where}: expected {expected}, found {found}"
    return Note("envelope-invalid", text, path, expected, found)


def _kind(value: Any) -> str:
    if is_json_object(value):
        return "an object"
    return "an array" if is_json_array(value) else quoted(value)
