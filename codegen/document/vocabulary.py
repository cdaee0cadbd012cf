"""The keywords of ours for editors: what each says and which values it takes, and a JSON Schema of them all.

Which keyword may stand where is in `keywords`; here is what stands behind it. What needs more than JSON Schema can say, `check` judges.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from .keywords import DEFAULT_ON_ERROR, DEFAULT_ON_NULL, EXTENSIONS, ROOT_EXTENSIONS, SKIP_INVALID, STAGES

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
        "The requests that open a session, those that close one, and those of which a session takes one at a time.",
        _closed(open=_TEXTS, close=_TEXTS, exclusive=_TEXTS),
    ),
    "x-interrupt": Meaning(
        "The notification that ends what a session is doing, and the result that each request then has.",
        _closed(
            ("method", "requests"),
            method=_TEXT,
            requests={"type": "object", "additionalProperties": {"type": "object"}},
        ),
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
