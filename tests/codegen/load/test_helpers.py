"""`x-permission`, `x-handles`, and `asked` of `x-interrupt`: what emitted helpers are made from, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.document.projection import stable
from codegen.document.read import parse, read
from codegen.errors import SchemaError
from codegen.load.schema import load

TEXT = {"type": "string"}


def method(path: str, side: str, required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """A definition of a method's params or result, all of whose properties are texts unless said otherwise."""
    whole = {**dict.fromkeys(required, TEXT), **properties}
    return {"type": "object", "x-method": path, "x-side": side, "properties": whole, "required": [*required]}


MAYS = ("yes", "ever", "no", "never")
SCHEMA: dict[str, Any] = {
    "x-ordering": {"property": "room"},
    "x-sessions": {"open": [], "close": [], "exclusive": ["paint"]},
    "x-interrupt": {"method": "stop", "requests": {"paint": {}}, "asked": {"may": {"said": {"how": "gone"}}}},
    "x-permission": {
        "method": "may",
        "options": "ways",
        "id": "way",
        "kind": "sort",
        "allow": {"once": "yes", "always": "ever"},
        "reject": {"once": "no", "always": "never"},
        "subject": "thing",
        "category": "colour",
        "answer": "said",
    },
    "x-handles": {"pot": {"create": "make", "release": "free", "kill": "break", "wait": "dry", "output": "look"}},
    "$defs": {
        "PaintRequest": method("paint", "agent", ("room",)),
        "PaintResponse": method("paint", "agent"),
        "StopNotification": method("stop", "agent", ("room",)),
        "MayRequest": method(
            "may",
            "client",
            ("room",),
            ways={"type": "array", "items": {"$ref": "#/$defs/Way"}},
            thing={"type": "object", "properties": {"colour": TEXT}},
        ),
        "MayResponse": method("may", "client", said={"oneOf": [{"$ref": "#/$defs/Gone"}, {"$ref": "#/$defs/Taken"}]}),
        "Way": {"type": "object", "properties": {"way": TEXT, "sort": {"enum": [*MAYS]}}},
        "Gone": {"type": "object", "properties": {"how": {"const": "gone"}}, "required": ["how"]},
        "Taken": {"type": "object", "properties": {"how": {"const": "taken"}, "way": TEXT}, "required": ["how", "way"]},
        "MakeRequest": method("make", "client", ("room",)),
        "MakeResponse": method("make", "client", ("pot",)),
        **{
            f"{path.title()}Re{end}": method(path, "client", ("room", "pot") if end == "quest" else ())
            for path in ("free", "break", "dry", "look")
            for end in ("quest", "sponse")
        },
    },
}


def changed(place: str, value: Any) -> Any:
    """The document with one value changed: dotted names, and None to take it out."""
    document = json.loads(json.dumps(SCHEMA))
    *way, last = place.split(".")
    node = document
    for step in way:
        node = node[step]
    if value is None:
        del node[last]
    else:
        node[last] = value
    return parse(json.dumps(document, indent=1).encode(), "s.json")


def test_the_keywords_are_loaded() -> None:
    schema, warnings = load(changed("title", "A painter"))
    assert schema.permission is not None
    assert (schema.permission.method, schema.permission.reject.always) == ("may", "never")
    assert schema.handles is not None
    assert schema.handles["pot"].wait == "dry"
    assert schema.interrupt is not None
    assert schema.interrupt.asked == {"may": {"said": {"how": "gone"}}}
    assert warnings == []


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("x-permission.method", "might", "no request is called 'might'"),
        ("x-permission.method", "stop", "no request is called 'stop'"),
        ("x-permission.options", "means", "MayRequest has no array 'means'"),
        ("x-permission.options", "room", "MayRequest has no array 'room'"),
        ("x-permission.id", "name", "the items of 'ways' have no property 'name'"),
        ("x-permission.kind", "kind", "the items of 'ways' have no property 'kind'"),
        ("x-permission.allow.always", "mostly", "'sort' has no value 'mostly'"),
        ("x-permission.reject", {"once": "no"}, "Object missing required field `always`"),
        ("x-permission.subject", "object", "MayRequest has no property 'object' with a property 'colour'"),
        ("x-permission.category", "size", "MayRequest has no property 'thing' with a property 'size'"),
        ("x-permission.answer", "told", "MayResponse has no property 'told'"),
        ("$defs.Taken.properties.way", None, "must be a union, of which one variant has the property 'way'"),
        ("$defs.Gone.properties.way", TEXT, "must be a union, of which one variant has the property 'way'"),
        ("x-permission.more", 1, "Object contains unknown field `more`"),
        ("x-interrupt.asked", {}, "does not state the response to 'may' when its session is interrupted"),
        ("x-interrupt.asked", {"might": {}}, "no request is called 'might'"),
        ("x-interrupt.asked", {"paint": {}}, "the side that sends 'stop' also sends 'paint', so it cannot answer it"),
        ("x-interrupt.asked", {"may": {"tale": 1}}, "MayResponse has no property 'tale'"),
        ("$defs.MayRequest.properties.room", None, "MayRequest has no property 'room'"),
        ("x-handles.pot.wait", "wet", "no request is called 'wet'"),
        ("x-handles.pot.wait", "paint", "the requests of 'pot' go to different sides"),
        ("x-handles.pot.wait", "make", "'pot' lists the same request twice"),
        ("x-handles.pot.wait", None, "Object missing required field `wait`"),
        ("x-handles.Pot", SCHEMA["x-handles"]["pot"], "'Pot' must be a name in lower case"),
        ("x-handles.class", SCHEMA["x-handles"]["pot"], "'class' must be a name in lower case"),
        ("$defs.MakeResponse.required", [], "must have one required property in common"),
        ("$defs.DryRequest.properties.pot", None, "DryRequest has no property 'pot'"),
        ("$defs.DryRequest.properties.room", None, "DryRequest has no property 'room'"),
    ],
)
def test_what_does_not_fit_is_an_error_that_says_so(place: str, value: Any, problem: str) -> None:
    document = changed(place, value)
    for definition in document.value["$defs"].values():
        definition["required"] = [name for name in definition.get("required", ()) if name in definition["properties"]]
    with pytest.raises(SchemaError) as raised:
        load(document)
    assert problem in "\n".join(str(error) for error in (raised.value, *raised.value.others))


def test_the_stable_part_of_a_schema_lacks_what_goes_with_its_methods() -> None:
    document = json.loads(json.dumps(SCHEMA))
    document["x-rfds"] = {"new": {"title": "New", "stage": "draft"}}
    for name in ("MayRequest", "MayResponse", "FreeRequest", "FreeResponse"):
        document["$defs"][name]["x-rfd"] = "new"
    schema, _ = load(stable(parse(json.dumps(document, indent=1).encode(), "s.json")))
    assert schema.permission is None
    assert schema.handles == {}
    assert schema.interrupt is not None
    assert schema.interrupt.asked == {}


def test_the_protocol_says_all_of_it() -> None:
    schema, _ = load(read(Path(__file__).parents[3] / "schema.json"))
    assert schema.permission is not None
    assert schema.handles
