"""What `validate` judges by what came before: lists and their cursors, sessions that were deleted or have ended, null results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from codegen.document.projection import stable
from codegen.document.read import parse, read
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.validate.conversation import pagination

from .record import Record, found
from .support import ROOT, ids, of_document, of_transcript

# --- sessions ----------------------------------------------------------------------------------------------------------


def test_a_deleted_session_may_still_run() -> None:
    record = Record()
    record.new("s1")
    prompt = record.ask("session/prompt", {"sessionId": "s1", "prompt": [{"type": "text", "text": "Hi"}]})
    record.call("session/delete", {"sessionId": "s1"}, {})
    record.update("s1")
    record.answer(prompt, {"stopReason": "end_turn"})
    record.call("session/delete", {"sessionId": "s1"}, {})
    assert found(record) == []


def test_a_session_that_was_deleted_and_closed_is_closed() -> None:
    record = Record()
    record.new("s1")
    record.call("session/delete", {"sessionId": "s1"}, {})
    record.call("session/close", {"sessionId": "s1"}, {})
    record.update("s1")
    assert found(record) == [("session-closed", 9)]


def test_nothing_is_sent_for_a_session_after_the_notification_that_it_has_ended() -> None:
    record = Record()
    record.new("s1", "s2")
    record.ended("s1")
    record.update("s2")
    record.update("s1")
    assert found(record) == [("session-closed", 9)]


def test_a_session_that_has_ended_may_be_opened_again() -> None:
    record = Record()
    record.new("s1")
    record.ended("s1")
    record.call("session/load", {"sessionId": "s1", "cwd": "/srv", "mcpServers": []}, {})
    record.update("s1")
    assert found(record) == []


@pytest.mark.parametrize("news_first", [True, False])
def test_the_news_of_an_end_and_its_confirmation_come_in_any_order(*, news_first: bool) -> None:
    record = Record()
    record.new("s1")
    asked = record.ask("_sandboxagent/session/terminate", {"sessionId": "s1"})
    if news_first:
        record.ended("s1")
    record.answer(asked, {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"})
    if not news_first:
        record.ended("s1")
    assert found(record) == []
    record.update("s1")
    assert found(record) == [("session-closed", len(record.lines))]


# --- lists -------------------------------------------------------------------------------------------------------------


def test_what_was_deleted_is_not_listed_on_any_page() -> None:
    record = Record()
    record.new("s1", "s2", "s3")
    record.listed({}, "s1", then="c1")
    record.call("session/delete", {"sessionId": "s2"}, {})
    record.listed({"cursor": "c1"}, "s2", "s3")
    assert found(record) == [("deleted-listed", len(record.lines))]


def test_a_fork_of_a_deleted_session_does_not_bring_it_back() -> None:
    record = Record()
    record.new("s1")
    record.call("session/delete", {"sessionId": "s1"}, {})
    record.call("session/fork", {"sessionId": "s1", "cwd": "/srv"}, {"sessionId": "s2"})
    record.listed({}, "s2", "s1")
    assert found(record) == [("deleted-listed", len(record.lines))]


def test_a_session_that_was_resumed_may_be_listed_again() -> None:
    record = Record()
    record.new("s1")
    record.call("session/delete", {"sessionId": "s1"}, {})
    record.call("session/resume", {"sessionId": "s1", "cwd": "/srv"}, {})
    record.listed({}, "s1")
    assert found(record) == []


def test_a_record_that_begins_in_the_middle_knows_no_cursors() -> None:
    record = Record(opened=False)
    record.listed({"cursor": "c1"}, "s1", then="c2")
    record.listed({"cursor": "c2", "cwd": "/srv"}, "s1")
    assert "cursor-unknown" not in ids(of_transcript(record.text))
    assert "cursor-of-another-list" in ids(of_transcript(record.text))


def test_cursors_end_with_their_connection() -> None:
    record = Record()
    record.listed({}, "s1", then="c1")
    again = Record()
    again.listed({"cursor": "c1"}, "s1")
    later = "".join(line.replace('"t": 0', '"t": 0.5') + "\n" for line in record.lines) + again.text
    assert ids(of_transcript(later)) == ["cursor-unknown"]


def test_what_was_forgotten_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codegen.validate.conversation.conversation.LIMIT", 2)
    record = Record()
    record.listed({}, "s1", then="c1")
    record.listed({"cursor": "c1"}, "s2", then="c2")
    record.listed({"cursor": "c2"}, "s3", then="c3")
    record.listed({"cursor": "c1"}, "s2")
    assert found(record) == []


@pytest.mark.parametrize(
    ("wanted", "listed", "same"),
    [
        ("/srv", "/srv/", True),
        ("/srv/a/../b", "/srv/b", True),
        ("/srv", "/SRV", False),
        ("C:\\src", "c:/SRC/", True),
        ("\\\\host\\share\\a", "//host/share/a", False),
        ("/srv/Jo\u0308rg", "/srv/J\u00f6rg", True),
    ],
)
def test_a_path_is_the_same_however_it_is_spelled(wanted: str, listed: str, *, same: bool) -> None:
    record = Record()
    record.call("session/list", {"cwd": wanted}, {"sessions": [{"sessionId": "s1", "cwd": listed}]})
    assert found(record) == ([] if same else [("filter-ignored", 4)])


def test_examples_in_a_document_are_not_judged_by_what_came_before() -> None:
    record = Record()
    record.listed({"cursor": "c1"}, "s1")
    blocks = "".join(f"```json\n{json.dumps(json.loads(line)['msg'])}\n```\n\n" for line in record.lines)
    assert ids(of_document(blocks)) == []


# --- null --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "params", "tolerated"),
    [
        ("session/delete", {"sessionId": "s1"}, True),
        ("session/load", {"sessionId": "s1", "cwd": "/srv", "mcpServers": []}, True),
        ("session/list", {}, False),
        ("session/new", {"cwd": "/srv", "mcpServers": []}, False),
    ],
)
def test_a_tolerant_peer_reads_null_where_an_empty_object_is_a_result(
    method: str, params: Any, *, tolerated: bool
) -> None:
    record = Record()
    record.new("s1")
    record.call(method, params, None)
    assert ids(of_transcript(record.text)) == ["result-invalid"]
    findings = of_transcript(record.text, tolerant=True)
    assert ids(findings) == ([] if tolerated else ["result-invalid"])
    assert all(finding.message.endswith("found null") for finding in findings)


def test_what_null_confirms_has_happened() -> None:
    record = Record()
    record.new("s1")
    record.call("session/close", {"sessionId": "s1"}, None)
    record.update("s1")
    assert ids(of_transcript(record.text, tolerant=True)) == ["session-closed"]


# --- the keywords ------------------------------------------------------------------------------------------------------


def documents(**root: Any) -> Iterator[Any]:
    whole = json.loads((ROOT / "schema.json").read_text())
    yield {**whole, **{f"x-{name}": {**whole[f"x-{name}"], **value} for name, value in root.items()}}


@pytest.mark.parametrize(
    ("keyword", "value", "problem"),
    [
        ("sessions", {"end": ["session/prompt"]}, "no notification is called 'session/prompt'"),
        (
            "sessions",
            {"delete": ["session/load"]},
            "'session/load' deletes a session, so it must also be among the `close`",
        ),
        (
            "lists",
            {"session/lists": {"items": "a", "cursor": "b", "next": "c"}},
            "no request is called 'session/lists'",
        ),
        (
            "lists",
            {"session/list": {"items": "sessions", "cursor": "page", "next": "nextCursor"}},
            "no property 'page'",
        ),
        ("lists", {"session/list": {"items": "entries", "cursor": "cursor", "next": "nextCursor"}}, "'entries'"),
        (
            "lists",
            {"session/list": {"items": "sessions", "cursor": "cursor", "next": "nextCursor", "equal": {"cwd": "dir"}}},
            "SessionInfo has no property 'dir'",
        ),
        ("lists", {"session/list": {"items": "sessions", "cursor": "cursor"}}, "missing required field `next`"),
    ],
)
def test_a_keyword_that_leads_nowhere_is_an_error(keyword: str, value: Any, problem: str) -> None:
    (document,) = documents(**{keyword: value})
    with pytest.raises(SchemaError) as raised:
        load(parse(json.dumps(document).encode(), "s.json"))
    assert problem in str(raised.value)
    assert (raised.value.pointer or "").startswith(f"/x-{keyword}")


def test_the_stable_part_has_lists_of_methods_that_it_has() -> None:
    document = json.loads((ROOT / "schema.json").read_text())
    document["x-rfds"]["session-list"]["stage"] = "draft"
    assert load(stable(read(ROOT / "schema.json")))[0].lists
    assert load(stable(parse(json.dumps(document).encode(), "s.json")))[0].lists == {}


def test_spellings_are_compared_as_paths_only_where_they_are_paths() -> None:
    assert pagination._alike("a/./b", "a/./b")
    assert not pagination._alike("a/./b", "a/b")


def prompted(record: Record, session: str = "s1") -> int:
    return record.ask("session/prompt", {"sessionId": session, "prompt": []})


DONE = {"stopReason": "end_turn"}


@pytest.mark.parametrize("opens", [(), ("session/load",), ("session/resume",)])
def test_a_listed_session_takes_no_prompt_before_it_is_opened(opens: tuple[str, ...]) -> None:
    record = Record()
    record.listed({}, "s1")
    for method in opens:
        record.call(method, {"sessionId": "s1", "cwd": "/srv", "mcpServers": []}, {})
    record.answer(prompted(record), DONE)
    record.answer(prompted(record), DONE)
    assert found(record) == ([] if opens else [("session-unopened", 5)])


def test_a_listed_session_may_have_been_opened_before_the_record() -> None:
    record = Record(opened=False)
    record.listed({}, "s1")
    record.answer(prompted(record), DONE)
    assert "session-unopened" not in [rule for rule, _ in found(record)]


@pytest.mark.parametrize("reason", ["cancelled", "end_turn"])
@pytest.mark.parametrize("first", ["prompt", "close"])
def test_a_prompt_that_outlives_its_session_was_cancelled(first: str, reason: str) -> None:
    record = Record()
    record.new("s1")
    turn = prompted(record)
    closing = record.ask("session/close", {"sessionId": "s1"})
    for id_, result in sorted([(turn, {"stopReason": reason}), (closing, {})], reverse=first == "close"):
        record.answer(id_, result)
    wrong = (first, reason) == ("close", "end_turn")
    assert found(record) == ([("interrupt-ignored", 8)] if wrong else [])


def test_a_session_ends_once() -> None:
    record = Record()
    record.new("s1")
    record.ended("s1")
    record.ended("s1")
    assert found(record) == [("session-closed", 6)]


def test_a_page_that_is_asked_for_again_repeats_nothing() -> None:
    record = Record()
    record.listed({}, "s1", then="c1")
    record.listed({"cursor": "c1"}, "s2")
    record.listed({"cursor": "c1"}, "s2")
    record.listed({}, "s1", "s2", then="c1")
    assert found(record) == []
