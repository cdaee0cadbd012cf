"""`x-interrupt`: the notification that ends a session's exclusive request, and how that request is then answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.document.projection import stable
from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.runtime.schema.definitions import Interrupt

ROOM = {"room": {"type": "string"}}
END = {"how": {"enum": ["done", "stopped"]}, "note": {"type": "string"}}
ROOT: dict[str, Any] = {
    "x-ordering": {"property": "room"},
    "x-sessions": {"open": [], "close": [], "exclusive": ["paint"]},
    "x-interrupt": {"method": "stop", "requests": {"paint": {"how": "stopped"}}},
    "x-rfds": {"new": {"title": "New", "stage": "draft"}},
}


def definition(method: str, properties: Any, side: str = "agent", **more: Any) -> dict[str, Any]:
    return {"type": "object", "x-method": method, "x-side": side, "properties": properties, **more}


DEFINITIONS: dict[str, Any] = {
    "PaintRequest": definition("paint", ROOM),
    "PaintResponse": definition("paint", END, required=["how"]),
    "LookRequest": definition("look", ROOM),
    "LookResponse": definition("look", {}),
    "StopNotification": definition("stop", ROOM),
    "HaltNotification": definition("halt", {}),
    "CallNotification": definition("call", ROOM, "client"),
}


def document(definitions: Any = DEFINITIONS, **root: Any) -> Any:
    value = {k: v for k, v in {**ROOT, **root, "$defs": definitions}.items() if v is not None}
    return parse(json.dumps(value, indent=1).encode(), "s.json")


def test_the_keyword_is_loaded() -> None:
    schema, warnings = load(document())
    assert schema.interrupt == Interrupt(method="stop", requests={"paint": {"how": "stopped"}})
    assert warnings == []


@pytest.mark.parametrize(
    ("interrupt", "problem"),
    [
        ({"method": "end", "requests": {}}, "no notification is called 'end'"),
        ({"method": "paint", "requests": {}}, "no notification is called 'paint'"),
        ({"method": "halt", "requests": {}}, "HaltNotification has no property 'room'"),
        ({"method": "stop", "requests": {"draw": {}}}, "no request is called 'draw'"),
        ({"method": "stop", "requests": {"look": {}}}, "'look' is not among the `exclusive` requests of `x-sessions`"),
        ({"method": "call", "requests": {"paint": {}}}, "'call' is sent to the client, but 'paint' to the agent"),
        ({"method": "stop", "requests": {"paint": {"why": 1}}}, "PaintResponse has no property 'why'"),
        ({"method": "stop", "requests": {"paint": {"how": "ended"}}}, "PaintResponse has no how 'ended'"),
        ({"method": "stop", "requests": {"paint": {"note": "x"}}}, "PaintResponse requires 'how'"),
        ({"method": "stop"}, "Object missing required field `requests`"),
        ({"method": "stop", "requests": {}, "also": 1}, "Object contains unknown field `also`"),
    ],
)
def test_what_does_not_fit_is_an_error_at_its_place(interrupt: Any, problem: str) -> None:
    with pytest.raises(SchemaError) as raised:
        load(document(**{"x-interrupt": interrupt}))
    assert problem in str(raised.value)
    assert raised.value.pointer == "/x-interrupt"


def test_without_sessions_there_is_nothing_to_end() -> None:
    with pytest.raises(SchemaError, match="do not name the requests that a session handles one at a time"):
        load(document(**{"x-sessions": None}))


def test_the_stable_part_leaves_out_requests_that_are_not_stable() -> None:
    unstable = {name: {**DEFINITIONS[name], "x-rfd": "new"} for name in ("PaintRequest", "PaintResponse")}
    schema, _ = load(stable(document({**DEFINITIONS, **unstable})))
    assert schema.interrupt == Interrupt(method="stop", requests={})


def test_the_stable_part_leaves_out_a_notification_that_is_not_stable() -> None:
    unstable = {"StopNotification": {**DEFINITIONS["StopNotification"], "x-rfd": "new"}}
    schema, _ = load(stable(document({**DEFINITIONS, **unstable})))
    assert schema.interrupt is None
