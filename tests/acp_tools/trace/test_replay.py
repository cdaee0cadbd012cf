"""`trace replay`: the client's side played again; what differs is what the agent does otherwise, not ids, times or cuts."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tools.trace.diff import ABSENT, Names, compare, differences, merged
from acp_tools.trace.redaction import MASK, masked
from acp_tools.trace.replay import replay
from codegen.errors import InputError
from generated import Transcript
from tests.support.sampling import exhaustive

AGENTS = (sys.executable, str(Path(__file__).with_name("agents.py")))


@pytest.mark.parametrize("how", [(), ("pieces",)])
def test_the_same_agent_differs_in_nothing(
    record: Path, how: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(record, (*AGENTS, "serves", *how), patience=120) == 0
    assert capsys.readouterr().out == "4 answers, 2 requests, 2 notifications: all the same\n"


def test_another_word_is_shown_where_it_stands(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(record, (*AGENTS, "serves", "other"), patience=120) == 1
    out = capsys.readouterr().out
    assert '    $.params.update.content.text: "so be it", now "no"' in out
    assert out.endswith("2 differ\n")


def test_an_agent_that_ends_or_says_nonsense_is_told_as_that(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(record, (sys.executable, "-c", "input(); print('hello')"), patience=120) == 1
    out = capsys.readouterr().out
    assert "initialize #1: no answer" in out
    assert "1 lines that are not messages" in out


def test_an_agent_that_does_not_answer_costs_the_patience_once_a_frame(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = tmp_path / "first.ndjson"
    first.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:2]))
    assert replay(first, (*AGENTS, "sleeps"), patience=0.2) == 1
    assert "initialize #1: no answer" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "[]\n", '{"dir": 1}\n', '{"t":0,"dir":"agent-to-client","msg":{}}\n', "\udcff"])
def test_what_is_no_record_of_a_client_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.ndjson"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(InputError):
        replay(path, ("true",), patience=1)


def test_an_agent_that_does_not_start_is_named(record: Path) -> None:
    with pytest.raises(InputError, match="/no/such: error: cannot start the agent: No such file or directory"):
        replay(record, ("/no/such",), patience=1)


def found(then: Any, now: Any) -> list[str]:
    return [f"{d.path} {d.then!r} {d.now!r}" for d in differences(then, now, Names())]


def test_ids_and_times_and_random_parts_are_no_difference_and_all_else_is() -> None:
    assert found({"sessionId": "a", "x": {"sessionId": "a"}}, {"sessionId": "b", "x": {"sessionId": "b"}}) == []
    assert found({"sessionId": "a", "x": {"sessionId": "a"}}, {"sessionId": "b", "x": {"sessionId": "c"}}) == [
        "$.x.sessionId 'a' 'c'"
    ]
    assert found({"at": "2026-01-01T00:00:00Z"}, {"at": "2027-02-02T10:00:00.5+01:00"}) == []
    assert found({"n": 1, "l": [1, 2], "b": True}, {"n": 2, "l": [1], "b": 1}) == [
        "$.n 1 2",
        f"$.l[1] 2 {ABSENT!r}",
        "$.b True 1",
    ]


def chunk(text: str, message: str = "m") -> Any:
    update = {"sessionUpdate": "agent_message_chunk", "messageId": message, "content": {"type": "text", "text": text}}
    return {"method": "session/update", "params": {"sessionId": "s", "update": update}}


def test_pieces_of_one_message_are_one_and_of_two_are_two() -> None:
    assert merged([chunk("a"), chunk("b"), chunk("c", "other"), chunk("d")]) == [
        chunk("ab"),
        chunk("c", "other"),
        chunk("d"),
    ]
    assert [kind for kind, _ in compare([chunk("a")], [], Names())] == [
        ("notification", "session/update", "agent_message_chunk")
    ]


NAMES = st.sampled_from(["apiKey", "TOKEN", "x-authorization", "cookie", "password", "clientSecret"])


@given(NAMES, st.text(min_size=1), st.sampled_from(["plain", "deep", "header", "list"]))
def test_no_secret_is_left_however_deep_it_is(name: str, secret: str, where: str) -> None:
    secret = f"SECRET{secret}"
    held: Any = {
        "plain": {name: secret},
        "deep": {"a": [{"b": {name: {"inner": secret}}}]},
        "header": {"headers": [{"name": name, "value": secret}]},
        "list": {name: [secret]},
    }[where]
    for ascii_ in (True, False):
        text = masked(json.dumps(held, ensure_ascii=ascii_).encode(errors="surrogatepass"))
        assert b"SECRET" not in text
        assert MASK.encode() in text
    escaped = json.dumps(held).replace(name, "".join(f"\\u{ord(c):04x}" for c in name))
    assert b"SECRET" not in masked(escaped.encode())


@pytest.mark.parametrize("frame", [b'{"a":1, "b" : "x"}', b'{"maxTokens": 7}', b"", b"nonsense", b'{"keys":[]}'])
def test_a_frame_without_secrets_stays_as_it_was_to_the_byte(frame: bytes) -> None:
    assert masked(frame) == frame


def test_the_lines_around_a_secret_stay_lines_of_their_own() -> None:
    found = masked(json.dumps({"command": "one\nrun --token x1y2z3w4\nthree"}).encode())
    assert json.loads(found) == {"command": f"one\nrun --token {MASK}\nthree"}


def test_what_is_not_json_and_speaks_of_secrets_is_not_kept() -> None:
    assert masked(b"my token is x") == b"(masked: 13 bytes that are not JSON)"


S = "SECRETa1b2C3"


@pytest.mark.parametrize(
    "held",
    [
        {"env": [f"API_KEY={S}"]},
        {"args": ["--api-key", S]},
        {"args": [f"--api-key={S}"]},
        {"args": ["-H", f"Authorization: Bearer {S}"]},
        {"command": f"curl -H 'Authorization: Bearer {S}' x"},
        {"command": f"run --token {S}"},
        {"url": f"https://x/y?a=b&token={S}&c=d"},
        {"url": f"https://me:{S}@host/"},
        {"headers": [["Authorization", S]]},
        {"headers": [{"key": "Authorization", "value": S}]},
        {"first": {"value": {"deep": [S]}, "name": "API_TOKEN"}},
        {"Env": {"Name": "API_TOKEN", "Value": S}},
        {"key": S},
        {"key": {"a": [S]}},
        {"text": f"export OPENAI_API_KEY={S}; x"},
        {"text": f'{{"apiKey": "{S}"}}'},
        {"text": f"a\nPASSWORD={S}\n"},
        {"text": f"sk-{S}{S}"},
        {"text": f"token {S} " + "x" * 100_000},
        {"error": {"message": f"bad Bearer {S}"}},
        {"message": f"Cookie: sid={S}"},
    ],
    ids=str,
)
def test_a_secret_is_seen_wherever_it_is_written(held: Any) -> None:
    text = masked(json.dumps(held).encode())
    assert b"SECRET" not in text
    assert json.loads(text)


@pytest.mark.parametrize(
    "held",
    [
        {"required": ["token", "name"]},
        {"text": "sorted(names, key=len)"},
        {"text": "basic syntax, bearer tokens, token economy"},
        {"name": "Model", "value": "best"},
        {"stopReason": "max_tokens"},
        {"url": "http://127.0.0.1:8765/x@y"},
    ],
    ids=str,
)
def test_words_that_speak_of_secrets_are_none(held: Any) -> None:
    frame = json.dumps(held).encode()
    assert masked(frame) == frame


@pytest.mark.parametrize(
    ("frame", "safe"),
    [
        (b'{"token":"x","n":1e999 , "n":1.0,"u":"\xff","s":"\\ud800"}', b'{"token":"(masked)","n":1e999 , "n":1.0,"u":"\xff","s":"\\ud800"}'),
        (b'{"n":%s,"token":"x"}' % (b"9" * 5000), b'{"n":%s,"token":"(masked)"}' % (b"9" * 5000)),
        (b'{"token":%s"x"%s}' % (b"[" * 990, b"]" * 990), b'{"token":%s"(masked)"%s}' % (b"[" * 990, b"]" * 990)),
        (b'{"token":"\x00x"}', b'{"token":"(masked)"}'),
    ],
)  # fmt: skip
def test_what_is_no_secret_stays_to_the_byte_so_that_the_judge_sees_it(frame: bytes, safe: bytes) -> None:
    assert masked(frame) == safe


@pytest.mark.parametrize(
    "frame",
    [b'"token":"x"', b'{"a" "token":"x"}', b'{"a":"b" "token":"x"}', b'{"token":"x"', b'{"token":"x"}}', b'{"token":"x\\q"}', b'{"tok\\u0065n":"x'],
)  # fmt: skip
def test_half_a_frame_leaves_no_half_of_a_secret(frame: bytes) -> None:
    assert masked(frame) == b"(masked: %d bytes that are not JSON)" % len(frame)


CLIENT, AGENT = "client-to-agent", "agent-to-client"


def written(path: Path, *frames: tuple[str, Any]) -> Path:
    path.write_text("".join(json.dumps({"t": 0.0, "dir": way, "msg": frame}) + "\n" for way, frame in frames))
    return path


def script(tmp_path: Path, text: str) -> tuple[str, str]:
    (tmp_path / "agent.py").write_text("import json, sys\n" + text)
    return sys.executable, str(tmp_path / "agent.py")


def test_an_agent_that_does_not_read_is_left_after_the_patience(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "t.ndjson", (CLIENT, {"id": 1, "method": "x", "params": "y" * 1_000_000}))
    assert replay(file, (sys.executable, "-c", "import time; time.sleep(60)"), patience=0.2) == 1
    assert "the agent stopped reading" in capsys.readouterr().out


def test_ten_thousand_updates_are_compared_one_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    updates: list[tuple[str, Any]] = [
        (AGENT, {"method": "session/update", "params": {"update": {"sessionUpdate": "plan", "n": n}}})
        for n in range(10_000)
    ]
    asked = (CLIENT, {"id": 1, "method": "x"})
    file = written(tmp_path / "t.ndjson", asked, *updates, (AGENT, {"id": 1, "result": {}}))
    says = "sys.stdin.readline()\nfor line in open(sys.argv[1]):\n    read = json.loads(line)\n    if read['dir'][0] == 'a': print(json.dumps(read['msg']))\n"
    assert replay(file, (*script(tmp_path, says), str(file)), patience=120) == 0
    assert capsys.readouterr().out == "1 answers, 0 requests, 10000 notifications: all the same\n"


def test_what_is_nested_too_deeply_is_said_in_a_line(tmp_path: Path) -> None:
    deep: Any = json.loads("[" * 900 + "]" * 900)
    written(tmp_path / "t.ndjson", (CLIENT, {"id": 1, "method": "x", "params": deep}))
    with pytest.raises(InputError, match="nested too deeply"):
        replay(tmp_path / "t.ndjson", ("cat",), patience=1)


def test_answers_go_to_the_session_that_asked_whichever_asks_first_now(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask(id_: int, session: str) -> Any:
        return AGENT, {"id": id_, "method": "ask", "params": {"sessionId": session}}

    file = written(
        tmp_path / "t.ndjson",
        (CLIENT, {"method": "begin"}),
        ask(0, "a"),
        ask(1, "b"),
        (CLIENT, {"id": 0, "result": "of a"}),
        (CLIENT, {"id": 1, "result": "of b"}),
        (AGENT, {"method": "got", "params": {"a": "of a", "b": "of b"}}),
    )
    says = """sys.stdin.readline()
