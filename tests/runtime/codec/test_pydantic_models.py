"""`pydantic_models`: the types once more as pydantic models, which read and write as the msgspec classes do."""

from __future__ import annotations

import asyncio
import copy
import importlib
import json
import pickle
from pathlib import Path
from typing import Annotated, Any

import httpx
import jsonschema_rs
import pytest
from fastapi import Body, FastAPI
from pydantic import BaseModel, ValidationError

import generated as acp
import generated.pydantic_models as m
from generated._nodes import NODES
from generated._runtime.schema.definitions import Record
from tests.wire.packages import make_package, minimal

from .pydantic_corpus import BEGIN, PAGE, SEED, adapter, changed, has_other_constants, messages, parts, table

TEXT = {"type": "text", "text": "hello"}


def test_the_names_are_those_of_the_other_classes() -> None:
    # Packages that other tests load over this one add their types to the table.
    own = {name: node for name, node in NODES.items() if hasattr(acp.models, name)}
    assert {*own} <= {*vars(m)}
    assert {each.__name__ for each in vars(m).values() if isinstance(each, type) and issubclass(each, BaseModel)} == {
        "Model",
        *(name for name, node in own.items() if isinstance(node, Record)),
    }


def test_every_example_is_written_as_it_was() -> None:
    assert len(messages()) > 300
    for name, value in messages():
        read = adapter(name).validate_json(json.dumps(value))
        assert read == adapter(name).validate_python(value)
        assert adapter(name).dump_python(read) == value, name
        assert json.loads(adapter(name).dump_json(read)) == value, name


def test_every_example_fits_the_json_schema() -> None:
    schemas: dict[str, list[Any]] = {}
    for name, value in messages():
        if name not in schemas:
            made = [adapter(name).json_schema(mode=mode) for mode in ("validation", "serialization")]
            schemas[name] = [jsonschema_rs.validator_for(schema) for schema in made]
        assert all(schema.is_valid(value) for schema in schemas[name]), name


def test_changed_messages_are_read_as_by_the_codec() -> None:
    """A sample; the table has all."""
    found = [*changed(messages(), "sample", 2)]
    assert [case for case, same, _ in found if not same] == []
    assert 200 < sum(refused for _, _, refused in found) < len(found) - 200


def test_a_class_read_alone_differs_only_by_its_tag() -> None:
    found = [*changed(parts(), "sample", 1)]
    assert [case for case, same, _ in found if not same and not has_other_constants(case)] == []


@pytest.mark.slow
def test_the_table_of_the_page_is_the_result() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert SEED not in ("sample", "tuning")
    assert f"{BEGIN}{table()}" in page
    assert "| messages | 8,075 | 100.0% | none |" in page


def test_null_and_an_absent_property_are_told_apart() -> None:
    absent, null = m.ToolCallProgress(tool_call_id="c"), m.ToolCallProgress(tool_call_id="c", title=None)
    assert (absent.title, null.title) == (m.MISSING, None)
    assert absent.model_dump() == {"sessionUpdate": "tool_call_update", "toolCallId": "c"}
    assert json.loads(null.model_dump_json()) == {**absent.model_dump(), "title": None}
    assert m.ToolCallProgress(tool_call_id="c", title=m.MISSING) == absent
    assert absent != null


def test_copies_keep_what_is_absent() -> None:
    call = m.ToolCallProgress(tool_call_id="c", title=None)
    for same in (copy.deepcopy(call), call.model_copy(), pickle.loads(pickle.dumps(call))):
        assert same == call
        assert same.model_dump() == call.model_dump()


def test_the_names_of_attributes_are_for_programs_alone() -> None:
    assert m.CancelNotification(session_id="s") == m.CancelNotification.model_validate({"sessionId": "s"})
    by_wire_name: Any = {"sessionId": "s"}
    assert m.CancelNotification(**by_wire_name) == m.CancelNotification(session_id="s")
    with pytest.raises(ValidationError):
        m.CancelNotification.model_validate({"session_id": "s"})


