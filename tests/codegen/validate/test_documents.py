"""The JSON in Markdown and MDX: what a block is, and where in the file its faults are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.validate.results.summary import Summary
from codegen.validate.sources.documents import read_document

from .support import ids, of_document, places, protocol

BAD = '{"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": 5}}'
AT = len('{"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": ') + 1
REQUEST = {"jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}


def counted(text: str) -> Summary:
    summary = Summary()
    read_document(text.encode(), "d.md", protocol(), summary, lambda _: None)
    return summary


def block(value: Any, info: str = "json") -> str:
    return f"```{info}\n{json.dumps(value)}\n```\n"


@pytest.mark.parametrize(
    ("text", "line", "before"),
    [
        (f"```json\n{BAD}\n```\n", 2, 0),
        (f"~~~json\n{BAD}\n~~~\n", 2, 0),
        (f"`````json\n{BAD}\n`````\n", 2, 0),
        (f"``` JSON\n{BAD}\n```\n", 2, 0),
        (f'```json title="A message" highlight={{7-10}}\n{BAD}\n```\n', 2, 0),
        (f"```json theme={{null}}\n{BAD}\n```\n", 2, 0),
        (f"```jsonc\n{BAD}\n```\n", 2, 0),
        (f"- item\n\n  ```json\n  {BAD}\n  ```\n", 4, 2),
        (f"1. item\n   - ```json\n     {BAD}\n     ```\n", 3, 5),
        (f"> quoted\n> ```json\n> {BAD}\n> ```\n", 3, 2),
        (f">> ```json\n>>    {BAD}\n>> ```\n", 2, 6),
        (f"<Tabs>\n    <Tab>\n        ```json\n        {BAD}\n        ```\n    </Tab>\n</Tabs>\n", 4, 8),
        (f"\t```json\n\t{BAD}\n\t```\n", 2, 1),
        (f"```json\r\n{BAD}\r\n```\r\n", 2, 0),
        (f"\ufeff```json\n{BAD}\n```\n", 2, 0),
        (f"é 😀\n\n```json\n{BAD}\n```\n", 4, 0),
        (f"````md\n```json\n[\n```\n````\n```json\n{BAD}\n```\n", 7, 0),
        (f"```json\n{BAD}", 2, 0),
    ],
    ids=str,
)
def test_a_fault_has_its_place_in_the_file(text: str, line: int, before: int) -> None:
    assert ("params-invalid", line, AT + before) in places(of_document(text))


def test_a_fault_deep_in_an_indented_block_has_its_place() -> None:
    text = "- a\n  ```json\n" + "".join(f"  {line}\n" for line in json.dumps(json.loads(BAD), indent=2).splitlines())
    assert places(of_document(text + "  ```\n")) == [("params-invalid", 7, 20)]


def test_a_column_counts_characters() -> None:
    text = '```json\n{"jsonrpc": "2.0", "method": "session/cancel", "params": {"_meta": {"é😀": 1}, "sessionId": 5}}\n```\n'
    assert places(of_document(text)) == [("params-invalid", 2, AT + len('"_meta": {"é😀": 1}, '))]


def test_inline_code_opens_no_block() -> None:
    assert counted("```json {} ```\n\n" + block({"a": 1})).other == 1


def test_a_response_is_paired_with_the_request_before_it() -> None:
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end-turn"}}
    assert ids(of_document(block(REQUEST) + "\nThe answer:\n\n" + block(answer))) == ["result-invalid"]


def test_of_two_requests_with_one_id_the_last_is_answered() -> None:
    other = {"jsonrpc": "2.0", "id": 3, "method": "session/list", "params": {}}
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"sessions": []}}
    assert ids(of_document(block(REQUEST) + block(other) + block(answer))) == []


def test_several_messages_may_stand_in_one_block() -> None:
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"stopReason": 5}}
    text = f"```json\n{json.dumps(REQUEST)}\n\n{json.dumps(answer)}\n```\n"
    assert places(of_document(text)) == [("result-invalid", 4, json.dumps(answer).index("5}") + 1)]


def test_a_response_without_a_request_is_read_by_its_members() -> None:
    answer = {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "1", "agentCapabilities": {}}}
    assert ids(of_document(block(answer))) == ["result-invalid"]


def test_a_response_that_tells_nothing_is_left_alone() -> None:
    assert ids(of_document(block({"jsonrpc": "2.0", "id": 0, "result": {"buffers": []}}))) == []


def test_the_answer_to_an_extension_is_left_alone() -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "_vendor/x", "params": {}}
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"sessionId": 5}}
    assert ids(of_document(block(asked) + block(answer))) == []


@pytest.mark.parametrize(
    "heading",
    [
        "## ToolCall",
        '### <span class="font-mono">ToolCall</span>',
        "#### `ToolCall` {#tool-call}",
        "## [ToolCall](./schema#toolcall) ##",
        "Tool Call\n---------",
        "## Tool Calls",
    ],
)
def test_the_nearest_heading_names_a_type(heading: str) -> None:
    assert ids(of_document(f"{heading}\n\n" + block({"toolCallId": "c", "titel": "x"}))) == ["value-invalid"]


def test_json_that_has_nothing_a_type_cannot_do_without_is_not_of_it() -> None:
    assert ids(of_document("## Tool calls\n\n" + block({"name": "read", "arguments": {}}))) == []


def test_a_heading_that_names_a_method_stands_for_its_params_and_its_result() -> None:
    heading = "### `session/new`\n\n"
    assert ids(of_document(heading + block({"cwd": "/srv", "mcpServers": 1}))) == ["value-invalid"]
    assert ids(of_document(heading + block({"sessionId": 1}))) == ["value-invalid"]
    assert ids(of_document(heading + block({"sessionId": "s"}))) == []


@pytest.mark.parametrize(
    "info", ["json type=ToolCall", 'json type="ToolCall"', "json ToolCall", "json {type=ToolCall}"]
)
def test_an_info_string_names_a_type(info: str) -> None:
    assert ids(of_document(block({"toolCallId": "c"}, info))) == ["value-invalid"]


def test_an_info_string_names_the_type_of_the_items_of_an_array() -> None:
    items = [{"toolCallId": "c", "title": "t"}, {"toolCallId": 5, "title": "t"}]
    assert places(of_document(block(items, "json type=ToolCall[]"))) == [
        ("value-invalid", 2, json.dumps(items).index("5") + 1)
    ]


def test_an_info_string_names_a_file_of_an_example() -> None:
    info = "json examples/messages/agent/session/new/full.request.json"
    assert ids(of_document(block({"cwd": 1, "mcpServers": []}, info))) == ["value-invalid"]


def test_the_payload_of_a_variant_may_carry_its_tag() -> None:
    assert ids(of_document("## Diff\n\n" + block({"type": "diff", "path": "/a", "newText": ""}))) == []


def test_a_value_with_a_tag_that_no_other_json_has_is_judged() -> None:
    assert ids(of_document(block({"sessionUpdate": "current_mode_update", "modeId": "code"}))) == ["value-invalid"]


@pytest.mark.parametrize(
    "value",
    [
        {"name": "x", "type": "module", "dependencies": {}},
        {"agent_servers": {"x": {"command": "x"}}},
        {"id": "x", "error": "no", "why": 1},
        [],
        [1, 2],
        "text",
        {},
    ],
    ids=str,
)
def test_other_json_is_counted_and_left_alone(value: Any) -> None:
    found = counted("## ToolCall\n\n" + block(value))
    assert (found.messages, found.other, found.levels) == ({}, 1, {})


@pytest.mark.parametrize(
    "sketch",
    [
        '{"a": 1, // why\n "b": 2}',
        '{"a": 1 /* why */, }',
        '{"options": [...]}',
        '{"a": 1, ... }',
        '{"a": …}',
        '{"a": <your key>}',
        '"a": {"b": 1}',
    ],
)
def test_a_sketch_is_unparsable_and_no_error(sketch: str) -> None:
    found = of_document(f"```json\n{sketch}\n```\n")
    assert [(finding.id, finding.level.name) for finding in found] == [("example-unparsable", "info")]


def test_a_block_that_is_broken_and_no_sketch_is_an_error() -> None:
    assert places(of_document('```json\n{\n  "url": "https://x",\n}\n```\n')) == [("message-not-json", 4, 1)]
    assert ids(of_document('```json\n{"a": 1}\n{"b": }\n```\n')) == ["message-not-json"]


def test_blocks_of_other_languages_are_not_read() -> None:
    assert counted("```js\n{\n```\n```\n{\n```\n```json-schema\n{\n```\n").levels == {}


@pytest.mark.parametrize(
    "line", ["# " + " " * 500_000, "#" * 500_000, "[" * 500_000, ">" * 500_000, "- " * 250_000, "`" * 500_000]
)
def test_a_line_of_any_length_is_read(line: str) -> None:
    assert places(of_document(f"{line}\n\n```json\n{BAD}\n```\n")) == [("params-invalid", 4, AT)]


@pytest.mark.parametrize(
    ("method", "level"), [("tools/call", "warning"), ("session/forget", "error"), ("initialise", "error")]
)
def test_a_method_that_is_not_akin_to_any_may_be_of_another_protocol(method: str, level: str) -> None:
    (found,) = of_document(block({"jsonrpc": "2.0", "id": 3, "method": method, "params": {}}))
    assert (found.id, found.level.name) == ("method-unknown", level)


def test_a_property_that_is_declared_elsewhere_alone_is_told() -> None:
    answer = {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1, "clientCapabilities": {}}}
    assert ids(of_document(block(answer))) == ["property-undeclared"]