for n, name in ((0, 'b'), (1, 'a')): print(json.dumps({'id': n, 'method': 'ask', 'params': {'sessionId': name}}), flush=True)
got = {('b', 'a')[x['id']]: x['result'] for x in (json.loads(sys.stdin.readline()) for _ in range(2))}
print(json.dumps({'method': 'got', 'params': got}), flush=True)
"""
    replay(file, script(tmp_path, says), patience=60)
    assert "$.params.a" not in capsys.readouterr().out


@pytest.mark.parametrize("last", exhaustive(range(6), stay=(0, 3)))
def test_an_agent_that_dies_at_any_frame_ends_the_replay(
    record: Path, last: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says = f"for n, line in zip(range({last}), sys.stdin): print(line, end='', flush=True)\n"
    assert replay(record, script(tmp_path, says), patience=0.3) == 1
    assert capsys.readouterr().out.endswith("differ\n")


PARROT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "ask":
        for n in (1, 2):  # one id for two requests, the second after the first is answered
            print(json.dumps({"jsonrpc": "2.0", "id": "same", "method": "fs/read_text_file", "params": {"path": f"/{n}"}}), flush=True)
            given = json.loads(sys.stdin.readline())
            print(json.dumps({"jsonrpc": "2.0", "method": "_given", "params": given["result"]}), flush=True)
    if "method" in message and "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"said": message["method"] + SUFFIX}}), flush=True)
"""


