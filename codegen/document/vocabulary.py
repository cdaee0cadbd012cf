"""The meaning and values of each `x-` keyword, for editors, and a JSON Schema of all these keywords.

`keywords` lists where each keyword may be used. `check` reports errors that JSON Schema cannot express. The format of a
value states the kind of its name: a `method`, an `rfd`, the `subject` of a requirement, or an `example` message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from .json_types import is_json_array, is_json_object
from .keywords import (
    BOUND,
    COVERAGE,
    DEFAULT_ON_ERROR,
    DEFAULT_ON_NULL,
    EXTENSIONS,
    LEVELS,
    RFD_TEXTS,
    ROOT_EXTENSIONS,
    SKIP_INVALID,
    STAGES,
)

Node = dict[str, Any]


class Meaning(Struct, frozen=True):
    """A keyword: its meaning, and the JSON Schema of its values."""

    words: str
    values: Node


_TEXT: Final[Node] = {"type": "string", "minLength": 1}
_METHOD: Final[Node] = {**_TEXT, "format": "method"}
_RFD: Final[Node] = {**_TEXT, "format": "rfd"}
_NUMBER: Final[Node] = {"type": "integer"}
_FLAG: Final[Node] = {"type": "boolean"}
_OBJECT: Final[Node] = {"type": "object"}


def _list(items: Node, **bounds: int) -> Node:
    return {"type": "array", "items": items, **bounds}


def _map(values: Node, keys: Node | None = None) -> Node:
    node: Node = {"type": "object", "additionalProperties": values}
    return node if keys is None else {**node, "propertyNames": keys}


def _closed(names: str, **types: Node) -> Node:
    """An object with only these properties. They are texts unless another type is given; `?` marks optional ones."""
    properties = {name.rstrip("?"): types.get(name.rstrip("?"), _TEXT) for name in names.split()}
    required = [name for name in names.split() if not name.endswith("?")]
    node: Node = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**node, "required": required} if required else node


_TEXTS: Final = _list(_TEXT)
_METHODS: Final = _list(_METHOD)
_BY_NAME: Final = _map(_TEXT)
_ANSWERS: Final = _closed("once always")
_HANDLE: Final = "create release kill wait output"
_REQUIREMENT: Final = _closed(
    "level binds on text covered?",
    level={"enum": list(LEVELS)},
    binds={"enum": list(BOUND)},
    on=_list({**_TEXT, "format": "subject"}),
    covered=_closed(
        " ".join(f"{name}?" for name in COVERAGE),
        **{**dict.fromkeys(COVERAGE, _TEXTS), "examples": _list({**_TEXT, "format": "example"})},
    ),
)

MEANINGS: Final[Mapping[str, Meaning]] = {
    "x-method": Meaning("The method that these params or this result belong to.", _METHOD),
    "x-side": Meaning(
        "The side that implements the method: `agent`, `client`, `both`, `protocol` (the runtime itself), or a further side.",
        _TEXT,
    ),
    "x-docs-ignore": Meaning(
        "An envelope of JSON-RPC, which is ignored because it is derived from the methods.", _FLAG
    ),
    "x-capability": Meaning(
        "The capability that the receiver must advertise before this part may be sent: a path in its capabilities, "
        "`side:path` for another side, or `false` for no gate.",
        {"anyOf": [_TEXT, {"const": False}]},
    ),
    "x-idempotent": Meaning("On params: sending the request twice has the same effect as sending it once.", _FLAG),
    "x-was": Meaning(
        "On params: the name that the method had as an extension. Both names are served, and a call uses the one that the peer "
        "advertises: by `capability`, else by `_meta`, the vendor's key and the last part of the name.",
        {"anyOf": [_TEXT, _closed("method capability?", capability={"anyOf": [_TEXT, {"const": False}]})]},
    ),
    "x-rfd": Meaning("The RFD that added this. It is unstable until the RFD is completed.", _RFD),
    "x-deprecated": Meaning(
        "Details of `deprecated: true`: the first release, the end of the window, and the replacement.",
        _closed("since? until? instead?"),
    ),
    "x-name": Meaning(
        "The Python name of this value, instead of its title, or of the class of this variant, whose default name "
        "becomes an alias.",
        _TEXT,
    ),
    "x-call": Meaning(
        "The session method that sends this update, instead of the one named by its tag, or that chooses an option of this category.",
        _TEXT,
    ),
    "x-update": Meaning(
        "The effect of this update, or of the value of this property, on the state of a session. `false`: none.",
        {"anyOf": [{"const": False}, _TEXT, _OBJECT]},
    ),
    DEFAULT_ON_ERROR: Meaning("A bad value is read as the default, or as absent.", _FLAG),
    DEFAULT_ON_NULL: Meaning("Null is read as the default, or as an empty value.", _FLAG),
    SKIP_INVALID: Meaning("Bad items are dropped, the others are kept.", _FLAG),
    "x-rfds": Meaning(
        "The RFDs: title, stage, motivation, champion, text and pull request of each. Only parts of completed RFDs are "
        "stable.",
        _map(_closed(f"title stage {' '.join(f'{name}?' for name in RFD_TEXTS)}", stage={"enum": list(STAGES)}), _RFD),
    ),
    "x-requirements": Meaning(
        "The requirements of each RFD or vendor for agents and clients: level, bound peers, subject and tests.",
        _map(_map(_REQUIREMENT), _RFD),
    ),
    "x-handshake": Meaning(
        "The request that opens a connection: the properties with the version, the capabilities, and the peer's name.",
        _closed(
            "method versionNumber? version? capabilities? info?",
            method=_METHOD,
            versionNumber=_NUMBER,
            capabilities=_BY_NAME,
            info=_BY_NAME,
        ),
    ),
    "x-cancel": Meaning(
        "The notification that cancels a request, its property with the request's id, and the error code of the "
        "cancelled request.",
        _closed("method property errorCode", method=_METHOD, errorCode=_NUMBER),
    ),
    "x-ordering": Meaning("The ordering property: notifications with equal values stay in order.", _closed("property")),
    "x-sessions": Meaning(
        "Lists of session requests: those that open, reopen (`load` replays updates, `resume` does not) or close a "
        "session, those that a session handles one at a time, and those whose turn an update ends.",
        _closed(
            "open? load? resume? close? delete? end? exclusive? absolute? turns? errorCode?",
            turns=_map(_BY_NAME, _METHOD),
            absolute=_TEXTS,
            **dict.fromkeys(("open", "load", "resume", "close", "delete", "end", "exclusive"), _METHODS),
            errorCode=_NUMBER,
        ),
    ),
    "x-interrupt": Meaning(
        "The notification that interrupts a session, the resulting response to each of its requests, and to each pending "
        "request of the other side.",
        _closed(
            "method requests asked?", method=_METHOD, requests=_map(_OBJECT, _METHOD), asked=_map(_OBJECT, _METHOD)
        ),
    ),
    "x-permission": Meaning(
        "The permission request: its options with their ids and kinds, its subject, and the property with the answer.",
        _closed(
            "method options id kind allow reject subject category answer",
            method=_METHOD,
            allow=_ANSWERS,
            reject=_ANSWERS,
        ),
    ),
    "x-handles": Meaning(
        "The resources that one side creates for the other and that must be released: by name, their requests.",
        _map(_closed(_HANDLE, **dict.fromkeys(_HANDLE.split(), _METHOD))),
    ),
    "x-remote": Meaning(
        "The protocol's names over HTTP and WebSocket: the path of the endpoint, the headers with a connection, a "
        "session and the negotiated version, and the property of the opening response that names the connection.",
        _closed("path connection session property? version?"),
    ),
    "x-reserved": Meaning(
        "Removed names that may not be reused, each with the last release that had it: `method/path` or `Definition.name`.",
        _BY_NAME,
    ),
    "x-lists": Meaning(
        "The paginated requests: the properties with the items, the cursor and the next cursor, and the filters with the "
        "equal properties of items. Also the properties of an item with its title and the time of its last change.",
        _map(_closed("items cursor next equal? title? changed?", equal=_BY_NAME), _METHOD),
    ),
    "x-trace": Meaning(
        "The keys of `_meta` that carry the trace context of a message, in the W3C's format.",
        _closed("keys", keys=_list(_TEXT, minItems=1)),
    ),
    "x-tunnel": Meaning(
        "The messages of another protocol inside this one: their method, its properties with the ids of the server and "
        "of the request, the property of the opening request with the servers, and the definitions of a server in this "
        "connection and of one over HTTP.",
        _closed("method servers server request direct http", method=_METHOD),
    ),
    "x-updates": Meaning(
        "The notification with the updates of a session, its property with their union, and the class of the state.",
        _closed("method property state", method=_METHOD),
    ),
}
"""Every keyword of the tables in `keywords`."""


class Named(Struct, frozen=True):
    """A name in the value of a keyword: the steps to it, its kind, and whether it is a key."""

    steps: tuple[str | int, ...]
    format: str
    is_key: bool = False


def named(keyword: str, value: Any) -> Iterator[Named]:
    """The names in the value of a keyword of ours."""
    if keyword in MEANINGS:
        yield from _named(MEANINGS[keyword].values, value, (keyword,))


def _named(node: Node, value: Any, steps: tuple[str | int, ...]) -> Iterator[Named]:
    for each in node.get("anyOf", ()):
        yield from _named(each, value, steps)
    if isinstance(value, str) and "format" in node:
        yield Named(steps, node["format"])
    for key, child in value.items() if is_json_object(value) else ():
        if "propertyNames" in node:
            yield Named((*steps, key), node["propertyNames"]["format"], is_key=True)
        below = node.get("properties", {}).get(key, node.get("additionalProperties"))
        if below:
            yield from _named(below, child, (*steps, key))
    for index, child in enumerate(value if is_json_array(value) and "items" in node else ()):
        yield from _named(node["items"], child, (*steps, index))


_PLACES: Final = ("definition", "property", "variant", "value", "inner")
_INNER: Final[Node] = {"$ref": "#/$defs/inner"}
_ALTERNATIVES: Final = _list({"$ref": "#/$defs/alternative"})
_BELOW: Final[Mapping[str, Node]] = {
    "properties": _map({"$ref": "#/$defs/property"}),
    "items": _INNER,
    "prefixItems": _list(_INNER),
    "additionalProperties": _INNER,
    "unevaluatedProperties": _INNER,
    "anyOf": _ALTERNATIVES,
    "oneOf": _ALTERNATIVES,
    "allOf": _list(_INNER),
}
"""The keywords of a schema that contain schemas."""


def keyword_schema() -> Node:
    """A JSON Schema for schema.json and for extension documents: the allowed places and values of our keywords."""
    root: Node = {
        "type": "object",
        "properties": {
            **{name: _value(name) for name in sorted(ROOT_EXTENSIONS)},
            "$defs": _map({"$ref": "#/$defs/definition"}),
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Schemas and extension documents of acp-codegen",
        "if": {"required": ["overlay"]},
        "then": {"$ref": "#/$defs/extension"},
        "else": {"$ref": "#/$defs/root"},
        "$defs": {
            "root": root,
            **{place: _schema((place,)) for place in _PLACES},
            "alternative": _schema(("variant", "value")),
            "extension": _extension(),
        },
    }


def _value(name: str) -> Node:
    return {"description": MEANINGS[name].words, **MEANINGS[name].values}


def _schema(places: tuple[str, ...]) -> Node:
    """A schema for the extension keywords that are allowed at a place."""
    here = {name: not at.isdisjoint(places) for name, at in EXTENSIONS.items()}
    own: Node = {name: _value(name) if is_here else False for name, is_here in here.items()}
    own.update(dict.fromkeys(sorted(ROOT_EXTENSIONS), False))
    return {"type": ["object", "boolean"], "properties": {**own, **_BELOW}}


def _extension() -> Node:
    """An extension document. Added parts may belong anywhere, so only values of keywords are checked there."""
    anywhere = {name: _value(name) for name in sorted({*EXTENSIONS, *ROOT_EXTENSIONS})}
    action: Node = {
        "type": "object",
        "properties": {
            "target": {"type": "string", "description": "A JSONPath that selects at least one place."},
            "update": {
                "properties": anywhere,
                "description": "The value to merge: objects are merged, arrays are appended.",
            },
            "remove": {"type": "boolean", "description": "True: remove the target."},
        },
        "required": ["target"],
    }
    return {
        "type": "object",
        "properties": {
            "overlay": {"type": "string", "description": "The version of the Overlay Specification: 1.0.0."},
            "info": {"type": "object", "required": ["title", "version"]},
            "actions": {"type": "array", "items": action},
        },
        "required": ["overlay", "info", "actions"],
    }
