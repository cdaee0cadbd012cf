"""Types of the package in pydantic models and in FastAPI: they are read, written and described there as everywhere."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from functools import cache
from typing import Annotated, Any

import httpx
import jsonschema_rs
import pytest
from fastapi import Body, FastAPI
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

import generated as acp
from tests.wire.documents import examples

TYPED = [example for example in examples() if example.type_in(acp) is not None]


@cache
def adapter(type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type)


@cache
def validator(type: Any) -> Any:
    return jsonschema_rs.validator_for(adapter(type).json_schema())


class Note(BaseModel):
    block: acp.ContentBlock
    kind: acp.ToolKind = "other"
    server: acp.McpServer | None = None
    update: acp.SessionNotification | None = None


class StrictNote(Note):
    model_config = ConfigDict(strict=True)


TEXT = {"type": "text", "text": "hello"}


def test_every_example_is_read_as_by_the_codec_written_as_it_was_and_fits_the_json_schema() -> None:
    assert len(TYPED) > 300
    for example in TYPED:
        type_ = example.type_in(acp)
        read = adapter(type_).validate_json(example.text)
        assert read == acp.decode(type_, example.text), example
        assert adapter(type_).dump_python(read) == example.value, example
        assert json.loads(adapter(type_).dump_json(read)) == example.value, example
        assert validator(type_).is_valid(example.value), example


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (acp.TextContent, {"type": "image", "text": "hello"}),
        (acp.TextContent, {"type": "text", "text": 1}),
        (acp.ContentBlock, {"text": "hello"}),
        (acp.NewSessionRequest, {"cwd": "/", "mcpServers": [{"name": "a"}]}),
        (acp.UsageUpdate, {"sessionUpdate": "usage_update", "used": -1, "size": 1}),
        (acp.StateUpdate, {"state": 1}),
        (acp.ToolKind, "reed"),
    ],
)
def test_what_does_not_fit_is_refused_by_the_model_and_by_the_json_schema(type_: Any, value: Any) -> None:
    with pytest.raises(ValidationError):
        adapter(type_).validate_python(value)
    assert not validator(type_).is_valid(value)


def test_an_error_is_at_the_place_of_the_fault() -> None:
    update = {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "content": [TEXT, {"type": "content"}]}
    with pytest.raises(ValidationError) as caught:
        StrictNote.model_validate({"block": TEXT, "update": {"sessionId": "s", "update": update}})
    (error,) = caught.value.errors()
    assert error["loc"] == ("update", "update", "content", 0, "type")
    assert error["input"] == "text"


def test_a_model_reads_leniently_unless_its_config_says_strict() -> None:
    newer = {"block": TEXT, "update": {"sessionId": "s", "update": {"sessionUpdate": "of_tomorrow", "a": 1}}}
    note = Note.model_validate(newer)
    assert note.update is not None
    assert isinstance(note.update.update, acp.UnknownVariant)
    assert note.model_dump(exclude_unset=True) == newer
    with pytest.raises(ValidationError):
        StrictNote.model_validate(newer)


def test_an_open_union_keeps_a_variant_that_it_does_not_know() -> None:
    newer = {"state": "of_tomorrow", "name": "a"}
    read = TypeAdapter(acp.StateUpdate, config=ConfigDict(strict=True)).validate_python(newer)
    assert read == acp.UnknownVariant("of_tomorrow", newer)
    assert adapter(acp.StateUpdate).dump_python(read) == newer
    assert adapter(acp.StateUpdate).validate_python(read) is read
    assert validator(acp.StateUpdate).is_valid(newer)


def test_a_union_beside_null_keeps_its_meaning() -> None:
    optional = adapter(acp.ContentBlock | None)
    assert optional.validate_python(None) is None
    assert optional.validate_python({"type": "of_tomorrow"}) == acp.UnknownVariant(
        "of_tomorrow", {"type": "of_tomorrow"}
    )
    with pytest.raises(ValidationError) as caught:
        optional.validate_python({"type": "text", "text": 1})
    assert [error["loc"] for error in caught.value.errors()] == [("text",)]


def test_absent_and_null_survive() -> None:
    for title in ({}, {"title": None}):
        info = {"sessionUpdate": "session_info_update", **title}
        assert adapter(acp.SessionInfoUpdate).dump_python(adapter(acp.SessionInfoUpdate).validate_python(info)) == info


def test_instances_are_taken_as_they_are_and_also_inside_json() -> None:
    text = acp.TextContent(text="hello")
    assert Note(block=text).block is text
    prompt = {"sessionId": "s", "prompt": [text]}
    assert adapter(acp.PromptRequest).validate_python(prompt).prompt == [text]
    assert adapter(acp.SessionConfigSelectOptions).validate_python(
        [acp.SessionConfigSelectOption(value="a", name="A")]
    ) == [acp.SessionConfigSelectOption(value="a", name="A")]


def test_a_class_that_the_package_does_not_have_is_a_type_error() -> None:
    class Mine(acp.TextContent):
        pass

    with pytest.raises(TypeError, match=r"Mine.* is not a type of this package"):
        TypeAdapter(Mine)


app = FastAPI()


@app.post("/blocks")
def blocks(block: Annotated[acp.ContentBlock, Body()]) -> acp.ContentBlock:
    return block


@app.post("/notes")
def notes(note: Note, servers: list[acp.McpServer]) -> acp.PromptRequest:
    assert all(isinstance(each, acp.McpServerStdio) for each in servers)
    return acp.PromptRequest(session_id=note.kind, prompt=[note.block])


def answer_of(method: str, path: str, body: Any = None) -> httpx.Response:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
            return await client.request(method, path, json=body)

    return asyncio.run(ask())


def test_fastapi_takes_types_as_bodies_and_responses() -> None:
    assert answer_of("POST", "/blocks", TEXT).json() == TEXT
    server = {"name": "a", "command": "b", "args": [], "env": []}
    sent = answer_of("POST", "/notes", {"note": {"block": TEXT, "kind": "read"}, "servers": [server]})
    assert sent.json() == {"sessionId": "read", "prompt": [TEXT]}


def test_fastapi_answers_422_with_the_place_of_the_fault() -> None:
    answer = answer_of("POST", "/notes", {"note": {"block": TEXT}, "servers": [{"name": "a", "command": 1}]})
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", "servers", 0, "command"]


def test_openapi_describes_each_type_once_and_by_its_name() -> None:
    document = answer_of("GET", "/openapi.json").json()
    schemas = document["components"]["schemas"]
    assert not [name for name in schemas if name.endswith(("-Input", "-Output")) or "__" in name]
    assert {"TextContent", "McpServer", "McpServerStdio", "PromptRequest", "ContentBlock", "Note"} <= {*schemas}
    text = schemas["TextContent"]
    assert text["description"] == "Text for a language model, or from one."
    assert text["required"] == ["type", "text"]
    assert text["properties"]["type"] == {"const": "text"}
    answer = document["paths"]["/notes"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {"$ref": "#/components/schemas/PromptRequest"}
    referred = set(_references(document))
    assert referred == {f"#/components/schemas/{name}" for name in schemas}


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [each for inner in value.values() for each in _references(inner)]
    return [each for inner in value for each in _references(inner)] if isinstance(value, list) else []


def test_nothing_of_it_is_imported_before_pydantic_asks() -> None:
    program = (
        "import sys, generated as acp; acp.TextContent(text='a'), acp.Agent, acp.from_dict(acp.StateUpdate, {'state': 'a'});"
        "print([name for name in sys.modules if 'pydantic' in name])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "[]\n"