def parrot(suffix: str = "") -> tuple[str, ...]:
    return (sys.executable, "-c", PARROT.replace("SUFFIX", repr(suffix)))


def recorded(path: Path, *connections: list[tuple[str, dict[str, Any]]]) -> Path:
    """A record of connections, each of (way, message) with `>` for what the client says."""
    ways = {">": "client-to-agent", "<": "agent-to-client"}
    with path.open("w") as file:
        for connection in connections:
            for at, (way, message) in enumerate(connection):
                frame = {"t": at / 10, "dir": ways[way], "msg": {"jsonrpc": "2.0", **message}}
                file.write(json.dumps(frame) + "\n")
    return path


def exchange(id_: Any, method: str, said: str | None = None) -> list[tuple[str, dict[str, Any]]]:
    return [(">", {"id": id_, "method": method}), ("<", {"id": id_, "result": {"said": said or method}})]


def test_an_id_that_the_client_used_twice_has_two_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = recorded(tmp_path / "t.jsonl", [*exchange(1, "one"), *exchange(1, "two"), *exchange(1, "three", "else")])
    assert replay(path, parrot(), patience=10) == 1
    assert capsys.readouterr().out == (
        'three #1:\n    $.result.said: "else", now "three"\n3 answers, 0 requests, 0 notifications: 1 differ\n'
    )


