"""What the generator does not understand is one line with place and pointer, exit 2, and nothing is written."""

from __future__ import annotations

import json
import socket
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load

if TYPE_CHECKING:
    from tests.conftest import RunCli

TEXT = {"type": "string"}


def definitions(**nodes: Any) -> dict[str, Any]:
    return {"$defs": nodes}


def record(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


def part(path: Any, side: Any = "agent", **more: Any) -> dict[str, Any]:
    """Params or result of a method."""
    return {**record(), "x-method": path, "x-side": side, **more}


def text(schema: Any) -> str:
    """One keyword or entry a line, so that a line says which."""
    return json.dumps(schema, indent=1)


def line_of(schema: Any, marker: str) -> int:
    """The line on which a piece of text first stands."""
    return next(n for n, line in enumerate(text(schema).splitlines(), 1) if marker in line)


# Name: schema, pointer, what the line holds on which the error stands, what the message says.
REFUSED: dict[str, tuple[Any, str, str, str]] = {
    # --- keywords
    "an unknown keyword": (
        definitions(A={"type": "string", "colour": 1}),
        "/$defs/A/colour",
        '"colour"',
        'the keyword "colour" is not supported',
    ),
    "a keyword of JSON Schema that is not understood": (
        definitions(A=record(a={"type": "object", "patternProperties": {}})),
        "/$defs/A/properties/a/patternProperties",
        '"patternProperties"',
        "is not supported",
    ),
    "if": (definitions(A={"if": True}), "/$defs/A/if", '"if"', "is not supported"),
    "nested $defs": (definitions(A={"$defs": {}}), "/$defs/A/$defs", '  "$defs"', "is not supported"),
    "an unknown keyword at the root": (
        {"version": 1, "$defs": {}},
        "/version",
        '"version"',
        'the keyword "version" is not supported at the root',
    ),
    "additionalProperties beside what it does not see": (
        definitions(A=record(), B={**record(), "allOf": [{"$ref": "#/$defs/A"}], "additionalProperties": False}),
        "/$defs/B/additionalProperties",
        '"additionalProperties"',
        "`additionalProperties` ignores the properties of `$ref`, `allOf` and unions beside it",
    ),
    "two ways to say what undeclared properties are": (
        definitions(A={**record(), "additionalProperties": False, "unevaluatedProperties": False}),
        "/$defs/A/unevaluatedProperties",
        '"unevaluatedProperties"',
        "`additionalProperties` and `unevaluatedProperties` cannot be combined",
    ),
    "a keyword where it means nothing": (
        definitions(A=record(a={"type": "array", "items": {"type": "string", "x-rfd": "r"}})),
        "/$defs/A/properties/a/items/x-rfd",
        '"x-rfd"',
        "`x-rfd` has no effect here",
    ),
    "a default that nobody would use": (
        definitions(A={"type": "string", "default": "x"}),
        "/$defs/A/default",
        '"default"',
        "`default` is only supported on a property",
    ),
    "a bound without a type": (
        definitions(A={"minLength": 1}),
        "/$defs/A/minLength",
        '"minLength"',
        "`minLength` without `type`",
    ),
    "a keyword of another type": (
        definitions(A=record(a={"type": ["string", "null"], "required": True})),
        "/$defs/A/properties/a/required",
        '"required"',
        "`required` has no effect on the type string or null",
    ),
    "a bound that is not a number": (
        definitions(A={"type": "integer", "minimum": "1"}),
        "/$defs/A/minimum",
        '"minimum"',
        "`minimum` must be a number",
    ),
    "a negative length": (
        definitions(A={"type": "array", "maxItems": -1}),
        "/$defs/A/maxItems",
        '"maxItems"',
        "`maxItems` must be a whole number, 0 or more",
    ),
    "multipleOf 0": (
        definitions(A={"type": "integer", "multipleOf": 0}),
        "/$defs/A/multipleOf",
        '"multipleOf"',
        "must be greater than 0",
    ),
    "a broken pattern": (
        definitions(A={"type": "string", "pattern": "("}),
        "/$defs/A/pattern",
        '"pattern"',
        "`pattern` is not a regular expression",
    ),
    "an unknown type": (definitions(A={"type": "text"}), "/$defs/A/type", '"type"', "`type` must be one of"),
    "a description that is not text": (
        definitions(A={"type": "string", "description": 1}),
        "/$defs/A/description",
        '"description"',
        "`description` must be a string",
    ),
    "a flag that is not a flag": (
        definitions(A={**record(), "x-docs-ignore": "yes"}),
        "/$defs/A/x-docs-ignore",
        '"x-docs-ignore"',
        "`x-docs-ignore` must be true or false",
    ),
    "skipping the items of what has none": (
        definitions(A=record(a={"type": "string", "x-deserialize-skip-invalid-items": True})),
        "/$defs/A/properties/a/x-deserialize-skip-invalid-items",
        '"x-deserialize-skip-invalid-items"',
        "belongs to an array",
    ),
    "required twice": (
        definitions(A={**record(a=TEXT), "required": ["a", "a"]}),
        "/$defs/A/required",
        '"required"',
        "`required` names a property twice",
    ),
    "items as a list": (
        definitions(A={"type": "array", "items": [TEXT]}),
        "/$defs/A/items",
        '"items"',
        "expected a schema (an object or true)",
    ),
    # --- schemas that admit nothing
    "a false schema": (definitions(A=False), "/$defs/A", '"A"', "`false` accepts no value"),
    "a false property": (
        definitions(A=record(a=False)),
        "/$defs/A/properties/a",
        '"a"',
        "`false` accepts no value",
    ),
    "parts that contradict each other": (
        definitions(A={"allOf": [TEXT, {"type": "integer"}]}),
        "/$defs/A",
        '"A"',
        "no value is both a string and an integer",
    ),
    "a constant that its type refuses": (
        definitions(A={"type": "integer", "const": "a"}),
        "/$defs/A",
        '"A"',
        "no value is both",
    ),
    "a definition that is a list": (definitions(A=[]), "/$defs/A", '"A"', "expected a schema (an object or true)"),
    "no constants at all": (definitions(A={"enum": []}), "/$defs/A/enum", '"enum"', "at least one entry"),
    "a constant that is an object": (
        definitions(A={"enum": [{}]}),
        "/$defs/A/enum/0",
        "{}",
        "a constant must be a string, a number, true, false or null",
    ),
    # --- unions
    "oneOf with a constant twice": (
        definitions(A={"oneOf": [{"const": "a"}, {"const": "b"}, {"title": "again", "const": "a"}]}),
        "/$defs/A/oneOf/2",
        "",
        '"a" appears twice',
    ),
    "oneOf with a constant that a bare type admits": (
        definitions(A={"oneOf": [{"const": "a"}, TEXT]}),
        "/$defs/A/oneOf",
        '"oneOf"',
        "each constant also matches the bare type",
    ),
    "oneOf with equal numbers": (
        definitions(A={"oneOf": [{"const": 1}, {"const": 1.0}]}),
        "/$defs/A/oneOf/1",
        "",
        "1.0 appears twice",
    ),
    "oneOf with null twice": (
        definitions(A={"oneOf": [TEXT, {"type": "null"}, {"const": None}]}),
        "/$defs/A/oneOf",
        '"oneOf"',
        "null matches more than one variant",
    ),
    "variants that cannot be named": (
        definitions(A={"anyOf": [record("a", a=TEXT), record("b", b=TEXT)]}),
        "/$defs/A/anyOf/0",
        "",
        "needs a `title` as its name",
    ),
    "not, of a type": (
        definitions(A={**record(a=TEXT), "not": {"type": "string"}}),
        "/$defs/A/not",
        '"not"',
        "`not` must be an object with one required property that is a constant",
    ),
    "not, empty": (
        definitions(A={**record(a=TEXT), "not": {}}),
        "/$defs/A/not",
        '"not"',
        "`not` must be an object with one required property",
    ),
    "not, without required": (
        definitions(A={**record(a=TEXT), "not": {"properties": {"a": {"const": "x"}}}}),
        "/$defs/A/not",
        '"not"',
        "`not` must be an object with one required property",
    ),
    "not, of two properties": (
        definitions(
            A={
                **record(a=TEXT, b=TEXT),
                "not": {"properties": {"a": {"const": "x"}, "b": {"const": "y"}}, "required": ["a", "b"]},
            }
        ),
        "/$defs/A/not",
        '"not"',
        "`not` must be an object with one required property",
    ),
    "not, nested in another": (
        definitions(A={**record(a=TEXT), "not": {"anyOf": [{"not": {}}]}}),
        "/$defs/A/not/anyOf/0",
        "",
        "`not` must be an object with one required property",
    ),
    "not, beside a string": (
        definitions(A={"type": "string", "not": {"const": "x"}}),
        "/$defs/A/not",
        '"not"',
        "`not` is only supported in a variant that is an object",
    ),
    "an ordering by more than a property": (
        {**definitions(A=TEXT), "x-ordering": {"property": "a", "direction": "b"}},
        "/x-ordering",
        '"x-ordering"',
        "`x-ordering` must have exactly one entry",
    ),
    # --- references
    "a dangling reference": (
        definitions(A={"$ref": "#/$defs/B"}),
        "/$defs/A/$ref",
        '"$ref"',
        '`$ref` "#/$defs/B" does not exist',
    ),
    "a reference into a definition": (
        definitions(A={"$ref": "#/$defs/B/properties/b"}, B=record(b=TEXT)),
        "/$defs/A/$ref",
        '"$ref"',
        "does not exist",
    ),
    "a reference that is not text": (
        definitions(A={"$ref": 1}),
        "/$defs/A/$ref",
        '"$ref"',
        "`$ref` 1 points outside the file",
    ),
    "a reference to the root": (definitions(A={"$ref": "#"}), "/$defs/A/$ref", '"$ref"', "only #/$defs/NAME is"),
    "a reference in the old style": (
        definitions(A={"$ref": "#/definitions/A"}),
        "/$defs/A/$ref",
        '"$ref"',
        "does not exist",
    ),
    "a dangling reference in an envelope": (
        definitions(A={"x-docs-ignore": True, "anyOf": [{"$ref": "#/$defs/Gone"}]}),
        "/$defs/A/anyOf/0/$ref",
        '"$ref"',
        "does not exist",
    ),
    "a definition that is itself": (
        definitions(A={"$ref": "#/$defs/A"}),
        "/$defs/A",
        '"A"',
        "the definition contains itself",
    ),
    "definitions that are each other": (
        definitions(A={"$ref": "#/$defs/B"}, B={"$ref": "#/$defs/A"}),
        "/$defs/A",
        '"A"',
        "the definition contains itself",
    ),
    "a union with itself as variant": (
        definitions(A={"anyOf": [{"title": "Again", "$ref": "#/$defs/A"}, TEXT]}),
        "/$defs/A",
        '"A"',
        "the definition contains itself as a variant or a base",
    ),
    "a nullable of itself": (
        definitions(A={"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}),
        "/$defs/A",
        '"A"',
        "the definition contains itself as a variant or a base",
    ),
    "an object based on itself": (
        definitions(A={"allOf": [{"$ref": "#/$defs/B"}], **record()}, B={"allOf": [{"$ref": "#/$defs/A"}], **record()}),
        "/$defs/A",
        '"A"',
        "the definition only refers to itself",
    ),
    # --- the root
    "definitions instead of $defs": ({"definitions": {}}, "", "{", "(rename `definitions` to `$defs`)"),
    "definitions beside $defs": (
        {"definitions": {}, "$defs": {}},
        "/definitions",
        '"definitions"',
        'the keyword "definitions" is not supported at the root',
    ),
    "another dialect": (
        {"$schema": "http://json-schema.org/draft-07/schema#", "$defs": {}},
        "/$schema",
        '"$schema"',
        'the dialect "http://json-schema.org/draft-07/schema#" is not supported',
    ),
    "a list at the root": ([], "", "[]", "expected a JSON object with `$defs`, got []"),
    "$defs as a list, beside definitions": (
        {"$defs": [], "definitions": {}},
        "",
        "{",
        "expected `$defs`, an object of definitions at (root)",
    ),
    "$defs as a list": ({"$defs": []}, "", "{", "expected `$defs`, an object of definitions"),
    "a root description that is not text": ({"description": [], "$defs": {}}, "/description", "", "must be a string"),
    "an unknown stage": (
        {"x-rfds": {"r": {"title": "R", "stage": "soon"}}, "$defs": {}},
        "/x-rfds/r",
        '"r"',
        "(to-be-removed, draft, active, preview, completed)",
    ),
    "a handshake in pieces": (
        {"x-handshake": {"method": "m"}, "$defs": {}},
        "/x-handshake",
        '"x-handshake"',
        "missing required field `version`",
    ),
    "an order by nothing": ({"x-ordering": {}, "$defs": {}}, "/x-ordering", '"x-ordering"', "one entry, `property`"),
    # --- methods
    "a method without params": (
        definitions(AResponse=part("a/b")),
        "/$defs/AResponse",
        '"AResponse"',
        'the method "a/b" has a result but no params',
    ),
    "a method without result": (
        definitions(ARequest=part("a/b")),
        "/$defs/ARequest",
        '"ARequest"',
        'the method "a/b" has params but no result',
    ),
    "a method without side": (
        definitions(ANotification={**record(), "x-method": "a"}),
        "/$defs/ANotification",
        '"ANotification"',
        "`x-side` is missing",
    ),
    "a side without method": (
        definitions(ANotification={**record(), "x-side": "agent"}),
        "/$defs/ANotification",
        '"ANotification"',
        "`x-method` is missing",
    ),
    "params that do not say what they are": (
        definitions(A=part("a")),
        "/$defs/A",
        '"A"',
        "must end in Request, Response, Notification",
    ),
    "two requests of one method": (
        definitions(ARequest=part("a"), AResponse=part("a"), BRequest=part("a")),
        "/$defs/BRequest",
        '"BRequest"',
        'ARequest is already the request of "a" on side agent',
    ),
    "a method of both sides that one of them has already": (
        definitions(ANotification=part("a", "agent"), BNotification=part("a", "both")),
        "/$defs/BNotification",
        '"BNotification"',
        'ANotification is already the notification of "a" on side agent',
    ),
    "a class of a variant that is no class": (
        definitions(A={"oneOf": [{**record(b=TEXT), "x-name": "big block"}, record(c=TEXT)]}),
        "/$defs/A/oneOf/0/x-name",
        '"x-name"',
        '`x-name` "big block" is not a valid type name: expected letters and digits, beginning with a capital',
    ),
    "a side that is a keyword of Python": (
        definitions(ANotification=part("a", "class")),
        "/$defs/ANotification/x-side",
        '"x-side"',
        "a side must be one short lower-case word",
    ),
    "a method name with spaces": (
        definitions(ANotification=part("a b")),
        "/$defs/ANotification/x-method",
        '"x-method"',
        "printable ASCII without spaces",
    ),
    "a gate that is neither path nor false": (
        definitions(ANotification=part("a", **{"x-capability": True})),
        "/$defs/ANotification/x-capability",
        '"x-capability"',
        "`x-capability` must be a path or false",
    ),
    # --- names
    "properties that collide": (
        definitions(A=record(fooBar=TEXT, foo_bar=TEXT)),
        "/$defs/A/properties/foo_bar",
        '"foo_bar"',
        "the properties 'fooBar' and 'foo_bar' would both be `foo_bar` in Python",
    ),
    "properties that collide after the underscore": (
        definitions(A=record(id=TEXT, id_=TEXT)),
        "/$defs/A/properties/id_",
        '"id_"',
        "would both be `id` in Python",
    ),
    "a property and the place for undeclared ones": (
        definitions(A={**record(extra=TEXT), "additionalProperties": True}),
        "/$defs/A",
        '"A"',
        "`extra` clashes with the attribute for undeclared properties",
    ),
    "variants that collide": (
        definitions(A={"oneOf": [record("t", t={"const": "a-b"}), record("t", "u", t={"const": "a_b"}, u=TEXT)]}),
        "/$defs/A/oneOf/1",
        "",
        "would be called AAB",
    ),
    "variants with one tag": (
        definitions(A={"oneOf": [record("t", t={"const": "a"}), record("t", t={"const": "a"}, u=TEXT)]}),
        "/$defs/A/oneOf/1",
        "",
        "two different classes would be called AA",
    ),
    "methods that collide": (
        definitions(GoOnNotification=part("a"), Go_OnNotification=part("b")),
        "/$defs/Go_OnNotification",
        '"Go_OnNotification"',
        "",
    ),
    "a method that the bases use themselves": (
        definitions(CloseNotification=part("x")),
        "/$defs/CloseNotification",
        '"CloseNotification"',
        "would be `close` in Python, but the base classes already use this name",
    ),
    "a definition and an inline type": (
        definitions(A=record(x=record(y=TEXT)), AX=record()),
        "/$defs/AX",
        '"AX"',
        "two different types would be called AX",
    ),
    "a definition with a lower-case name": (definitions(a=record()), "/$defs/a", '"a"', "is not a valid type name"),
    "a definition called like something public": (
        definitions(Transcript=record()),
        "/$defs/Transcript",
        '"Transcript"',
        "is already used by the generated package",
    ),
    "a property without letters": (definitions(A=record(**{"+": TEXT})), "/$defs/A/properties/+", '"+"', "no letters"),
    "a property that starts with a digit": (
        definitions(A=record(**{"1st": TEXT})),
        "/$defs/A/properties/1st",
        '"1st"',
        "starts with a digit",
    ),
}


@pytest.mark.parametrize(("schema", "pointer", "marker", "says"), REFUSED.values(), ids=REFUSED.keys())
def test_a_wrong_schema_is_one_line_with_place_and_pointer(
    schema: Any, pointer: str, marker: str, says: str, tmp_path: Path, run_cli: RunCli
) -> None:
    path, out = tmp_path / "f.json", tmp_path / "out"
    path.write_text(text(schema))
    ran = run_cli("--schema", path, "--out", out, "--bare")
    assert (ran.code, ran.out, ran.err.count("\n"), out.exists()) == (2, "", 1, False), ran.err
    place, _, message = ran.err.rstrip("\n").partition(": error: ")
    assert message.endswith(f" at {pointer or '(root)'}")
    assert says in message
    file, line, column = place.rsplit(":", 2)
    assert (file, int(column) > 0) == (str(path), True)
    if marker:
        assert int(line) == line_of(schema, marker)


HANDSHAKE = {
    "x-handshake": {
        "method": "open",
        "versionNumber": 1,
        "version": "v",
        "capabilities": {"agent": "can", "client": "can"},
        "info": {},
    }
}
OPENING = {
    "OpenRequest": part("open", properties={"v": {"type": "integer"}, "can": {"$ref": "#/$defs/Can"}}),
    "OpenResponse": part("open", properties={"v": {"type": "integer"}, "can": {"$ref": "#/$defs/Can"}}),
    "Can": record(yes={"type": "boolean"}, deep=record(down=record()), word=TEXT),
}
GATES = {
    "of a method": {"SayNotification": part("say", **{"x-capability": "nope"})},
    "of a method, deeper": {"SayNotification": part("say", **{"x-capability": "deep.nope"})},
    "of a method, of another side": {"SayNotification": part("say", **{"x-capability": "proxy:yes"})},
    "of a method, which is neither boolean nor object": {"SayNotification": part("say", **{"x-capability": "word"})},
    "of a method, empty": {"SayNotification": part("say", **{"x-capability": ""})},
    "of a variant": {
        "SayNotification": {
            "x-method": "say",
            "x-side": "agent",
            "oneOf": [{**record("t", t={"const": "a"}), "x-capability": "nope"}, record("t", t={"const": "b"})],
        }
    },
    "of a property": {"SayNotification": part("say", properties={"a": {**TEXT, "x-capability": "nope.nope"}})},
    "of a value": {
        "SayNotification": part("say", properties={"a": {"$ref": "#/$defs/Word"}}),
        "Word": {"anyOf": [{"const": "a", "x-capability": "nope"}, TEXT]},
    },
}


@pytest.mark.parametrize("nodes", GATES.values(), ids=GATES.keys())
def test_a_gate_that_points_at_nothing_is_refused(nodes: dict[str, Any], tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "f.json"
    path.write_text(text({**HANDSHAKE, "$defs": {**OPENING, **nodes}}))
    ran = run_cli("--schema", path, "--out", tmp_path / "out")
    assert ran.code == 2
    assert ran.err.startswith(f"{path}:")
    assert "`x-capability`" in ran.err


@pytest.mark.parametrize("gate", ["yes", "deep", "deep.down", "client:yes", "agent:deep.down"])
def test_a_gate_that_points_at_a_boolean_or_an_object_is_accepted(gate: str, tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "f.json"
    path.write_text(text({**HANDSHAKE, "$defs": {**OPENING, "SayNotification": part("say", **{"x-capability": gate})}}))
    assert run_cli("--schema", path, "--out", tmp_path / "out").err == ""


REMOTE = [
    "http://localhost:1/s.json#/$defs/B",
    "https://example.invalid/s.json",
    "file:///etc/passwd",
    "other.json",
    "other.json#/$defs/B",
    "../other.json",
    "//host/share",
    "/etc/passwd",
    "",
]


@pytest.mark.parametrize("target", REMOTE)
@pytest.mark.parametrize("envelope", [False, True], ids=["definition", "envelope"])
def test_a_reference_never_leaves_the_file(
    target: str, envelope: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.json").write_text('{"$defs": {"B": {}}}')
    monkeypatch.chdir(tmp_path)
    node = {"$ref": target, **({"x-docs-ignore": True} if envelope else {})}
    document = parse(json.dumps(definitions(A=node)).encode(), "f.json")

    def touched(*arguments: object, **_: object) -> None:
        pytest.fail(f"something was opened: {arguments}")

    with monkeypatch.context() as watched:
        watched.setattr(socket, "socket", touched)
        watched.setattr(socket, "getaddrinfo", touched)
        watched.setattr(urllib.request, "urlopen", touched)
        watched.setattr("builtins.open", touched)
        watched.setattr("io.open", touched)
        watched.setattr("os.open", touched)
        with pytest.raises(SchemaError) as caught:
            load(document)
    assert (caught.value.pointer, caught.value.line) == ("/$defs/A/$ref", 1)
    assert "points outside the file; only #/$defs/NAME is supported" in caught.value.problem


def test_an_rfd_that_the_table_does_not_know_is_refused_where_it_matters(tmp_path: Path, run_cli: RunCli) -> None:
    schema = {
        "x-rfds": {"known": {"title": "K", "stage": "draft"}},
        "$defs": {"A": record(a={**TEXT, "x-rfd": "unknown"})},
    }
    path = tmp_path / "f.json"
    path.write_text(text(schema))
    ran = run_cli("--schema", path, "--out", tmp_path / "out", "--stable")
    line = line_of(schema, '"x-rfd"')
    assert ran.code == 2
    assert ran.err.startswith(f"{path}:{line}:")
    assert 'RFD "unknown" is not listed in x-rfds at /$defs/A/properties/a/x-rfd' in ran.err


def test_nothing_is_stable_where_nothing_says_so(tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "f.json"
    path.write_text(text(definitions(A=TEXT)))
    for command in (["generate", "--out", tmp_path / "out"], ["schema"]):
        ran = run_cli(*command, "--schema", path, "--stable")
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert ran.err.startswith(
            f"{path}:1:1: error: the schema has no `x-rfds`, so the stable parts are unknown (write `x-rfds`"
        )
        assert ran.err.endswith(" at (root)\n")


def test_an_unknown_extension_keyword_is_a_warning_with_its_place(tmp_path: Path, run_cli: RunCli) -> None:
    schema = {"x-else": 1, "$defs": {"A": {**record(a={**TEXT, "x-mine": {"deep": 1}}), "x-\u202e\n": 1}}}
    path = tmp_path / "f.json"
    path.write_text(text(schema))
    ran = run_cli("--schema", path, "--out", tmp_path / "out", "--bare")
    found = sorted((int(line.split(":")[1]), line.partition("warning: ")[2]) for line in ran.err.splitlines())
    assert (ran.code, found) == (
        0,
        [
            (line_of(schema, '"x-else"'), 'unknown keyword "x-else" is ignored'),
            (line_of(schema, '"x-mine"'), "unknown keyword `x-mine` is ignored"),
            (line_of(schema, "u202e"), "unknown keyword `x-\\u202e\\n` is ignored"),
        ],
    )


def test_a_dangling_reference_proposes_the_definition_with_the_nearest_name() -> None:
    schema = definitions(A={"$ref": "#/$defs/Thng"}, Thing=TEXT)
    with pytest.raises(SchemaError) as caught:
        load(parse(text(schema).encode(), "schema.json"))
    assert '"#/$defs/Thing"' in str(caught.value)
