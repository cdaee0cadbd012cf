"""The command line: files, standard input, formats, counts and exit codes."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from codegen.cli.main import main
from codegen.errors import InputError
from codegen.validate.command import validate

from .support import ROOT

CANCEL = '{"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}'
BAD = CANCEL.replace('"s"', "5")


class Ran(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str | Path, stdin: bytes = b"") -> Ran:
    """Runs the command in this process, which saves it half a second."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(ROOT):
            code = main(["validate", *map(str, arguments)])
    finally:
        sys.stdin = before
    return Ran(code, out.getvalue(), err.getvalue())


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_valid_message_passes_with_its_count(tmp_path: Path) -> None:
    ran = run(written(tmp_path / "m.json", CANCEL))
    counts = "  session/cancel          1\n1 message, 0 invalid, 0 unparsable: no findings\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, counts, "")


def test_an_invalid_one_fails_with_its_place_and_its_words(tmp_path: Path) -> None:
    file = written(tmp_path / "m.json", BAD)
    ran = run(file)
    assert ran.returncode == 1
    assert ran.stdout.startswith(
        f"{file}:1:72: error[params-invalid] $.params.sessionId: expected a string, found 5\n"
        "    schema: /$defs/SessionId/type\n"
        "    instead: correct the values that the finding names\n"
    )
    assert ran.stdout.endswith("1 message, 1 invalid, 0 unparsable: 1 error\n")


@pytest.mark.parametrize(
    ("stdin", "code"), [(CANCEL, 0), (BAD, 1), (f"[{CANCEL}, {BAD}]", 1), (json.dumps(json.loads(CANCEL), indent=1), 0)]
)
def test_standard_input_is_read_where_a_dash_stands(stdin: str, code: int) -> None:
    ran = run("-", stdin=stdin.encode())
    assert ran.returncode == code
    assert ("<stdin>:1:" in ran.stdout) == (code == 1)


def test_standard_input_may_be_a_transcript() -> None:
    ran = run("-", stdin=f"{CANCEL}\n{BAD}\n".encode())
    assert "<stdin>:2:72: error[params-invalid]" in ran.stdout
    assert "warning[handshake-missing]" in ran.stdout


def test_messages_in_an_array_are_paired(tmp_path: Path) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "session/list", "params": {}}
    answered = {"jsonrpc": "2.0", "id": 1, "result": {"sessions": 5}}
    ran = run(written(tmp_path / "m.json", json.dumps([asked, answered])), "--format", "json")
    (found,) = map(json.loads, ran.stdout.splitlines())
    assert (found["id"], found["path"]) == ("result-invalid", "$.result.sessions")


def test_each_of_many_faults_in_one_array_has_its_place(tmp_path: Path) -> None:
    ran = run(written(tmp_path / "m.json", "[\n" + ",\n".join([BAD] * 5000) + "]"), "--format", "json")
    assert [json.loads(line)["line"] for line in ran.stdout.splitlines()] == list(range(2, 5002))


def test_people_are_shown_the_first_hundred_findings_of_a_kind_and_told_how_many_more_there_are(tmp_path: Path) -> None:
    file = written(tmp_path / "m.json", "[\n" + ",\n".join([BAD] * 150) + "]")
    ran = run(file)
    assert ran.stdout.count("error[params-invalid]") == 100
    assert f"{file}: 50 more like these were not shown: params-invalid $.params.sessionId\n" in ran.stdout
    assert ran.stdout.endswith("150 messages, 150 invalid, 0 unparsable: 150 errors\n")


def test_a_directory_stands_for_no_hidden_files_and_no_packages(tmp_path: Path) -> None:
    for name in (".git/x.json", "node_modules/x/package.json", "a/.hidden.json"):
        written(tmp_path / name, BAD)
    written(tmp_path / "a" / "m.json", CANCEL)
    assert run(tmp_path).returncode == 0


def test_a_standard_input_that_is_closed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="is closed"):
        validate([Path("-")], ROOT / "schema.json", emit=lambda _: None, progress=lambda _: None)


