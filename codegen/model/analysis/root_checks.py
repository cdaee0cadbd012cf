"""Root keyword checks: handshake, cancellation, ordering and sessions must refer to existing names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ...contracts import Cancel, Handshake, Interrupt, Remote, Sessions, Trace, Tunnel
from ..naming.wire_names import NameError_, check_type_name
from ..nodes.capabilities import fields
from ..nodes.root import Listing, Updates
from ..nodes.types import Array, Enumeration, Field, Method, Reference, Schema
from .updates import variants


class Misnamed(Struct, frozen=True):
    """A name that does not suit its keyword, the steps to it, and possible names."""

    at: tuple[str, ...]
    problem: str
    instead: str


def missing_for_handshake(schema: Schema, handshake: Handshake) -> str | None:
    """The first missing part that a handshake names, in words; None if all exist."""
    opening = [m for m in schema.methods if m.path == handshake.method and m.kind == "request"]
    if not opening:
        return f"no request is called {handshake.method!r}"
    for method in opening:
        ends = {side: method.result if side == method.side else method.params for side in handshake.capabilities}
        tables = (handshake.capabilities, handshake.info)
        wanted = [(ends.get(side), name) for table in tables for side, name in table.items()]
        wanted += [(method.params, handshake.version), (method.result, handshake.version)]
        for definition, name in wanted:
            if definition is None or not has(schema, definition, name):
                return f"{definition or 'a side without capabilities'} has no property {name!r}"
    return None


def missing_for_cancel(schema: Schema, cancel: Cancel) -> str | None:
    """The first missing part that the cancellation keyword names."""
    methods = [method for method in schema.methods if method.path == cancel.method]
    if not methods:
        return f"no method is called {cancel.method!r}"
    if not any(has(schema, method.params, cancel.property) for method in methods):
        return f"{methods[0].params} has no property {cancel.property!r}"
    return None


def missing_for_ordering(schema: Schema, ordering: str) -> str | None:
    """The missing property that `x-ordering` names."""
    found = any(has(schema, method.params, ordering) for method in schema.methods)
    return None if found else f"no params have a property {ordering!r}"


def missing_for_sessions(schema: Schema, sessions: Sessions) -> str | None:
    """The first missing part that the table of sessions names."""
    if schema.ordering is None:
        return "`x-ordering` does not state which property names a session"
    requests = {method.path for method in schema.methods if method.kind == "request"}
    missing = [m for m in (*sessions.open, *sessions.close, *sessions.exclusive, *sessions.turns) if m not in requests]
    if missing:
        return f"no request is called {missing[0]!r}"
    notes = {method.path for method in schema.methods if method.kind == "notification"}
    if strange := [path for path in sessions.end if path not in notes]:
        return f"no notification is called {strange[0]!r}"
    if strange := [path for path in sessions.delete if path not in sessions.close]:
        return f"{strange[0]!r} deletes a session, so it must also be among the `close` requests"
    for path in (*sessions.load, *sessions.resume):
        if path not in sessions.open:
            return f"{path!r} reopens a session, so it must also be among the `open` requests"
        params = next(m.params for m in schema.methods if (m.path, m.kind) == (path, "request"))
        if not has(schema, params, schema.ordering):
            return f"{params} has no property {schema.ordering!r}"
    opening = [m.params for m in schema.methods if m.path in sessions.open and m.kind == "request"]
    strange = [name for name in sessions.absolute if not any(has(schema, params, name) for params in opening)]
    if opening and strange:  # an annotation also fits a schema without sessions
        return f"no `open` request has a property {strange[0]!r}"
    return None


def missing_for_lists(schema: Schema, lists: Mapping[str, Listing]) -> str | None:
    """The first missing part that the table of lists names."""
    for path, listing in lists.items():
        request = next((m for m in schema.methods if (m.path, m.kind) == (path, "request")), None)
        if request is None or request.result is None:
            return f"no request is called {path!r}"
        wanted: list[tuple[str | None, str]] = [(request.params, name) for name in (listing.cursor, *listing.equal)]
        wanted += [(request.result, name) for name in (listing.items, listing.next)]
        item = _item(schema, request.result, listing.items)
        shown = (listing.title, listing.changed)
        wanted += [(item, name) for name in (*listing.equal.values(), *shown) if name is not None]
        for definition, name in wanted:
            if definition is None or not has(schema, definition, name):
                return f"{definition or f'an item of {request.result}'} has no property {name!r}"
    return None


def _item(schema: Schema, result: str, name: str) -> str | None:
    """The definition of the items of an array property."""
    for field in fields(schema, Reference(result)):
        type_ = schema.resolve(field.type)
        if field.name == name and isinstance(type_, Array) and isinstance(type_.items, Reference):
            return type_.items.name
    return None


def missing_for_interrupt(schema: Schema, interrupt: Interrupt) -> str | None:
    """The first missing part that the table of interrupted requests names."""
    if schema.ordering is None or schema.sessions is None:
        return "`x-ordering` and `x-sessions` do not name the requests that a session handles one at a time"
    notes = [m for m in schema.methods if m.path == interrupt.method and m.kind == "notification"]
    if not notes:
        return f"no notification is called {interrupt.method!r}"
    if not has(schema, notes[0].params, schema.ordering):
        return f"{notes[0].params} has no property {schema.ordering!r}"
    requests = {m.path: m for m in reversed(schema.methods) if m.kind == "request"}
    for table, misplaced in ((interrupt.requests, _not_ended), (interrupt.asked, _not_asked)):
        for path, answer in table.items():
            if path not in requests:
                return f"no request is called {path!r}"
            problem = misplaced(schema, notes[0], requests[path]) or _unfit(schema, requests[path], answer)
            if problem:
                return problem
    return None


def _not_ended(schema: Schema, note: Method, request: Method) -> str | None:
    """The reason why a notification cannot end a request; None if it can."""
    if schema.sessions is not None and request.path not in schema.sessions.exclusive:
        return f"{request.path!r} is not among the `exclusive` requests of `x-sessions`"
    if request.side != note.side:
        return f"{note.path!r} is sent to the {note.side}, but {request.path!r} to the {request.side}"
    return None


def _not_asked(schema: Schema, note: Method, request: Method) -> str | None:
    """The reason why the sender of a notification does not answer a request; None if it does."""
    if request.side == note.side:
        return f"the side that sends {note.path!r} also sends {request.path!r}, so it cannot answer it"
    if schema.ordering is not None and not has(schema, request.params, schema.ordering):
        return f"{request.params} has no property {schema.ordering!r}"
    return None


_PATH_FORM = 'write a path that begins with /, such as "/rpc": letters, digits, and any of . _ ~ / -'
_HEADER_FORM = (
    'write a header name, such as "Session-Id": letters, digits and -, without spaces, colons or other separators'
)


def missing_for_remote(schema: Schema, remote: Remote) -> str | Misnamed | None:
    """The problem that prevents the protocol from being used over HTTP."""
    if schema.handshake is None or schema.ordering is None:
        return "`x-handshake` and `x-ordering` must name the request that opens a connection and the property that names a session"
    if not re.fullmatch(r"/[A-Za-z0-9._~/-]*", remote.path):
        return Misnamed(("path",), f"{remote.path!r} is not the path of a URL", _PATH_FORM)
    known: dict[str, str] = {}
    for use, name in (("connection", remote.connection), ("session", remote.session), ("version", remote.version)):
        if name is None:
            continue
        if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name):
            return Misnamed((use,), f"{name!r} is not the name of an HTTP header", _HEADER_FORM)
        if (other := known.setdefault(name.lower(), use)) != use:
            problem = f"the header {name!r} has two uses, `{other}` and `{use}`"
            return Misnamed((use,), problem, "give each a different header; headers ignore case")
    return None


def missing_for_trace(_: Schema, trace: Trace) -> str | Misnamed | None:
    """The problem that prevents the keys from carrying trace context."""
    if not trace.keys:
        return Misnamed(("keys",), "`keys` is empty", "list the keys of `_meta`, or remove `x-trace`")
    twice = sorted({key for key in trace.keys if trace.keys.count(key) > 1})
    return Misnamed(("keys",), f"the key {twice[0]!r} appears twice", "write each key once") if twice else None


def missing_for_tunnel(schema: Schema, tunnel: Tunnel) -> str | None:
    """The first missing part that the tunnel of another protocol names."""
    methods = {m.kind: m for m in schema.methods if m.path == tunnel.method}
    for kind in ("request", "notification"):
        if kind not in methods:
            return f"no {kind} is called {tunnel.method!r}"
    if methods["request"].side == methods["notification"].side:
        return f"the request and the notification {tunnel.method!r} go to the same side"
    for name in (tunnel.direct, tunnel.http):
        if name not in schema.definitions:
            return f"no definition is called {name!r}"
    wanted = [(m.params, name) for m in methods.values() for name in (tunnel.server, tunnel.request)]
    for definition, name in (*wanted, (tunnel.direct, tunnel.server)):
        if not has(schema, definition, name):
            return f"{definition} has no property {name!r}"
    opening = [m.params for m in schema.methods if schema.sessions and m.path in schema.sessions.open]
    found = any(has(schema, params, tunnel.servers) for params in opening)
    return None if found else f"no request that opens a session has a property {tunnel.servers!r}"


def missing_for_updates(schema: Schema, updates: Updates) -> str | None:
    """The first missing part of the notification that updates a session's state."""
    notes = [m for m in schema.methods if m.path == updates.method and m.kind == "notification"]
    if not notes:
        return f"no notification is called {updates.method!r}"
    if not has(schema, notes[0].params, updates.property):
        return f"{notes[0].params} has no property {updates.property!r}"
    if not variants(schema):
        return f"the property {updates.property!r} of {notes[0].params} is not a union"
    try:
        check_type_name(updates.state)
    except NameError_ as error:
        return f"{updates.state!r} {error}"
    return f"{updates.state!r} is already the name of a definition" if updates.state in schema.definitions else None


def _unfit(schema: Schema, request: Method, answer: Mapping[str, Any]) -> str | None:
    """The reason why an object cannot be the result of a request, judged by property names and constants."""
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


def has(schema: Schema, definition: str, property_: str) -> bool:
    """Return whether a definition has a property."""
    return any(field.name == property_ for field in fields(schema, Reference(definition)))
