"""Each finding has two levels, now and when its RFD is completed; `check` says what completing an edited RFD will break."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Ran, RunCli

Node = dict[str, Any]
META = {"_meta": {"description": "Room.", "type": ["object", "null"], "additionalProperties": True}}


def request(stem: str, method: str, rfd: str | None = None, properties: Node | None = None, **more: Any) -> Node:
    """The definitions of a request that the agent serves."""
    common = {"type": "object", "x-side": "agent", "x-method": method, **({"x-rfd": rfd} if rfd else {})}
    params = {"description": "Asks.", **common, "properties": {**(properties or {}), **META}, **more}
    return {
        f"{stem}Request": params,
        f"{stem}Response": {"description": "Answers.", **common, "properties": META},
    }


def text(*definitions: Node, stages: dict[str, str]) -> str:
    table = {name: {"title": name.capitalize(), "stage": stage} for name, stage in stages.items()}
    merged: Node = {}
    for each in (request("Old", "thing/old", **{"x-capability": False}), *definitions):
        merged |= each
    return json.dumps({"title": "Demo", "x-rfds": table, "$defs": merged}, indent=1)


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> Any:
    monkeypatch.chdir(tmp_path)

    def run(before: str, after: str, *options: str) -> Ran:
        (tmp_path / "before.json").write_text(before)
        (tmp_path / "schema.json").write_text(after)
        return run_cli("check", "--against", "before.json", *options)

    return run


NEW = request("New", "thing/new", "fresh")
WORD = {"description": "A word.", "type": "string"}


def test_an_ungated_draft_request_is_information_now_and_an_error_once_completed(check: Any) -> None:
    ran = check(text(stages={}), text(NEW, stages={"fresh": "draft"}))
    assert ran.code == 0
    line = next(
        i for i, each in enumerate(text(NEW, stages={"fresh": "draft"}).splitlines(), 1) if "NewRequest" in each
    )
    assert ran.out == (
        "version: next minor; once the RFDs are completed: needs another protocol version for agents; next minor for clients\n"
        f"schema.json:{line}:3: info[request-added-ungated] the agent has a new request thing/new that no capability gates\n"
        "    at: /$defs/NewRequest\n"
        "    breaks: released agents reading from new clients\n"
        "    lost: the call; the caller gets an error\n"
        "    for example: {} in thing/new (request): a new peer sends it, a released one refuses it\n"
        "    which says: -32601 Method not found\n"
        "    once the RFD is completed: error\n"
        "    instead: add a capability for the implementing peer, and name it in `x-capability`\n"
        "1 info\ncompared with before.json\n"
    )


def test_what_fails_at_completion_can_fail_the_run(check: Any) -> None:
    before, after = text(stages={}), text(NEW, stages={"fresh": "draft"})
    assert check(before, after, "--fail-on-completed", "error").code == 1


def found(ran: Ran) -> list[tuple[str, str, str, str]]:
    findings = [json.loads(line) for line in ran.out.splitlines()[1:]]
    return [(f["id"], f["pointer"], f["level"], f["levelAtCompletion"]) for f in findings if f["category"] == "wire"]


def test_an_edit_of_a_draft_shows_what_was_in_it_before(check: Any) -> None:
    edited = request("New", "thing/new", "fresh", {"word": WORD})
    ran = check(text(NEW, stages={"fresh": "draft"}), text(edited, stages={"fresh": "draft"}), "--format", "json")
    assert found(ran) == [
        ("request-added-ungated", "/$defs/NewRequest", "info", "error"),
        ("optional-property-added", "/$defs/NewRequest/properties/word", "info", "info"),
    ]


def test_a_draft_that_was_not_edited_is_left_alone(check: Any) -> None:
    other = request("Other", "thing/other", "more", **{"x-capability": False})
    stages = {"fresh": "draft", "more": "draft"}
    ran = check(text(NEW, stages={"fresh": "draft"}), text(NEW, other, stages=stages), "--format", "json")
    assert found(ran) == [("request-added-ungated", "/$defs/OtherRequest", "info", "error")]


def test_a_completed_rfd_is_judged_as_it_is(check: Any) -> None:
    ran = check(text(NEW, stages={"fresh": "draft"}), text(NEW, stages={"fresh": "completed"}), "--format", "json")
    assert found(ran) == [("request-added-ungated", "/$defs/NewRequest", "error", "error")]


def test_what_will_be_stable_on_a_draft_is_foreseen(check: Any) -> None:
    shade = {
        "Shade": {"description": "A shade.", "type": "object", "x-rfd": "shades", "properties": {"n": WORD, **META}}
    }
    property_ = {"description": "Which.", "$ref": "#/$defs/Shade"}
    new = request("New", "thing/new", "fresh", {"shade": property_}, **{"x-capability": False})
    before = text(NEW, shade, stages={"fresh": "draft", "shades": "draft"})
    ran = check(before, text(new, shade, stages={"fresh": "draft", "shades": "draft"}), "--format", "json")
    findings = [json.loads(line) for line in ran.out.splitlines()[1:]]
    (lint,) = [f for f in findings if f["id"] == "stable-refs-unstable"]
    assert (lint["level"], lint["levelAtCompletion"]) == ("info", "error")
    assert lint["pointer"] == "/$defs/NewRequest/properties/shade/$ref"
    assert lint["message"] == 'this part is stable, but Shade belongs to the RFD "shades"'


def test_what_completing_breaks_nobody_is_not_said(check: Any) -> None:
    free = request("Free", "thing/free", "fresh", **{"x-capability": False})
    was = request("New", "thing/new", "fresh", **{"x-capability": False})
    noted = {"NewNotification": {**free["FreeRequest"], "x-method": "thing/note"}}
    now = {**was, "NewRequest": {**was["NewRequest"], "properties": {"word": WORD, **META}}}
    stages = {"fresh": "draft"}
    ran = check(text(was, noted, stages=stages), text(now, noted, stages=stages), "--format", "json")
    assert ("notification-added", "/$defs/NewNotification", "info", "info") not in found(ran)


def test_what_is_built_on_a_draft_already_is_not_foreseen_again(check: Any) -> None:
    shade = {
        "Shade": {"description": "A shade.", "type": "object", "x-rfd": "shades", "properties": {"n": WORD, **META}}
    }
    property_ = {"description": "Which.", "$ref": "#/$defs/Shade"}
    stable = request("Base", "thing/base", None, {"shade": property_}, **{"x-capability": False})
    edited = request("New", "thing/new", "fresh", {"word": WORD})
    stages = {"fresh": "draft", "shades": "draft"}
    ran = check(text(stable, shade, NEW, stages=stages), text(stable, shade, edited, stages=stages), "--format", "json")
    lints = [json.loads(line) for line in ran.out.splitlines()[1:]]
    levels = [f["level"] for f in lints if f["id"] == "stable-refs-unstable"]
    assert levels == ["error"]