def test_a_path_names_what_a_file_holds(tmp_path: Path) -> None:
    file = written(tmp_path / "x" / "agent" / "session" / "list" / "a.response.json", '{"sessions": [{}]}')
    found = [json.loads(line) for line in run(file, "--format", "json").stdout.splitlines()]
    assert {(f["id"], f["path"]) for f in found} == {("value-invalid", "$.sessions[0]")}


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("new_session_request.json", '{"cwd": "/srv", "mcpServers": []}', 0),
        ("NewSessionRequest.json", '{"cwd": "/srv", "mcpServers": 5}', 1),
        ("fs_read_text_file_response.json", '{"content": "x"}', 0),
        ("fs-read-text-file-request.json", '{"sessionId": "s", "path": 5}', 1),
        ("content_text.json", '{"type": "text", "text": "x"}', 0),
        ("any.json", '{"sessionUpdate": "current_mode_update", "modeId": "x"}', 1),
        ("content_text.json", '{"text": "x"}', 1),
        ("content_text.json", '{"type": "string", "text": "x"}', 1),
        ("content_resource.json", '{"type": "resource"}', 1),
        ("request_permission_response_chosen.json", '{"outcome": {"outcome": "selected", "optionId": "a"}}', 0),
        ("request_permission_response_chosen.json", '{"outcome": {"outcome": "selected"}}', 1),
        ("permission_outcome_cancelled.json", '{"outcome": "cancelled", "note": 1}', 0),
        ("minimal-prompt-response.json", '{"stopReason": "later"}', 1),
        ("prompt_request_empty.json", "[]", 1),
        ("authenticate_response.json", "{}", 0),
        ("prompt_response.json", '{"jsonrpc": "2.0", "id": 1, "result": {"reason": 1}}', 1),
        ("answer.json", '{"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "later"}}', 1),
        ("place.json", '{"path": "/a", "line": 3}', 0),
        ("place.json", '{"path": 5, "line": 3}', 1),
        ("package.json", '{"name": "x", "version": "1", "scripts": {}}', 1),
    ],
)
def test_a_value_alone_is_what_the_name_of_the_file_or_its_tag_or_its_shape_says(
    tmp_path: Path, name: str, text: str, code: int
) -> None:
    assert run(written(tmp_path / name, text)).returncode == code


def test_how_far_a_long_file_is_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, told = iter(range(100)), list[str]()
    monkeypatch.setattr("codegen.validate.command.time.monotonic", lambda: next(clock))
    file = written(tmp_path / "t.ndjson", "\n" * 5000)
    validate([file], ROOT / "schema.json", emit=lambda _: None, progress=told.append)
    assert [text.rpartition(": ")[2] for text in told] == ["20% of 0 MB", "40% of 0 MB", "61% of 0 MB", "81% of 0 MB"]


def test_the_json_report_has_all_that_the_text_has(tmp_path: Path) -> None:
    file = written(tmp_path / "m.json", BAD)
    ran = run(file, "--format", "json")
    (found,) = map(json.loads, ran.stdout.splitlines())
    expected = {
        "id": "params-invalid",
        "level": "error",
        "category": "message",
        "file": str(file),
        "line": 1,
        "column": 72,
        "pointer": "/$defs/SessionId/type",
        "path": "$.params.sessionId",
        "expected": "a string",
        "found": "5",
    }
    assert {key: found[key] for key in expected} == expected
    assert "1 message, 1 invalid" in ran.stderr


def test_the_report_for_github_is_a_workflow_command(tmp_path: Path) -> None:
    ran = run(written(tmp_path / "m.json", BAD), "--format", "github")
    assert ran.stdout.startswith("::error file=")
    assert ",line=1,col=72,title=params-invalid::$.params.sessionId: expected a string, found 5" in ran.stdout


def test_the_sarif_report_is_one_document_with_the_rules(tmp_path: Path) -> None:
    ran = run(written(tmp_path / "m.json", BAD), written(tmp_path / "n.json", BAD), "--format", "sarif")
    (report,) = json.loads(ran.stdout)["runs"]
    assert [rule["id"] for rule in report["tool"]["driver"]["rules"]] == ["params-invalid"]
    assert len(report["results"]) == 2
    assert report["tool"]["driver"]["rules"][0]["shortDescription"]["text"]


