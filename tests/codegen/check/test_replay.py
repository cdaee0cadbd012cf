"""`diff --replay`: recorded messages of released peers, and how many of them the new schema would refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .demo import Node, carried, document, message

if TYPE_CHECKING:
    from tests.conftest import RunCli

COLORS = {"Color": {"enum": ["red", "green"]}}
FEWER = {"Color": {"enum": ["red"]}}
PAINT = {**carried("agent request", {"$ref": "#/$defs/Color"})}
TO_AGENT, TO_CLIENT = "client-to-agent", "agent-to-client"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with an old schema, and a new one that lost a colour."""
    monkeypatch.chdir(tmp_path)
    schemas(tmp_path, {**PAINT, **COLORS}, {**PAINT, **FEWER})
    return tmp_path


def schemas(path: Path, old: Node, new: Node) -> None:
    (path / "old.json").write_bytes(document(old))
    (path / "new.json").write_bytes(document(new))


def request(id_: int, color: str, method: str = "wall/paint") -> Node:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": {"color": color}}


def frame(direction: str, value: Any) -> Node:
    return {"t": 0, "dir": direction, "msg": value}


def write(path: Path, *lines: Any) -> None:
    path.write_text("".join(line if isinstance(line, str) else f"{json.dumps(line)}\n" for line in lines))


def replayed(run_cli: RunCli, *more: str) -> tuple[int, str]:
    """The exit code of a replay of t.ndjson, and what it says of it."""
    ran = run_cli("diff", "old.json", "new.json", "--replay", "t.ndjson", *more)
    return ran.code, ran.out[ran.out.index("replay:") :] if "replay:" in ran.out else ran.out


def test_refused_messages_are_counted_by_method_with_the_first_of_each(home: Path, run_cli: RunCli) -> None:
    lines = [frame(TO_AGENT, request(n, "green" if n % 3 == 0 else "red")) for n in range(1, 8)]
    write(
        home / "t.ndjson", *lines, *(frame(TO_CLIENT, {"jsonrpc": "2.0", "id": n, "result": {}}) for n in range(1, 8))
    )
    assert replayed(run_cli) == (
        1,
        """\
replay: 2 of 7 messages of released clients would be rejected
    wall/paint (request): 2 of 7
        first at t.ndjson:3:1: {"color": "green"}
        response: Invalid enum value 'green' - at `$.color`
replay: 0 of 7 messages of released agents would be rejected
""",
    )


def test_several_transcripts_are_one_record_but_several_connections(home: Path, run_cli: RunCli) -> None:
    write(home / "t.ndjson", request(1, "red"))
    write(home / "u.ndjson", {"jsonrpc": "2.0", "id": 1, "result": {}}, request(2, "green"))
    code, said = replayed(run_cli, "u.ndjson")
    assert (code, said.splitlines()) == (
        1,
        [
            "replay: 1 of 2 messages of released clients would be rejected",
            "    wall/paint (request): 1 of 2",
            '        first at u.ndjson:2:1: {"color": "green"}',
            "        response: Invalid enum value 'green' - at `$.color`",
            "replay: 0 of 0 messages of released agents would be rejected",
            "replay: 1 message not checked: the request is not in the transcript",
        ],
    )


def test_what_only_a_strict_reader_refuses_is_taken(home: Path, run_cli: RunCli) -> None:
    lenient = carried("agent request", {"$ref": "#/$defs/Color", "x-deserialize-default-on-error": True})
    schemas(home, {**lenient, **COLORS}, {**lenient, **FEWER})
    write(home / "t.ndjson", request(1, "green"))
    assert replayed(run_cli)[1].startswith("replay: 0 of 1 message of released clients would be rejected\n")


def test_a_call_of_a_method_that_is_gone_is_answered_and_a_notification_ignored(home: Path, run_cli: RunCli) -> None:
    told = message("DryNotification", "client", "wall/dry")
    schemas(home, {**PAINT, **COLORS, **told}, {"Color": COLORS["Color"]})
    write(home / "t.ndjson", request(1, "red"), {"jsonrpc": "2.0", "method": "wall/dry", "params": {}})
    assert replayed(run_cli)[1] == (
        """\
replay: 1 of 1 message of released clients would be rejected
    wall/paint (request): 1 of 1
        first at t.ndjson:1:1: {"color": "red"}
        response: -32601 Method not found
replay: 1 of 1 message of released agents would be rejected
    wall/dry (notification): 1 of 1
        first at t.ndjson:2:1: {}
        response: nothing (unknown notifications are ignored)
"""
    )


def test_answers_are_judged_by_the_method_that_asked(home: Path, run_cli: RunCli) -> None:
    answer = carried("agent response", {"$ref": "#/$defs/Color"})
    schemas(home, {**answer, **COLORS}, {**answer, **FEWER})
    asked = {"jsonrpc": "2.0", "id": "a", "method": "wall/paint"}
    error = {"jsonrpc": "2.0", "id": "b", "error": {"code": 1, "message": "no"}}
    answers = [{"jsonrpc": "2.0", "id": "a", "result": {"color": "green"}}, error]
    write(home / "t.ndjson", asked, {**asked, "id": "b"}, [answers[0], answers[1]])
    assert replayed(run_cli)[1].splitlines()[:3] == [
        "replay: 0 of 2 messages of released clients would be rejected",
        "replay: 1 of 2 messages of released agents would be rejected",
        "    wall/paint (response): 1 of 1",
    ]


