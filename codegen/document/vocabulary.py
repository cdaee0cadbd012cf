"""The meaning and values of each `x-` keyword, for editors, and a JSON Schema of all these keywords.

`keywords` lists where each keyword may be used. `check` reports what JSON Schema cannot express.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

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
_NUMBER: Final[Node] = {"type": "integer"}
_FLAG: Final[Node] = {"type": "boolean"}
_OBJECT: Final[Node] = {"type": "object"}


def _list(items: Node, **bounds: int) -> Node:
    return {"type": "array", "items": items, **bounds}


def _map(values: Node) -> Node:
    return {"type": "object", "additionalProperties": values}


def _closed(names: str, **types: Node) -> Node:
    """An object with only these properties. They are texts unless another type is given; `?` marks optional ones."""
    properties = {name.rstrip("?"): types.get(name.rstrip("?"), _TEXT) for name in names.split()}
    required = [name for name in names.split() if not name.endswith("?")]
    node: Node = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**node, "required": required} if required else node


_TEXTS: Final = _list(_TEXT)
_BY_NAME: Final = _map(_TEXT)
_ANSWERS: Final = _closed("once always")
_REQUIREMENT: Final = _closed(
    "level binds on text covered?",
    level={"enum": list(LEVELS)},
    binds={"enum": list(BOUND)},
    on=_TEXTS,
    covered=_closed(" ".join(f"{name}?" for name in COVERAGE), **dict.fromkeys(COVERAGE, _TEXTS)),
)

MEANINGS: Final[Mapping[str, Meaning]] = {
    "x-method": Meaning("The method that these params or this result belong to.", _TEXT),
    "x-side": Meaning(
        "Who implements the method: `agent`, `client`, `both`, `protocol` (the runtime itself), or a further side.",
        _TEXT,
    ),
    "x-docs-ignore": Meaning("An envelope of JSON-RPC, which is derived and so left out.", _FLAG),
    "x-capability": Meaning(
        "The path in the receiver's capabilities that must be advertised before this is sent; `side:path` where another side's "
        "decides, `false` where none does.",
        {"anyOf": [_TEXT, {"const": False}]},
    ),
    "x-idempotent": Meaning("On params: sending the request twice has the same effect as sending it once.", _FLAG),
    "x-was": Meaning(
        "On params: the name that the method had as an extension. Both names are served, and a call uses the one that the peer "
        "advertises: by `capability`, else by `_meta`, the vendor's key and the last part of the name.",
        {"anyOf": [_TEXT, _closed("method capability?", capability={"anyOf": [_TEXT, {"const": False}]})]},
    ),
    "x-rfd": Meaning("The RFD that brought this. It is unstable until the RFD is completed.", _TEXT),
    "x-deprecated": Meaning(
        "Beside `deprecated: true`: since which release, until when it stays, and what to use instead.",
        _closed("since? until? instead?"),
    ),
    "x-name": Meaning(
        "The name in Python of this value, if its title should not give it, or of the class of this variant, which keeps its longer "
        "name as an alias.",
        _TEXT,
    ),
    "x-call": Meaning(
        "The method of a session that sends this update, if its tag should not name it, or that chooses an option of this category.",
        _TEXT,
    ),
    "x-update": Meaning(
        "What this update, or the value of this property, does to the state of a session; `false`: nothing.",
        {"anyOf": [{"const": False}, _TEXT, _OBJECT]},
    ),
    DEFAULT_ON_ERROR: Meaning("A bad value is read as the default, or as absent.", _FLAG),
    DEFAULT_ON_NULL: Meaning("Null is read as the default, or as what is empty.", _FLAG),
    SKIP_INVALID: Meaning("Bad items are dropped, the others are kept.", _FLAG),
    "x-rfds": Meaning(
        "The RFDs: title and stage of each, why, who leads it, its text and its pull request. Only what a completed one brought is "
        "stable.",
        _map(_closed(f"title stage {' '.join(f'{name}?' for name in RFD_TEXTS)}", stage={"enum": list(STAGES)})),
    ),
    "x-requirements": Meaning(
        "What each RFD, or a vendor, requires of agents and clients: level, whom it binds, what it is about, where it is tested.",
        _map(_map(_REQUIREMENT)),
    ),
    "x-handshake": Meaning(
        "The request that opens a connection: the properties with the version, the capabilities and who a peer is.",
        _closed(
            "method versionNumber? version? capabilities? info?",
            versionNumber=_NUMBER,
            capabilities=_BY_NAME,
            info=_BY_NAME,
        ),
    ),
    "x-cancel": Meaning(
        "The notification that cancels a request, its property with the request's id, and the error code that answers.",
        _closed("method property errorCode", errorCode=_NUMBER),
    ),
    "x-ordering": Meaning("The property whose equal values keep notifications in order.", _closed("property")),
    "x-sessions": Meaning(
        "The requests that open a session, those among them that open one again (`load` replays its updates, `resume` does not), "
        "those that close one, those of which a session takes one at a time, and those whose turn an update ends.",
        _closed(
            "open? load? resume? close? delete? end? exclusive? absolute? turns? errorCode?",
            turns=_map(_BY_NAME),
            **dict.fromkeys(("open", "load", "resume", "close", "delete", "end", "exclusive", "absolute"), _TEXTS),
            errorCode=_NUMBER,
        ),
    ),
    "x-interrupt": Meaning(
        "The notification that ends what a session is doing, the result that each request then has, and that of each request which "
        "the other side had asked meanwhile.",
        _closed("method requests asked?", requests=_map(_OBJECT), asked=_map(_OBJECT)),
    ),
    "x-permission": Meaning(
        "The request that asks for a permission: its options, what names one and what kinds there are, what it is about, and the "
        "property of the answer.",
        _closed("method options id kind allow reject subject category answer", allow=_ANSWERS, reject=_ANSWERS),
    ),
    "x-handles": Meaning(
        "What one side creates for the other and must be released: by name, the requests for that.",
        _map(_closed("create release kill wait output")),
    ),
    "x-remote": Meaning(
        "What the protocol has of its own over HTTP and WebSocket: the path of the endpoint, the headers that name a connection, a "
        "session and the agreed version, and the property of the first answer that names the connection.",
        _closed("path connection session property? version?"),
    ),
    "x-reserved": Meaning(
        "Names that were on the wire and may not come back, each with the release that had it: `method/path` or `Definition.name`.",
        _BY_NAME,
    ),
    "x-lists": Meaning(
        "The requests that answer with a list, page by page: the properties with the items, the cursor and the next cursor, and which "
        "property of an item equals which of the params. Also the properties of an item with its title and the time of its last change.",
        _map(_closed("items cursor next equal? title? changed?", equal=_BY_NAME)),
    ),
    "x-trace": Meaning(
        "The keys of `_meta` that carry the trace context of a message, in the W3C's format.",
        _closed("keys", keys=_list(_TEXT, minItems=1)),
    ),
    "x-updates": Meaning(
        "The notification that says how a session changed, its property with the union of updates, and the class of the state.",
        _closed("method property state"),
    ),
}
"""Every keyword of the tables in `keywords`."""

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
    """A schema at certain places: the allowed keywords of ours."""
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
            "target": {"type": "string", "description": "Where: a JSONPath that has to match."},
            "update": {
                "properties": anywhere,
                "description": "What is merged in: objects merge, arrays append.",
            },
            "remove": {"type": "boolean", "description": "True: what the target names goes."},
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