def test_warnings_fail_where_that_is_asked(tmp_path: Path) -> None:
    file = written(tmp_path / "m.json", CANCEL.replace("}}", ', "extra": 1}}'))
    assert (run(file).returncode, run(file, "--fail-on", "warning").returncode) == (0, 1)


def test_lenient_accepts_what_a_tolerant_peer_reads(tmp_path: Path) -> None:
    message = {
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": "s", "update": {"sessionUpdate": "newer"}},
    }
    file = written(tmp_path / "m.json", json.dumps(message))
    assert (run(file).returncode, run(file, "--lenient").returncode) == (1, 0)


def test_an_extension_brings_its_methods(tmp_path: Path) -> None:
    extension = ROOT / "examples" / "extensions" / "sandboxagent.json"
    name = next(n["x-method"] for n in _definitions(extension) if "x-method" in n and n.get("required"))
    file = written(tmp_path / "m.json", json.dumps({"jsonrpc": "2.0", "id": 1, "method": name, "params": {}}))
    assert (run(file).returncode, run(file, "--extend", extension).returncode) == (0, 1)


def _definitions(extension: Path) -> list[dict[str, object]]:
    actions = json.loads(extension.read_bytes())["actions"]
    return [
        node
        for action in actions
        for node in action.get("update", {}).get("$defs", action.get("update", {})).values()
        if isinstance(node, dict)
    ]


def test_a_directory_stands_for_the_files_in_it(tmp_path: Path) -> None:
    written(tmp_path / "a" / "m.json", CANCEL)
    written(tmp_path / "a" / "b" / "t.ndjson", "")
    written(tmp_path / "a" / "d.mdx", "")
    written(tmp_path / "a" / "other.txt", "?")
    ran = run(tmp_path / "a")
    assert "1 message, 0 invalid, 0 unparsable: 1 warning" in ran.stdout
    assert "t.ndjson:1:1: warning[nothing-to-validate]" in ran.stdout


@pytest.mark.parametrize("name", ["missing.json", "empty-directory", "bad\nname.json"])
def test_what_cannot_be_read_is_one_line_and_code_2(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty-directory").mkdir()
    ran = run(written(tmp_path / "m.json", BAD), tmp_path / name)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)


def test_a_schema_that_is_none_is_told_at_its_place(tmp_path: Path) -> None:
    ran = run(written(tmp_path / "m.json", CANCEL), "--schema", written(tmp_path / "s.json", '{"$defs": 5}'))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "s.json:1:1: error: expected `$defs`" in ran.stderr


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"a": NaN}',
        '{"a": 1}'.encode("utf-16"),
        b"3",
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "result": 1e999}',
        b'{"jsonrpc":"2.0","method":"_a","params":{"_meta":' + b"[ " * 950 + b'"\\ud83d"' + b"]" * 950 + b"}}",
    ],
    ids=lambda data: repr(data[:20]),
)
@pytest.mark.parametrize("name", ["x.json", "x.ndjson", "x.md", "x"])
def test_no_file_is_a_crash(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    ran = run(tmp_path / name)
    assert ran.returncode in (0, 1)
    assert "internal error" not in ran.stderr


def test_the_json_in_the_documents_of_this_project_fits() -> None:
    pages = sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))  # transcripts of peers are beside them
    ran = run("--fail-on", "warning", "README.md", "CONTRIBUTING.md", *pages)
    assert ran.returncode == 0, ran.stdout
    assert "session/prompt (answer)" in ran.stdout


def test_a_reader_that_leaves_early_gets_no_traceback(tmp_path: Path) -> None:
    file = written(tmp_path / "t.ndjson", f"{BAD}\n" * 2000)
    command = f"{sys.executable} -m codegen validate {file} | head -1"
    ran = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")


@pytest.mark.parametrize("rule", ["params-invalid", "fence-unclosed"])
def test_explain_shows_what_trips_a_rule(rule: str) -> None:
    command = [sys.executable, "-m", "codegen", "explain", rule]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"[{rule}]" in ran.stdout