def test_an_unknown_variant_is_kept() -> None:
    block = {"type": "of_tomorrow", "a": [1]}
    prompt = m.PromptRequest.model_validate({"sessionId": "s", "prompt": [TEXT, block]})
    assert prompt.prompt[1] == acp.UnknownVariant("of_tomorrow", block)
    assert prompt.model_dump()["prompt"] == [TEXT, block]
    assert m.PromptRequest(session_id="s", prompt=prompt.prompt) == prompt


def test_an_array_that_skips_bad_items_leaves_out_unknown_variants_of_a_closed_union() -> None:
    update = {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t"}
    content = [{"type": "of_tomorrow"}, {"type": "content", "content": TEXT}, {"type": "content"}]
    call = m.ToolCall.model_validate({**update, "content": content})
    assert call.model_dump() == {**update, "content": content[1:2]}


def test_an_open_object_keeps_undeclared_properties_and_a_union_its_instances() -> None:
    error = m.McpError.model_validate({"code": 1, "message": "no", "more": [2]})
    assert error.model_extra == {"more": [2]}
    assert error.model_dump() == {"code": 1, "message": "no", "more": [2]}
    text = m.TextContent(text="hello")
    assert adapter("ContentBlock").validate_python(text) is text


def test_values_of_other_json_types_are_not_converted() -> None:
    for wrong in ({"protocolVersion": "1"}, {"protocolVersion": True}, {"protocolVersion": 1.0}):
        with pytest.raises(ValidationError):
            m.InitializeRequest.model_validate(wrong)


def test_limits_do_not_apply_to_the_empty_array_that_replaces_a_bad_one(tmp_path: Path) -> None:
    array = {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "x-deserialize-default-on-error": True}
    row = {"type": "object", "properties": {"cells": array}, "required": ["cells"], "description": "A row."}
    package = make_package(minimal({"Row": row}), tmp_path, "with_limits")
    models = importlib.import_module("with_limits.pydantic_models")
    for bad in (0, [], [1]):
        first, second = (models.Row.model_validate({"cells": bad}) for _ in range(2))
        assert first.model_dump() == package.to_dict(package.from_dict(package.Row, {"cells": bad})) == {"cells": []}
        assert first.cells is not second.cells


class Note(BaseModel):
    block: m.ContentBlock
    server: m.McpServer | None = None


app = FastAPI()


@app.post("/blocks")
def blocks(block: Annotated[m.ContentBlock, Body()]) -> m.ContentBlock:
    return block


@app.post("/notes")
def notes(note: Note) -> m.PromptRequest:
    return m.PromptRequest(session_id="s", prompt=[note.block])


def answer_of(method: str, path: str, body: Any = None) -> httpx.Response:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
            return await client.request(method, path, json=body)

    return asyncio.run(ask())


def test_fastapi_takes_the_models_in_requests_and_responses() -> None:
    assert answer_of("POST", "/blocks", TEXT).json() == TEXT
    assert answer_of("POST", "/blocks", {"type": "of_tomorrow"}).json() == {"type": "of_tomorrow"}
    assert answer_of("POST", "/notes", {"block": TEXT}).json() == {"sessionId": "s", "prompt": [TEXT]}


def test_fastapi_answers_422_with_the_place_of_the_fault() -> None:
    server: dict[str, Any] = {"name": "a", "command": 1, "args": [], "env": []}
    answer = answer_of("POST", "/notes", {"block": {"type": "text", "text": 1}, "server": server})
    assert answer.status_code == 422
    assert [error["loc"] for error in answer.json()["detail"]] == [
        ["body", "block", "text"],
        ["body", "server", "command"],
    ]


def test_openapi_describes_the_models_and_their_properties() -> None:
    schemas = answer_of("GET", "/openapi.json").json()["components"]["schemas"]
    assert not [name for name in schemas if name.endswith(("-Input", "-Output"))]
    text = schemas["TextContent"]
    assert text["description"] == "Text for a language model, or from one."
    assert {"type", "text", "annotations", "_meta"} == {*text["properties"]}
    assert text["properties"]["text"]["description"]
    assert "default" not in text["properties"]["annotations"]
    assert {"$ref": "#/components/schemas/TextContent"} in schemas["Note"]["properties"]["block"]["anyOf"]