def test_an_id_that_the_agent_used_twice_is_answered_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[tuple[str, dict[str, Any]]] = [(">", {"id": 1, "method": "ask"})]
    for n in (1, 2):
        asked += [
            ("<", {"id": "same", "method": "fs/read_text_file", "params": {"path": f"/{n}"}}),
            (">", {"id": "same", "result": {"content": f"text {n}"}}),
            ("<", {"method": "_given", "params": {"content": f"text {n}"}}),
        ]
    asked += [("<", {"id": 1, "result": {"said": "ask"}})]
    assert replay(recorded(tmp_path / "t.jsonl", asked), parrot(), patience=10) == 0
    assert capsys.readouterr().out == "1 answers, 2 requests, 2 notifications: all the same\n"


def test_each_connection_of_a_record_has_an_agent_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded(tmp_path / "t.jsonl", exchange(1, "one"), exchange(1, "two", "else"), exchange(1, "three"))
    assert replay(path, parrot(), patience=10) == 1
    assert capsys.readouterr().out == (
        "connection 1, from line 1: 1 answers, 0 requests, 0 notifications: all the same\n"
        'two #1:\n    $.result.said: "else", now "two"\n'
        "connection 2, from line 3: 1 answers, 0 requests, 0 notifications: 1 differ\n"
        "connection 3, from line 5: 1 answers, 0 requests, 0 notifications: all the same\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["--patience", "7", "replay", "FILE"],
        ["replay", "--patience", "7", "FILE"],
        ["replay", "FILE", "--patience=7"],
    ],
)
def test_the_patience_may_stand_anywhere_before_the_command(
    words: list[str], monkeypatch: pytest.MonkeyPatch, run_cli: Any
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(
        "acp_tools.trace.replay.replay", lambda path, command, *, patience: seen.append((path, command, patience)) or 0
    )
    assert run_cli("trace", *words, "--", "agent", "--patience", "1", "--", "x").code == 0
    assert seen == [(Path("FILE"), ["agent", "--patience", "1", "--", "x"], 7.0)]


def test_an_agent_that_is_called_replay_is_traced(monkeypatch: pytest.MonkeyPatch, run_cli: Any) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("acp_tools.trace.proxy.trace", lambda command, *_, **__: seen.append(command) or 0)
    assert run_cli("trace", "--", "replay", "FILE", "x").code == 0
    assert seen == [["replay", "FILE", "x"]]


@pytest.mark.skipif(os.name == "nt", reason="process groups of POSIX")
def test_a_program_that_its_launcher_leaves_behind_is_ended_and_holds_up_nobody(record: Path, tmp_path: Path) -> None:
    first, mark = tmp_path / "first.jsonl", tmp_path / "pid"
    first.write_bytes(record.read_bytes().splitlines(keepends=True)[0])
    program = (
        f"from acp_tools.trace.replay import replay; replay({first!r}, {(*AGENTS, 'wraps', str(mark))!r}, patience=5)"
    )
    command = [sys.executable, "-c", f"from pathlib import PosixPath; {program}"]
    try:
        # It has our standard error: this waits until it has ended, too.
        subprocess.run(command, check=True, cwd=Path(__file__).resolve().parents[3], capture_output=True)
    finally:
        if mark.exists():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(mark.read_text()), signal.SIGKILL)