def test_what_is_not_judged_is_named(home: Path, run_cli: RunCli) -> None:
    lines = [
        request(1, "pink"),
        request(2, "red", "_mine"),
        "nonsense\n",
        "\n",
        {"a": 1},
        {"dir": TO_AGENT, "raw": "x"},
    ]
    write(home / "t.ndjson", *lines, {"jsonrpc": "2.0", "id": 7, "result": {}})
    code, said = replayed(run_cli)
    assert code == 1  # the comparison itself
    assert said == (
        """\
replay: 0 of 0 messages of released clients would be rejected
replay: 0 of 0 messages of released agents would be rejected
replay: 1 message not checked: the old schema rejects them, too
replay: 1 message not checked: neither schema has the method
replay: 2 messages not checked: not JSON
replay: 1 message not checked: not a message
replay: 1 message not checked: the request is not in the transcript
"""
    )


def test_refused_traffic_fails_a_run_also_where_the_break_was_accepted(home: Path, run_cli: RunCli) -> None:
    (home / "accepted-breaks.toml").write_text(
        '[[break]]\nrule = "enum-value-removed"\npointer = "/$defs/Color"\nwhat = "green"\nwhy = "nobody sends it"\n'
        'since = "v2"\nuntil = "2999-01-01"\n'
    )
    write(home / "t.ndjson", request(1, "red"))
    assert replayed(run_cli)[0] == 0
    write(home / "t.ndjson", request(1, "green"))
    assert replayed(run_cli)[0] == 1
    assert replayed(run_cli, "--next-version")[0] == 0


def test_programs_get_the_counts(home: Path, run_cli: RunCli) -> None:
    write(home / "t.ndjson", request(1, "green"))
    out = run_cli("diff", "old.json", "new.json", "--format", "json", "--replay", "t.ndjson").out
    assert json.loads(out.splitlines()[0])["replay"] == {
        "clients": {
            "messages": 1,
            "refused": 1,
            "methods": [
                {
                    "in": "wall/paint (request)",
                    "messages": 1,
                    "refused": 1,
                    "first": {
                        "file": "t.ndjson",
                        "line": 1,
                        "message": {"color": "green"},
                        "says": "Invalid enum value 'green' - at `$.color`",
                    },
                }
            ],
        },
        "agents": {"messages": 0, "refused": 0, "methods": []},
        "notJudged": {},
    }


@pytest.mark.parametrize("format_", ["markdown", "html", "github", "junit", "sarif"])
def test_every_format_has_the_traffic(home: Path, run_cli: RunCli, format_: str) -> None:
    write(home / "t.ndjson", request(1, "green"))
    out = run_cli("diff", "old.json", "new.json", "--format", format_, "--replay", "t.ndjson").out
    assert "1 of 1 message of released clients would be rejected" in out


def test_a_transcript_that_is_not_there_is_an_error(home: Path, run_cli: RunCli) -> None:
    ran = run_cli("diff", "old.json", "new.json", "--replay", "missing.ndjson")
    assert (ran.code, ran.err) == (2, "missing.ndjson: error: cannot be read: No such file or directory\n")
    assert home.is_dir()


def test_nothing_of_a_real_connection_is_refused_by_its_own_schema(
    tmp_path: Path, run_cli: RunCli, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every example message of the project, as if it had been sent."""
    monkeypatch.chdir(tmp_path)
    lines: list[Any] = []
    sides = {"agent": (TO_AGENT, TO_CLIENT), "client": (TO_CLIENT, TO_AGENT)}
    for number, file in enumerate(sorted((root / "examples" / "messages").rglob("*.json"))):
        side, *path = file.relative_to(root / "examples" / "messages").parts[:-1]
        kind = file.name.rsplit(".", 2)[1]
        if side not in sides:
            continue
        there, back = sides[side]
        value, method = json.loads(file.read_text()), "/".join(path)
        if kind == "notification":
            lines.append(frame(there, {"jsonrpc": "2.0", "method": method, "params": value}))
        elif kind == "request":
            lines.append(frame(there, {"jsonrpc": "2.0", "id": number, "method": method, "params": value}))
        else:
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": "unknown"}
            lines += [frame(there, asked), frame(back, {"jsonrpc": "2.0", "id": number, "result": value})]
    write(tmp_path / "t.ndjson", *lines)
    schema = str(root / "schema.json")
    ran = run_cli("diff", schema, schema, "--format", "json", "--replay", "t.ndjson")
    said = json.loads(ran.out.splitlines()[0])["replay"]
    assert (said["clients"]["refused"], said["agents"]["refused"]) == (0, 0)
    assert said["clients"]["messages"] + said["agents"]["messages"] > 150
    assert set(said["notJudged"]) == {"the old schema rejects them, too"}  # the requests that were made up


@pytest.mark.parametrize(
    "lines", [[], ["not JSON"], [{"jsonrpc": "2.0", "method": "wall/unknown", "params": {}}]], ids=str
)
def test_a_transcript_without_a_message_that_could_be_judged_is_not_compared(
    lines: list[object], home: Path, run_cli: RunCli
) -> None:
    write(home / "t.ndjson", request(1, "red"))
    (home / "u.ndjson").write_text(
        "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines)
    )
    schemas(home, {**PAINT, **COLORS}, {**PAINT, **COLORS})
    ran = run_cli("diff", "old.json", "new.json", "--replay", "t.ndjson", "u.ndjson")
    assert (ran.code, "not compared: u.ndjson: contains no message that can be checked\n" in ran.out) == (3, True)
