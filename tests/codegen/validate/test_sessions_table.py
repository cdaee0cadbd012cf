"""`x-sessions`: the requests that open and close a session, as the schema's root says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.document.projection import stable
from codegen.document.read import parse, read
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.runtime.schema.definitions import Sessions

from .support import ROOT

PARAMS = {"type": "object", "properties": {"thread": {"type": "string"}}, "x-method": "start", "x-side": "agent"}
RESULT = {"type": "object", "properties": {}, "x-method": "start", "x-side": "agent"}


def document(**root: Any) -> Any:
    value = {"x-ordering": {"property": "thread"}, **root, "$defs": {"StartRequest": PARAMS, "StartResponse": RESULT}}
    return parse(json.dumps(value, indent=1).encode(), "s.json")


def test_the_table_is_loaded() -> None:
    schema, warnings = load(document(**{"x-sessions": {"open": ["start"], "close": []}}))
    assert schema.sessions == Sessions(open=("start",), close=(), exclusive=())
    assert warnings == []


@pytest.mark.parametrize(
    ("root", "problem"),
    [
        (
            {"x-sessions": {"open": ["begin"], "close": []}},
            "`x-sessions` is invalid: no request is called 'begin'",
        ),
        ({"x-sessions": {"open": ["start"]}}, "`x-sessions`: Object missing required field `close`"),
        ({"x-sessions": {"open": [], "close": [], "ended": []}}, "`x-sessions`: Object contains unknown field `ended`"),
        (
            {"x-sessions": {"open": [], "close": []}, "x-ordering": None},
            "does not state which property names a session",
        ),
        (
            {"x-sessions": {"open": [], "load": ["start"], "close": []}},
            "'start' reopens a session, so it must also be among the `open` requests",
        ),
    ],
)
def test_a_table_that_does_not_fit_is_an_error_at_its_place(root: dict[str, Any], problem: str) -> None:
    value = {k: v for k, v in json.loads(document(**root).text).items() if v is not None}
    with pytest.raises(SchemaError) as raised:
        load(parse(json.dumps(value, indent=1).encode(), "s.json"))
    assert problem in str(raised.value)
    assert raised.value.pointer == "/x-sessions"


def test_what_opens_a_session_again_names_it() -> None:
    value = json.loads(document(**{"x-sessions": {"open": ["start"], "resume": ["start"], "close": []}}).text)
    value["$defs"]["StartRequest"] = {**PARAMS, "properties": {}}
    value["$defs"]["TellNotification"] = {**PARAMS, "x-method": "tell"}
    with pytest.raises(SchemaError, match="StartRequest has no property 'thread'"):
        load(parse(json.dumps(value, indent=1).encode(), "s.json"))


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("StartRequest", "yes", "`x-idempotent` must be true or false, on the params of a request"),
        ("TellNotification", True, "`x-idempotent` must be true or false, on the params of a request"),
    ],
)
def test_only_requests_are_idempotent(name: str, value: object, problem: str) -> None:
    whole = json.loads(document(**{"x-sessions": {"open": ["start"], "close": []}}).text)
    whole["$defs"]["TellNotification"] = {**PARAMS, "x-method": "tell"}
    load(parse(json.dumps(whole, indent=1).encode(), "s.json"))
    whole["$defs"]["StartRequest"]["x-idempotent"] = True
    schema, _ = load(parse(json.dumps(whole, indent=1).encode(), "s.json"))
    assert [method.idempotent for method in schema.methods] == [True, False]
    whole["$defs"][name]["x-idempotent"] = value
    with pytest.raises(SchemaError, match=problem):
        load(parse(json.dumps(whole, indent=1).encode(), "s.json"))


def test_the_stable_part_of_the_schema_has_the_stable_part_of_the_table() -> None:
    whole, _ = load(read(ROOT / "schema.json"))
    part, _ = load(stable(read(ROOT / "schema.json")))
    requests = {method.path for method in part.methods}
    assert whole.sessions is not None
    assert part.sessions is not None
    assert part.sessions.open == tuple(method for method in whole.sessions.open if method in requests)
    assert part.sessions.open != whole.sessions.open
