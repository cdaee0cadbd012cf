"""What a finding says: path, pointer, what was expected, what was there, and the likely name."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.validate.values.errors import Fault
from codegen.validate.values.suggestions import nearest

from .support import protocol

UPDATE = "SessionNotification"


def faults(name: str, value: Any) -> list[Fault]:
    return protocol().faults(name, value)


def update(**members: Any) -> dict[str, Any]:
    return {"sessionId": "s", "update": members}


def test_a_missing_property_names_the_one_that_stands_there_instead() -> None:
    assert faults(UPDATE, update(sessionUpdate="current_mode_update", modeId="code")) == [
        Fault(
            ("update",),
            "/$defs/CurrentModeUpdate/required",
            'a property "currentModeId"',
            'an object with "sessionUpdate", "modeId"',
            "modeId",
        )
    ]


def test_of_a_union_the_variant_that_the_tag_names_is_judged() -> None:
    (fault,) = faults(UPDATE, update(sessionUpdate="tool_call", toolCallId="c", title=5))
    assert (fault.path, fault.expected, fault.found) == (("update", "title"), "a string", "5")


def test_a_tag_that_no_variant_has_is_told_with_the_nearest() -> None:
    (fault,) = faults(UPDATE, update(sessionUpdate="current_mode_updat"))
    assert (fault.path, fault.found) == (("update", "sessionUpdate"), '"current_mode_updat"')
    assert fault.near == "current_mode_update"


def test_a_tag_that_is_missing_is_told_once() -> None:
    (fault,) = faults(UPDATE, update())
    assert fault.path == ("update",)
    assert fault.expected.startswith('a property "sessionUpdate", ')
    assert '"user_message_chunk"' in fault.expected


def test_a_value_that_an_enumeration_lacks_is_told_with_the_nearest() -> None:
    (fault,) = faults("PromptResponse", {"stopReason": "end-turn"})
    assert (fault.pointer, fault.near) == ("/$defs/StopReason/oneOf", "end_turn")


def test_without_a_tag_the_variant_without_one_is_judged() -> None:
    found = faults("NewSessionRequest", {"cwd": "/", "mcpServers": [{"name": "x"}]})
    assert [fault.expected for fault in found] == [f'a property "{name}"' for name in ("command", "args", "env")]


def test_null_where_an_object_is_wanted_is_told_as_that() -> None:
    assert faults("LoadSessionResponse", None) == [Fault((), "/$defs/LoadSessionResponse/type", "an object", "null")]


def test_several_faults_stand_in_the_order_of_the_message() -> None:
    value = {"sessionId": 1, "prompt": [{"type": "text"}, {"type": "txt", "text": "x"}]}
    assert [fault.path for fault in faults("PromptRequest", value)] == [
        ("prompt", 0),
        ("prompt", 1, "type"),
        ("sessionId",),
    ]


@pytest.mark.parametrize(
    ("name", "candidates", "near"),
    [
        ("currentModeId", ["modeId", "title"], "modeId"),
        ("session_id", ["sessionId", "cwd"], "sessionId"),
        ("mcp", ["mcpCapabilities", "auth"], "mcpCapabilities"),
        ("titel", ["title", "kind"], "title"),
        ("session/promt", ["session/prompt", "session/new"], "session/prompt"),
        ("content", ["title", "kind"], ""),
        ("id", ["sessionId"], ""),
    ],
)
def test_the_nearest_name(name: str, candidates: list[str], near: str) -> None:
    assert nearest(name, candidates) == near


def test_a_property_that_has_its_own_place_is_not_taken_for_one_that_is_missing() -> None:
    (fault,) = (f for f in faults("SessionMessage", {"senderMessageId": "m"}) if '"messageId"' in f.expected)
    assert fault.near == ""
