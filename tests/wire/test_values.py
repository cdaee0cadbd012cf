"""The objects in hand: equal, copied, pickled, replaced, matched; unknown variants and open records among them."""

from __future__ import annotations

import copy
import json
import pickle
import traceback
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

import generated as acp

from .documents import Example, examples

INFO = acp.SessionInfo(session_id="s", cwd="/", title=None)
UNKNOWN = acp.UnknownVariant("hologram", {"type": "hologram", "depth": [1, None]})
OPEN = acp.McpError(code=-32000, message="no", extra={"retry": {"after": 5}})
DEEP = acp.PromptRequest(session_id="s", prompt=[acp.TextContent(text="a"), UNKNOWN], meta={"k": [1]})
OBJECTS = pytest.mark.parametrize("value", [INFO, UNKNOWN, OPEN, DEEP], ids=lambda value: type(value).__name__)
COPIES = {"pickle": lambda v: pickle.loads(pickle.dumps(v)), "deepcopy": copy.deepcopy, "copy": copy.copy}


@OBJECTS
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_is_equal_and_writes_the_same_json(value: Any, how: str) -> None:
    twin = COPIES[how](value)
    assert twin is not value
    assert (twin, acp.encode(twin)) == (value, acp.encode(value))


@pytest.mark.parametrize(
    ("value", "inside"), [(UNKNOWN, "raw"), (OPEN, "extra"), (DEEP, "meta")], ids=["raw", "extra", "meta"]
)
def test_a_deep_copy_shares_nothing(value: Any, inside: str) -> None:
    twin, before = copy.deepcopy(value), acp.encode(value)
    for held in getattr(twin, inside).values():
        if isinstance(held, (dict, list)):
            held.clear()
    getattr(twin, inside)["changed"] = True
    assert (acp.encode(value), acp.encode(twin) == before) == (before, False)


def test_an_unset_property_stays_unset_through_a_pickle() -> None:
    assert pickle.loads(pickle.dumps(INFO)).updated_at is UNSET


@pytest.mark.parametrize("example", examples()[::10], ids=str)
def test_a_decoded_message_survives_a_pickle(example: Example) -> None:
    decoded = acp.decode(example.type_in(acp), example.text)
    assert json.loads(acp.encode(pickle.loads(pickle.dumps(decoded)))) == example.value


def test_replace_changes_one_property_and_leaves_the_original() -> None:
    changed = msgspec.structs.replace(INFO, title="New")
    assert (changed.title, changed.cwd, INFO.title) == ("New", "/", None)


def test_models_are_matched_by_class_and_property() -> None:
    match DEEP.prompt[0]:
        case acp.TextContent(text=text):
            found = text
        case _:
            found = None
    assert found == "a"


# --- unknown variants ------------------------------------------------------------------------------------------------------


def test_an_unknown_variant_is_matched_by_tag_and_raw() -> None:
    match DEEP.prompt[1]:
        case acp.UnknownVariant("hologram", {"depth": depth}):
            found = depth
        case _:
            found = None
    assert found == [1, None]


def test_an_unknown_variant_shows_what_it_holds() -> None:
    assert repr(acp.UnknownVariant("x", {"type": "x"})) == "UnknownVariant(tag='x', raw={'type': 'x'})"


@pytest.mark.parametrize(
    "other", [acp.UnknownVariant("hologram", {}), acp.UnknownVariant("x", UNKNOWN.raw), UNKNOWN.raw, None]
)
def test_an_unknown_variant_differs_from_another(other: Any) -> None:
    assert other != UNKNOWN


def test_an_unknown_variant_is_not_hashable_because_it_holds_a_dict() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(UNKNOWN)


def test_an_unknown_variant_inside_a_message_is_sent_on_unchanged() -> None:
    assert acp.to_dict(DEEP)["prompt"] == [{"type": "text", "text": "a"}, UNKNOWN.raw]


# --- records that keep what their schema does not declare ------------------------------------------------------------------

WIRE = {"code": -1, "message": "m", "data": None, "retry": {"after": [1]}, "": 0}


@pytest.mark.parametrize("strict", [True, False])
def test_an_open_record_keeps_and_writes_back_undeclared_properties(strict: bool) -> None:
    error = acp.decode(acp.McpError, json.dumps(WIRE), strict=strict)
    assert (error.code, error.data, error.extra) == (-1, None, {"retry": {"after": [1]}, "": 0})
    assert json.loads(acp.encode(error)) == acp.to_dict(error) == WIRE


def test_an_open_record_leaves_out_what_is_unset() -> None:
    assert acp.to_dict(acp.McpError(code=1, message="m")) == {"code": 1, "message": "m"}


def test_a_declared_property_wins_over_an_extra_one_of_the_same_name() -> None:
    assert acp.to_dict(acp.McpError(code=1, message="m", extra={"code": 2}))["code"] == 1


def test_an_open_record_shows_what_it_holds() -> None:
    assert repr(acp.McpError(code=1, message="m", extra={"a": 2})) == "McpError(code=1, message='m', extra={'a': 2})"
    assert repr(acp.McpError(code=1, message="m", data=None)) == "McpError(code=1, message='m', data=None)"


def test_a_record_shows_what_was_set_and_nothing_else() -> None:
    chunk = acp.AgentMessageChunk(content=acp.TextContent(text="hi", annotations=None))
    assert repr(chunk) == "AgentMessageChunk(content=TextContent(text='hi', annotations=None))"


def test_a_fault_in_a_second_reading_names_the_readers_in_its_traceback() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        acp.from_dict(acp.SessionNotification, {"sessionId": 5, "update": {"sessionUpdate": "plan", "entries": []}})
    names = [frame.name for frame in traceback.extract_tb(caught.value.__context__.__traceback__)]
    assert "read_record" in names
    assert "read" not in names


@pytest.mark.parametrize(
    "other",
    [acp.McpError(code=1, message="no"), acp.McpError(code=-32000, message="no"), acp.to_dict(OPEN), None],
)
def test_an_open_record_differs_from_another(other: Any) -> None:
    assert other != OPEN


def test_an_open_record_equals_one_with_the_same_values() -> None:
    assert acp.McpError(code=-32000, message="no", extra={"retry": {"after": 5}}) == OPEN


@pytest.mark.parametrize(
    "arguments", [{"code": 1}, {"code": 1, "message": "m", "mesage": "typo"}], ids=["missing", "unknown"]
)
def test_an_open_record_is_made_from_its_properties_and_nothing_else(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="mes"):
        acp.McpError(**arguments)


def test_two_open_records_do_not_share_their_extra_properties() -> None:
    one, other = acp.McpError(code=1, message=""), acp.McpError(code=1, message="")
    one.extra["a"] = 1
    assert other.extra == {}
