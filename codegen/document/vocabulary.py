"""The keywords of ours for editors: what each says and which values it takes, and a JSON Schema of them all.

Which keyword may stand where is in `keywords`; here is what stands behind it. What needs more than JSON Schema can say, `check` judges.
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
    ROOT_EXTENSIONS,
    SKIP_INVALID,
    STAGES,
)

Node = dict[str, Any]


class Meaning(Struct, frozen=True):
    """What a keyword says, and the JSON Schema of its values."""

    words: str
    values: Node


def _closed(required: tuple[str, ...] = (), **properties: Node) -> Node:
    node: Node = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**node, "required": list(required)} if required else node


_TEXT: Final[Node] = {"type": "string", "minLength": 1}
_TEXTS: Final[Node] = {"type": "array", "items": _TEXT}
_BY_NAME: Final[Node] = {"type": "object", "additionalProperties": _TEXT}
_FLAG: Final[Node] = {"type": "boolean"}
_REQUIREMENT: Final[Node] = _closed(
    ("level", "binds", "on", "text"),
    level={"enum": list(LEVELS)},
    binds={"enum": list(BOUND)},
    on=_TEXTS,
    text=_TEXT,
    covered=_closed((), **dict.fromkeys(COVERAGE, _TEXTS)),
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
    "x-rfd": Meaning("The RFD that brought this. It is unstable until the RFD is completed.", _TEXT),
    "x-deprecated": Meaning(
        "Beside `deprecated: true`: since which release, until when it stays, and what to use instead.",
        _closed(since=_TEXT, until=_TEXT, instead=_TEXT),
    ),
    "x-name": Meaning("The name of this value in Python, if its title should not give it.", _TEXT),
    "x-update": Meaning(
        "What this update, or the value of this property, does to the state of a session; `false`: nothing.",
        {"anyOf": [{"const": False}, _TEXT, {"type": "object"}]},
    ),
    DEFAULT_ON_ERROR: Meaning("A bad value is read as the default, or as absent.", _FLAG),
    DEFAULT_ON_NULL: Meaning("Null is read as the default, or as what is empty.", _FLAG),
    SKIP_INVALID: Meaning("Bad items are dropped, the others are kept.", _FLAG),
    "x-rfds": Meaning(
        "The RFDs: title and stage of each. Only what a completed one brought is stable.",
        {
            "type": "object",
            "additionalProperties": _closed(("title", "stage"), title=_TEXT, stage={"enum": list(STAGES)}),
        },
    ),
    "x-requirements": Meaning(
        "What each RFD, or a vendor, requires of agents and clients: level, whom it binds, what it is about, where it is tested.",
        {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": _REQUIREMENT},
        },
    ),
    "x-handshake": Meaning(
        "The request that opens a connection: the properties with the version, the capabilities and who a peer is.",
        _closed(
            ("method",),
            method=_TEXT,
            versionNumber={"type": "integer"},
            version=_TEXT,
            capabilities=_BY_NAME,
            info=_BY_NAME,
        ),
    ),
    "x-cancel": Meaning(
        "The notification that cancels a request, its property with the request's id, and the error code that answers.",
        _closed(("method", "property", "errorCode"), method=_TEXT, property=_TEXT, errorCode={"type": "integer"}),
    ),
    "x-ordering": Meaning(
        "The property whose equal values keep notifications in order.", _closed(("property",), property=_TEXT)
    ),
    "x-sessions": Meaning(
        "The requests that open a session, those among them that open one again (`load` replays its updates, `resume` does not), "
        "those that close one, and those of which a session takes one at a time.",
        _closed(open=_TEXTS, load=_TEXTS, resume=_TEXTS, close=_TEXTS, delete=_TEXTS, end=_TEXTS, exclusive=_TEXTS),
    ),
    "x-interrupt": Meaning(
        "The notification that ends what a session is doing, the result that each request then has, and that of each request which "
        "the other side had asked meanwhile.",
        _closed(
            ("method", "requests"),
            method=_TEXT,
            requests={"type": "object", "additionalProperties": {"type": "object"}},
            asked={"type": "object", "additionalProperties": {"type": "object"}},
        ),
    ),
    "x-permission": Meaning(
        "The request that asks for a permission: its options, what names one and what kinds there are, what it is about, and the "
        "property of the answer.",
        _closed(
            ("method", "options", "id", "kind", "allow", "reject", "subject", "category", "answer"),
            method=_TEXT,
            options=_TEXT,
            id=_TEXT,
            kind=_TEXT,
            allow=_closed(("once", "always"), once=_TEXT, always=_TEXT),
            reject=_closed(("once", "always"), once=_TEXT, always=_TEXT),
            subject=_TEXT,
            category=_TEXT,
            answer=_TEXT,
        ),
    ),
    "x-handles": Meaning(
        "What one side creates for the other and must be released: by name, the requests for that.",
        {
            "type": "object",
            "additionalProperties": _closed(
                ("create", "release", "kill", "wait", "output"),
                create=_TEXT,
                release=_TEXT,
                kill=_TEXT,
                wait=_TEXT,
                output=_TEXT,
            ),
        },
    ),
    "x-remote": Meaning(
        "What the protocol has of its own over HTTP and WebSocket: the path of the endpoint, the headers that name a connection, a "
        "session and the agreed version, and the property of the first answer that names the connection.",
        _closed(
            ("path", "connection", "session"),
            path=_TEXT,
            connection=_TEXT,
            session=_TEXT,
            property=_TEXT,
            version=_TEXT,
        ),
    ),
    "x-lists": Meaning(
        "The requests that answer with a list, page by page: the properties with the items, the cursor and the next cursor, and which "
        "property of an item equals which of the params.",
        {
            "type": "object",
            "additionalProperties": _closed(
                ("items", "cursor", "next"), items=_TEXT, cursor=_TEXT, next=_TEXT, equal=_BY_NAME
            ),
        },
    ),
    "x-trace": Meaning(
        "The keys of `_meta` that carry the trace context of a message, in the W3C's format.",
        _closed(("keys",), keys={"type": "array", "items": _TEXT, "minItems": 1}),
    ),
    "x-updates": Meaning(
        "The notification that says how a session changed, its property with the union of updates, and the class of the state.",
        _closed(("method", "property", "state"), method=_TEXT, property=_TEXT, state=_TEXT),
    ),
}
"""Every keyword of the tables in `keywords`."""

_PLACES: Final = ("definition", "property", "variant", "value", "inner")
_BELOW: Final[Mapping[str, Node]] = {
    "properties": {"type": "object", "additionalProperties": {"$ref": "#/$defs/property"}},
    "items": {"$ref": "#/$defs/inner"},
    "prefixItems": {"type": "array", "items": {"$ref": "#/$defs/inner"}},
    "additionalProperties": {"$ref": "#/$defs/inner"},
    "unevaluatedProperties": {"$ref": "#/$defs/inner"},
    "anyOf": {"type": "array", "items": {"$ref": "#/$defs/alternative"}},
    "oneOf": {"type": "array", "items": {"$ref": "#/$defs/alternative"}},
    "allOf": {"type": "array", "items": {"$ref": "#/$defs/inner"}},
}
"""Where schemas stand inside a schema."""


def keyword_schema() -> Node:
    """A JSON Schema for schema.json and for extension documents: which of our keywords may stand where, with which values."""
    root: Node = {
        "type": "object",
        "properties": {
            **{name: _value(name) for name in sorted(ROOT_EXTENSIONS)},
            "$defs": {"type": "object", "additionalProperties": {"$ref": "#/$defs/definition"}},
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
    """A schema at one of some places: the keywords that may stand there, and no other of ours."""
    here = {name: not at.isdisjoint(places) for name, at in EXTENSIONS.items()}
    own: Node = {name: _value(name) if is_here else False for name, is_here in here.items()}
    own.update(dict.fromkeys(sorted(ROOT_EXTENSIONS), False))
    return {"type": ["object", "boolean"], "properties": {**own, **_BELOW}}


def _extension() -> Node:
    """An extension document; what an action adds may stand anywhere, so that only values are judged there."""
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
