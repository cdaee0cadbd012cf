"""Completion, finding by letters, sorting, export: the parts without a screen."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

import acp_generated as acp
from acp_tools.browse.client import files
from acp_tools.browse.completion import blocks_of, completions
from acp_tools.browse.model.export import markdown, save
from acp_tools.browse.model.filter import ORDERS, arranged, likeness
from acp_tools.browse.model.frames import Tape
from acp_tools.browse.screens.preview import preview
from acp_tools.browse.screens.session import head_of
from acp_tools.browse.styling import diff, home_short, tool_body
from acp_tools.browse.validation import OWN, Judge, Rules

from .test_story import TOOL, Wire, told

EXTENSION = Path(__file__).resolve().parents[3] / "examples" / "extensions" / "sandboxagent.json"
COMMANDS = [acp.AvailableCommand(name=name, description=f"to {name}") for name in ("review", "compact", "preview")]


# Completion


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("/", ["/compact ", "/preview ", "/review "]),
        ("/rev", ["/review ", "/preview "]),
        ("/nothing", []),
        ("say /rev", []),
        ("/review", ["/preview "]),
    ],
)
def test_slash_commands_complete_at_the_start_those_that_begin_so_first(typed: str, offered: list[str]) -> None:
    assert [each.text for each in completions(typed, COMMANDS, "/")] == offered


def test_paths_complete_inside_the_directory_one_level_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "main.py").touch()
    (tmp_path / ".hidden").touch()
    assert [each.text for each in completions("look at @", [], str(tmp_path))] == ["@source/", "@.hidden"]
    assert [each.text for each in completions("@source/ma", [], str(tmp_path))] == ["@source/main.py"]
    assert completions("a@b", [], str(tmp_path)) == []
    assert completions("@nowhere/x", [], str(tmp_path)) == []


def test_a_file_that_a_prompt_names_goes_along_as_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    text, link = blocks_of("explain @a.py and @nothing", str(tmp_path))
    assert text == acp.TextContent(text="explain @a.py and @nothing")
    assert isinstance(link, acp.ResourceLink)
    assert link.uri == (tmp_path / "a.py").as_uri()


# Finding and sorting


def infos(*titles: str | None) -> list[acp.SessionInfo]:
    return [
        acp.SessionInfo(session_id=str(at), cwd=f"/{9 - at}", title=title, updated_at=f"2026-01-0{at + 1}")
        for at, title in enumerate(titles)
    ]


@pytest.mark.parametrize(
    ("path", "shown"), [("/home/me", "~"), ("/home/me/work", "~/work"), ("/home/meg", "/home/meg"), ("/srv", "/srv")]
)
def test_only_our_own_home_is_shortened(path: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert home_short(path) == shown


def test_letters_find_titles_the_best_fit_first() -> None:
    sessions = infos("Explain the parser", "Port the parser", "parse", None)
    assert arranged(sessions, "parse", ORDERS[0])[0].title == "parse"
    assert [info.title for info in arranged(sessions, "prtp", ORDERS[0])] == ["Port the parser"]
    assert arranged(sessions, "qqq", ORDERS[0]) == ()


@pytest.mark.parametrize(
    ("order", "ids"), [(ORDERS[0], "0123"), (ORDERS[1], "3210"), (ORDERS[2], "2013"), (ORDERS[3], "3210")]
)
def test_an_order_is_kept(order: str, ids: str) -> None:
    assert "".join(info.session_id for info in arranged(infos("b", "c", "a", None), "", order)) == ids


def test_a_title_made_to_be_searched_forever_is_not() -> None:
    assert likeness("aaaaaaab", "a" * 400 + "c" * 100) == 0
    assert likeness("aaaaaacb", "ac" * 200 + "b") > 0


# Export


def test_a_conversation_is_written_as_markdown_that_nothing_breaks_out_of(tmp_path: Path) -> None:
    output = {"type": "content", "content": {"type": "text", "text": "a\n```\n# not a heading\n````"}}
    session = told({**TOOL, "rawInput": {"command": "ls"}, "content": [output]})
    text = markdown(session)
    assert '"command": "ls"' in text
    assert "\n`````\na\n```\n# not a heading\n````\n`````" in text
    first, second = save(session, tmp_path), save(session, tmp_path)
    assert first != second, "nothing is overwritten"
    assert first.read_text() == text


def test_where_nothing_can_be_written_the_reason_is_told(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="No such file or directory"):
        save(told(TOOL), tmp_path / "nowhere")


# What tool calls look like


def test_a_difference_has_signs_and_what_is_far_from_it_is_left_out() -> None:
    old = "\n".join(f"line {number}" for number in range(5_000))
    shown = diff(acp.Diff(path="/f.py", old_text=old, new_text=old.replace("line 2500\n", "changed\n"))).plain
    assert "- line 2500\n+ changed" in shown
    assert len(shown.splitlines()) < 10


def test_a_difference_of_huge_files_is_only_counted() -> None:
    huge = "\n".join(map(str, range(100_000)))
    assert "too many for a diff" in diff(acp.Diff(path="/f", old_text=huge, new_text="")).plain


def test_the_command_of_a_tool_call_is_shown_first_and_as_it_is() -> None:
    given = {"note": "[bold]tidy[/]", "command": "rm -rf \x1b[8m~\u202e"}
    call = acp.ToolCall(tool_call_id="1", title="bash", raw_input=given)
    shown = tool_body(call, {}).plain
    assert shown.startswith("$ rm -rf ~\ufffd")
    assert "[bold]tidy[/]" in shown


# The preview


def test_the_preview_keeps_names_and_values_apart_and_says_nothing_twice() -> None:
    choice = {"value": "ask", "name": "Ask"}
    options = [
        {"type": "select", "id": "m", "name": "Mode", "currentValue": "ask", "options": [choice]},
        {"type": "boolean", "id": "p", "name": "Show the whole plan", "currentValue": True},
    ]
    modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}
    wire = Wire()
    wire.call("session/new", {"sessionId": "s", "modes": modes, "configOptions": options}, cwd="/srv", mcpServers=[])
    session = wire.session
    shown = preview(acp.SessionInfo(session_id="s", cwd="/srv"), session, opens=True).plain.splitlines()
    assert "Show the whole plan  on" in shown
    assert "id                   s" in shown
    assert [line for line in shown if line.casefold().startswith("mode")] == ["Mode                 Ask"]


def test_what_a_session_does_is_seen_in_80_columns_however_long_its_title() -> None:
    session = told({"sessionUpdate": "session_info_update", "title": "a title " * 20})
    session.running, session.cwd = True, "/a/long/path/of/a/project/in/a/folder"
    head = head_of(session, 12).plain[:80]
    assert "working …" in head
    assert "⚠ 12 on the wire" in head


# The judge


def test_findings_are_put_to_the_frames_they_are_about() -> None:
    tape = Tape()
    judge = Judge(tape)
    judge.load_now()
    opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}}
    for direction, message in (
        ("client-to-agent", opening),
        ("agent-to-client", {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1}}),
        ("agent-to-client", {"jsonrpc": "2.0", "id": 9, "result": {}}),
    ):
        tape.add(direction, json.dumps(message).encode(), 0.0)
    judge.all()
    assert [[finding.id for finding in frame.findings] for frame in tape.frames] == [[], [], ["answer-unasked"]]
    judge.anew()
    tape.anew()
    tape.add("client-to-agent", json.dumps(opening).encode(), 0.0)
    judge.end()
    assert [finding.id for finding in tape.frames[3].findings] == ["answer-missing"], "a second opening is no fault"


def test_an_extension_is_judged_by_its_document() -> None:
    ended = {"jsonrpc": "2.0", "method": "_sandboxagent/session/ended", "params": {"sessionId": 7}}

    def judged(rules: Rules) -> list[str]:
        tape = Tape()
        judge = Judge(tape, rules)
        judge.load_now()
        tape.add("agent-to-client", json.dumps(ended).encode(), 0.0)
        judge.all()
        return [finding.id for frame in tape.frames for finding in frame.findings if finding.level > 0]

    assert "params-invalid" in judged(Rules(extend=(EXTENSION,)))
    assert "params-invalid" not in judged(OWN)


@pytest.mark.parametrize("option", ["--schema", "--extend"])
def test_a_document_that_cannot_be_read_is_told_before_anything_starts(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from acp_tools.browse.cli import main

    mark = tmp_path / "started"
    assert main([option, str(tmp_path / "none.json"), "--json", "--", "touch", str(mark)]) == 2
    assert "none.json" in capsys.readouterr().err
    assert not mark.exists()


def test_without_the_judge_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from acp_tools.browse import validation as module

    module._protocol.cache_clear()
    monkeypatch.setitem(sys.modules, "acp_codegen.validate.values.schema", None)
    judge = Judge(Tape())
    judge.load_now()
    assert judge.absent is not None
    assert "acp-codegen[check]" in judge.absent
    assert judge.behind == 0


# Files for an agent


def _swapped(tmp_path: Path, step: str) -> Path:
    """A file of the session whose place was taken by a link after the user agreed: itself, or a directory above it."""
    secret, root = tmp_path / "secret", tmp_path / "root"
    secret.mkdir()
    (secret / "file").write_text("a secret")
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "file").write_text("mine")
    path = files.locate(str(root / "sub" / "file"), str(root))
    path.unlink()
    if step == "file":
        path.symlink_to(secret / "file")
    else:
        path.parent.rmdir()
        path.parent.symlink_to(secret)
    return path


@pytest.mark.parametrize("step", ["file", "directory"])
def test_a_link_that_appears_after_consent_is_not_followed(tmp_path: Path, step: str) -> None:
    path = _swapped(tmp_path, step)
    with pytest.raises(acp.RequestError):
        files.read(path, None, None)
    with pytest.raises(acp.RequestError):
        files.write(path, "overwritten")
    assert (tmp_path / "secret" / "file").read_text() == "a secret"


def test_neither_a_directory_nor_a_pipe_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "nothing" / "below"):
        with pytest.raises(acp.RequestError) as caught:
            files.read(path, None, None)
        assert caught.value.code == -32002


def test_a_file_below_a_folder_that_may_be_passed_and_not_read_is_read() -> None:
    as_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as home:
        inside = Path(home, "passed", "inside")
        inside.mkdir(parents=True)
        (inside / "file").write_text("text")
        for folder in (Path(home), inside.parent):
            folder.chmod(0o311)
        if as_root:
            os.seteuid(65_534)  # root may read everything
        try:
            assert files.read(inside / "file", None, None) == "text"
        finally:
            if as_root:
                os.seteuid(0)
            for folder in (Path(home), inside.parent):
                folder.chmod(0o700)
