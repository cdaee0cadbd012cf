"""Whether what the root says of handshake, cancellation, ordering and sessions names things that the schema has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .capabilities import fields
from .names import NameError_, check_type_name
from .types import Cancel, Enumeration, Field, Handshake, Interrupt, Method, Reference, Schema, Sessions, Updates
from .updates import variants


def missing_for_handshake(schema: Schema, handshake: Handshake) -> str | None:
    """What a handshake names that the schema does not have, in words; None where all is there."""
    opening = [m for m in schema.methods if m.path == handshake.method and m.kind == "request"]
    if not opening:
        return f"no request is called {handshake.method!r}"
    for method in opening:
        ends = {side: method.result if side == method.side else method.params for side in handshake.capabilities}
        tables = (handshake.capabilities, handshake.info)
        wanted = [(ends.get(side), name) for table in tables for side, name in table.items()]
        wanted += [(method.params, handshake.version), (method.result, handshake.version)]
        for definition, name in wanted:
            if definition is None or not _has(schema, definition, name):
                return f"{definition or 'a side without capabilities'} has no property {name!r}"
    return None


def missing_for_cancel(schema: Schema, cancel: Cancel) -> str | None:
    """What the cancelling notification names that the schema does not have."""
    methods = [method for method in schema.methods if method.path == cancel.method]
    if not methods:
        return f"no method is called {cancel.method!r}"
    if not any(_has(schema, method.params, cancel.property) for method in methods):
        return f"{methods[0].params} has no property {cancel.property!r}"
    return None


def missing_for_ordering(schema: Schema, ordering: str) -> str | None:
    """What ordering names that the schema does not have."""
    found = any(_has(schema, method.params, ordering) for method in schema.methods)
    return None if found else f"no params have a property {ordering!r}"


def missing_for_sessions(schema: Schema, sessions: Sessions) -> str | None:
    """What the table of sessions names that the schema does not have."""
    if schema.ordering is None:
        return "`x-ordering` does not say which property names a session"
    requests = {method.path for method in schema.methods if method.kind == "request"}
    missing = [m for m in (*sessions.open, *sessions.close, *sessions.exclusive) if m not in requests]
    return f"no request is called {missing[0]!r}" if missing else None


def missing_for_interrupt(schema: Schema, interrupt: Interrupt) -> str | None:
    """What the table of interrupted requests names that the schema does not have."""
    if schema.ordering is None or schema.sessions is None:
        return "`x-ordering` and `x-sessions` do not say what a session takes one at a time"
    notes = [m for m in schema.methods if m.path == interrupt.method and m.kind == "notification"]
    if not notes:
        return f"no notification is called {interrupt.method!r}"
    if not _has(schema, notes[0].params, schema.ordering):
        return f"{notes[0].params} has no property {schema.ordering!r}"
    for path, answer in interrupt.requests.items():
        request = next((m for m in schema.methods if m.path == path and m.kind == "request"), None)
        if request is None:
            return f"no request is called {path!r}"
        if path not in schema.sessions.exclusive:
            return f"{path!r} is not among the `exclusive` requests of `x-sessions`"
        if request.side != notes[0].side:
            return f"{interrupt.method!r} goes to the {notes[0].side}, {path!r} to the {request.side}"
        if problem := _unfit(schema, request, answer):
            return problem
    return None


def missing_for_updates(schema: Schema, updates: Updates) -> str | None:
    """What the notification that updates a session's state lacks."""
    notes = [m for m in schema.methods if m.path == updates.method and m.kind == "notification"]
    if not notes:
        return f"no notification is called {updates.method!r}"
    if not _has(schema, notes[0].params, updates.property):
        return f"{notes[0].params} has no property {updates.property!r}"
    if not variants(schema):
        return f"the property {updates.property!r} of {notes[0].params} is no union"
    try:
        check_type_name(updates.state)
    except NameError_ as error:
        return f"{updates.state!r} {error}"
    return f"{updates.state!r} is a definition of its own" if updates.state in schema.definitions else None


def _unfit(schema: Schema, request: Method, answer: Mapping[str, Any]) -> str | None:
    """Why an object cannot be the result of a request, as far as its members' names and constants say."""
    declared = {} if request.result is None else {f.name: f for f in fields(schema, Reference(request.result))}
    for name, value in answer.items():
        if name not in declared:
            return f"{request.result} has no property {name!r}"
        if not _takes(schema, declared[name], value):
            return f"{request.result} has no {name} {value!r}"
    missing = [name for name, field in declared.items() if field.required and name not in answer]
    return f"{request.result} requires {missing[0]!r}" if missing else None


def _takes(schema: Schema, field: Field, value: Any) -> bool:
    type_ = schema.resolve(field.type)
    if not isinstance(type_, Enumeration) or type_.base is not None:
        return True
    return any(value == known.constant for known in type_.values)


def _has(schema: Schema, definition: str, property_: str) -> bool:
    return any(field.name == property_ for field in fields(schema, Reference(definition)))