def test_what_was_masked_is_no_difference() -> None:
    assert found({"hint": f"key={MASK}, or none"}, {"hint": "key=value, or none"}) == []
    assert found({"provider": MASK}, {"provider": "google"}) == []
    assert found({"hint": f"key={MASK}"}, {"hint": "token=value"}) == [f"$.hint 'key={MASK}' 'token=value'"]
    assert found({"provider": MASK}, {"provider": 7}) == [f"$.provider '{MASK}' 7"]


def test_notifications_of_two_methods_may_come_in_another_order() -> None:
    status, update = {"method": "_status", "params": {"n": 1}}, {"method": "_update", "params": {}}
    assert list(compare([status, update], [update, status], Names())) == []
    assert [kind for kind, _ in compare([update, status], [status], Names())] == [("notification", "_update", "")]


ODD = [
    b'{"jsonrpc":"2.0","method":"_x","params":{"n":' + b"9" * 5000 + b"}}",
    b'{"jsonrpc":"2.0","method":"_x","params":{"n":1e400,"m":-0.0,"k":1.10}}',
    b'{"jsonrpc":"2.0","method":"_x","params":{"a":1,"a":2}}',
    rb'{"jsonrpc":"2.0","method":"_x","params":{"s":"\ud83d","t":"\u00e9"}}',
    b'{"jsonrpc": "2.0" ,"method":"_x","params":["sp aces"]}',
    b'{"jsonrpc":"2.0","method":"_x","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    b"no JSON",
]


@pytest.mark.parametrize("frame", ODD, ids=lambda frame: frame[40:60].decode())
def test_a_frame_is_played_as_it_was_recorded(frame: bytes, tmp_path: Path) -> None:
    """`probe --record` writes such frames; docs/trace.md promises that its records can be played."""
    written, played = tmp_path / "t.ndjson", tmp_path / "played"
    with Transcript(written) as transcript:
        for direction in ("client-to-agent", "agent-to-client", "client-to-agent"):
            transcript(direction, frame.replace(rb"\ud83d", b"HALF"))
    written.write_bytes(written.read_bytes().replace(b"HALF", rb"\ud83d"))  # of other programs; ours records U+FFFD
    program = f"import sys; open({str(played)!r}, 'wb').write(sys.stdin.buffer.read())"
    replay(written, (sys.executable, "-c", program), patience=120)
    assert played.read_bytes().split(b"\n")[0] == frame


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_record_that_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(InputError, match="is not a file"):
        replay(tmp_path / "fifo", ("true",), patience=1)
