"""`trace` between an editor and an agent: every byte goes on, every frame is kept, and nothing of ours stands in the way."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from acp_tools.trace import proxy
from acp_tools.trace.proxy import Pump
from acp_tools.trace.recorder import Recorder
from acp_tools.trace.redaction import masked

fcntl, resource = pytest.importorskip("fcntl"), pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="descriptors and signals of POSIX")

START = "import sys; from acp_codegen.cli.main import main; sys.exit(main())"
# The judge at the usual priority: at its own it may get no turn for minutes on a busy machine.
PROMPT = f"from acp_tools.trace import proxy; proxy._NICE = ''; {START}"
AGENTS = (sys.executable, str(Path(__file__).with_name("agents.py")))


class Traced:
    """A program as an editor starts it."""

    def __init__(self, how: tuple[str, ...], *options: str, agent: tuple[str, ...] = AGENTS, **more: Any) -> None:
        command = [sys.executable, "-c", PROMPT, "trace", *options, "--", *agent, *how]
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen(command, **pipes, **more)

    def say(self, data: bytes) -> tuple[bytes, str, int]:
        """Everything that comes back once all was said: stdout, stderr, exit code."""
        out, errors = self.process.communicate(data)
        return out, errors.decode(), self.process.returncode


def complete(findings: Path) -> str:
    """The findings of a judge, once it has written its last line: the count of messages, or why it could not judge."""
    while not re.search(r"(\d messages?, |: error: ).*\n\Z", text := findings.read_text()):
        time.sleep(0.05)
    return text


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_every_byte_goes_on_and_every_frame_is_kept(tmp_path: Path) -> None:
    record = tmp_path / "deep" / "t.ndjson"
    said = b'{"a":1}\n\r\n{"b":"\xff"}\r\nnot json\n\n{"token":"hush"}\n{"c":"' + b"9" * 300_000 + b'"}\nno end'
    out, errors, code = Traced(("echoes", "3"), "--record", str(record), "--no-judge").say(said)
    assert (out, errors, code) == (said, "grumble\n", 3)
    kept = lines(record)
    asked = [line for line in kept if line["dir"] == "client-to-agent"]
    assert [line.get("msg", line.get("raw")) for line in asked][:4] == [
        {"a": 1},
        '{"b":"\N{REPLACEMENT CHARACTER}"}',
        "not json",
        {"token": "(masked)"},
    ]
    assert len(asked) == 6
    assert asked[5]["raw"] == "no end"
    assert sorted(str(line) for line in asked) != sorted(str(line) for line in kept)
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert b"hush" not in record.read_bytes()


def test_both_may_talk_at_once_though_neither_listens() -> None:
    traced = Traced(("talks_first",), "--record", "/dev/null/none")
    assert traced.process.stdin is not None
    assert traced.process.stdout is not None
    writing = Thread(target=traced.process.stdin.write, args=(b"y" * 1_000_000,))
    writing.start()
    assert traced.process.stdout.read(1_000_001) == b"x" * 1_000_000 + b"\n"
    writing.join()
    _, errors, code = traced.say(b"")
    assert code == 0
    assert "not recording" in errors


def test_a_record_that_exists_is_left_alone_and_the_editor_gets_its_agent(tmp_path: Path) -> None:
    record = tmp_path / "t.ndjson"
    record.write_text("mine")
    out, errors, code = Traced(("echoes",), "--record", str(record)).say(b"{}\n")
    assert (out, code) == (b"{}\n", 0)
    assert "already exists" in errors
    assert record.read_text() == "mine"


def test_an_agent_that_does_not_start_is_named_and_leaves_no_record(tmp_path: Path) -> None:
    traced = Traced((), "--record", str(tmp_path / "t.ndjson"), agent=("/no/such/agent",))
    out, errors, code = traced.say(b"{}\n")
    assert (out, code) == (b"", 127)
    assert errors == "error: cannot start the agent: /no/such/agent: No such file or directory\n"
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_ends_the_record_and_not_the_conversation(tmp_path: Path) -> None:
    record = tmp_path / "t.ndjson"
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))}
    said = b'{"n":"%s"}\n' % (b"x" * 90) * 400
    out, errors, code = Traced(("echoes",), "--record", str(record), "--no-judge", **full).say(said)
    assert (out, code) == (said, 0)
    assert "t.ndjson stops recording, the conversation continues: File too large" in errors


def test_a_signal_reaches_the_agent_and_its_end_the_editor() -> None:
    traced = Traced(("sleeps",), "--record", "/dev/null/none")
    assert traced.process.stdout is not None
    assert traced.process.stdout.readline() == b"{}\n"
    traced.process.send_signal(signal.SIGTERM)
    assert traced.say(b"")[2] == 128 + signal.SIGTERM


def test_an_agent_that_ended_is_not_waited_for_because_a_child_has_its_stdout() -> None:
    traced = Traced(("leaves_a_child",), "--record", "/dev/null/none", start_new_session=True)
    assert traced.process.stdout is not None
    assert traced.process.stdout.readline() == b"bye\n"
    assert traced.process.wait() == 5
    os.killpg(traced.process.pid, signal.SIGKILL)
    traced.process.communicate()


def test_an_agent_learns_that_its_editor_was_killed() -> None:
    traced = Traced(("echoes",), "--record", "/dev/null/none")
    assert traced.process.stdin is not None
    traced.process.stdin.write(b"{}\n")
    traced.process.stdin.flush()
    assert traced.process.stdout is not None
    assert traced.process.stdout.readline() == b"{}\n"
    traced.process.kill()
    assert traced.process.communicate()[1] is not None  # the agent's stderr has ended, and so has the agent


def test_the_judge_reads_along_and_so_may_anybody(tmp_path: Path) -> None:
    record, environment = (
        tmp_path / "state" / "acp-codegen" / "traces",
        {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
    )
    traced = Traced(("echoes",), env=environment)
    assert traced.process.stdin is not None
    traced.process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n')
    traced.process.stdin.flush()
    assert traced.process.stdout is not None
    traced.process.stdout.readline()
    attached = [sys.executable, "-c", START, "trace", "--attach"]
    watching = subprocess.Popen(attached, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert watching.stdout is not None
    assert b"-> initialize #1" in watching.stdout.readline(), "shown while the conversation goes on"
    assert watching.poll() is None
    traced.say(b"")
    shown = watching.communicate()[0].decode()
    assert watching.returncode == 1
    (file,) = record.glob("*.ndjson")
    assert f"{file}:1:" in shown
    assert "error[params-invalid]" in shown
    assert "error[params-invalid]" in complete(file.with_suffix(".findings"))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "requires an agent"),
        (("replay",), "needs a file and an agent"),
        (("replay", "x.ndjson"), "needs a file and an agent"),
        (("replay", "/no/such", "x"), "cannot be read: No such file or directory"),
        (("--attach", "a", "b"), "is an additional file"),
        (("--attach", "/no/such"), "cannot be read"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    from codegen.cli.main import main

    assert main(["trace", *arguments]) == 2
    errors = capsys.readouterr().err
    assert problem in errors
    assert errors.count("\n") == 1


def test_with_no_record_there_is_nothing_to_attach_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from codegen.cli.main import main

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["trace", "--attach"]) == 2
    assert "contains no transcript: start an agent with `acp-codegen trace -- COMMAND`" in capsys.readouterr().err


def test_a_disk_that_hangs_holds_no_more_than_is_allowed_and_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("acp_tools.trace.recorder._MOST_WAITING", 1 << 20)
    monkeypatch.setattr("acp_tools.trace.recorder._PATIENCE", 0.05)
    disk = Event()

    class Hangs:
        def __init__(self, file: Any) -> None:
            pass

        def __call__(self, direction: str, frame: bytes) -> None:
            disk.wait()

    monkeypatch.setattr("acp_generated.Transcript", Hangs)
    recorder = Recorder(tmp_path / "t.ndjson", None)
    recorder.start()
    tell = recorder.teller("client-to-agent")
    for _ in range(100):
        tell(b'{"n":"%s"}\n' % (b"x" * 65_000))
    assert recorder.waiting <= (1 << 20) + (1 << 17)
    recorder.finish()
    disk.set()
    assert capsys.readouterr().err.count("the disk is slower than the conversation") == 1


def test_a_frame_without_end_ends_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("acp_tools.trace.recorder._MOST_OF_A_FRAME", 1000)
    recorder = Recorder(tmp_path / "t.ndjson", None)
    recorder.start()
    tell = recorder.teller("client-to-agent")
    tell(b'{"a":1}\n')
    for _ in range(3):
        tell(b"x" * 500)
    recorder.finish()
    assert "t.ndjson stops recording, the conversation continues: a frame is longer than" in capsys.readouterr().err
    assert [line["msg"] for line in lines(tmp_path / "t.ndjson")] == [{"a": 1}]


def test_a_pump_waits_for_room_in_a_pipe_that_others_made_impatient() -> None:
    (source, into), (out, sink) = os.pipe(), os.pipe()
    os.set_blocking(sink, False)
    pump = Pump(source, sink, lambda _: None)
    pump.start()
    writing = Thread(target=lambda: [os.write(into, b"x" * 10_000) for _ in range(50)] and os.close(into))
    writing.start()
    while select.select([], [sink], [], 0)[1]:  # until it is full
        time.sleep(0.01)
    with os.fdopen(out, "rb") as reading:
        assert len(reading.read()) == 500_000
    writing.join()
    pump.join()


def test_a_machine_that_is_busy_is_no_disk_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acp_tools.trace.recorder._PATIENCE", 0.01)

    def slowly(frame: bytes) -> bytes:
        time.sleep(0.1)
        return frame

    recorder = Recorder(tmp_path / "t.ndjson", slowly)
    recorder.start()
    recorder.teller("client-to-agent")(b'{"a":1}\n{"a":2}\n')
    recorder.finish()
    assert [line["msg"] for line in lines(tmp_path / "t.ndjson")] == [{"a": 1}, {"a": 2}]


def test_what_both_say_at_once_is_counted_to_the_byte(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "t.ndjson", None)
    tellers = [recorder.teller(direction) for direction in ("client-to-agent", "agent-to-client")]
    threads = [Thread(target=lambda tell=tell: [tell(b"\n") for _ in range(5_000)]) for tell in tellers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorder.waiting == 10_000
    recorder.start()
    recorder.finish()
    assert recorder.waiting == 0


@pytest.mark.parametrize(
    "frame",
    [
        b'{"token":%s}' % (b"[" * 100_000 + b"]" * 100_000),
        b'{"token":"x","n":%s}' % (b"9" * 5_000),
        b'{"token":"x","n":"\\ud800","m":"\xff\x00"}',
        b'{"token":"x","token":"x","n":1e999}',
    ],
)
def test_no_frame_ends_the_record(frame: bytes, tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "t.ndjson", masked)
    recorder.start()
    recorder.teller("client-to-agent")(frame + b'\n{"a":1}\n')
    recorder.finish()
    kept = (tmp_path / "t.ndjson").read_bytes().splitlines()  # Python reads no number of 5,000 digits
    assert len(kept) == 2
    assert json.loads(kept[1])["msg"] == {"a": 1}


def judged(tmp_path: Path, *options: str) -> str:
    """What the judge says about an agent that sends a wrong message of an extension."""
    said = b'{"jsonrpc":"2.0","method":"_sandboxagent/session/ended","params":{"sessionId":7}}\n'
    findings = tmp_path / "findings"
    traced = Traced(("echoes",), "--record", str(tmp_path / "t"), "--findings", str(findings), *options)
    assert traced.say(said)[::2] == (said, 0)
    return complete(findings)


def test_an_extension_is_judged_by_its_document(tmp_path: Path) -> None:
    extension = Path(__file__).resolve().parents[3] / "examples" / "extensions" / "sandboxagent.json"
    assert "error[params-invalid]" in judged(tmp_path, "--extend", str(extension))


def test_without_the_document_nothing_is_said_of_an_extension(tmp_path: Path) -> None:
    assert "params-invalid" not in judged(tmp_path)


def test_a_document_that_cannot_be_read_is_told_in_the_findings(tmp_path: Path) -> None:
    assert "none.json" in judged(tmp_path, "--extend", str(tmp_path / "none.json"))


def test_a_findings_file_that_exists_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    out, errors, code = Traced(("echoes",), "--record", str(tmp_path / "t"), "--findings", str(mine)).say(b"{}\n")
    assert (out, code, mine.read_text()) == (b"{}\n", 0, "mine")
    assert f"not validating: {mine} already exists" in errors


def test_a_record_is_never_overwritten_by_its_own_findings(tmp_path: Path) -> None:
    record = tmp_path / "t.findings"
    _, errors, _ = Traced(("echoes",), "--record", str(record)).say(b"{}\n")
    assert len(lines(record)) == 2
    assert "not validating" in errors


def test_a_judge_that_cannot_be_started_costs_no_conversation(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": "/no/such/folder"}
    out, errors, code = Traced(("echoes", "4"), "--record", str(tmp_path / "t"), env=environment).say(b"{}\n")
    assert (out, errors, code) == (b"{}\n", "grumble\n", 4)


@pytest.mark.parametrize("found", [True, False])
def test_a_judge_has_a_low_priority_where_there_is_a_program_for_that(
    found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nice = tmp_path / "nice"
    nice.touch(0o755 if found else 0o644)
    started: list[list[str]] = []
    monkeypatch.setattr(proxy, "_NICE", str(nice))
    monkeypatch.setattr("acp_tools.trace.proxy.subprocess.Popen", lambda command, **_: started.append(command))
    proxy._judge(tmp_path / "t", tmp_path / "f", ())  # pyright: ignore[reportPrivateUsage]
    assert [command[: found + 1] for command in started] == [[str(nice), sys.executable] if found else [sys.executable]]


def test_a_judge_without_a_process_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("acp_tools.trace.proxy.subprocess.Popen", refuse)
    proxy._judge(tmp_path / "t", tmp_path / "f", ())  # pyright: ignore[reportPrivateUsage]
    assert "not validating: Resource temporarily unavailable" in capsys.readouterr().err


def test_an_editor_that_reads_slowly_gets_all_that_the_agent_said_before_it_ended() -> None:
    said = b"x" * 150_000
    agent = (sys.executable, "-c", f"import os; os.write(1, b'x' * {len(said)}); os._exit(6)")
    traced = Traced((), "--record", "/dev/null/none", agent=agent)
    time.sleep(1.6)
    assert traced.process.stdout is not None
    assert len(traced.process.stdout.read()) == len(said)
    assert traced.say(b"")[2] == 6


def test_what_an_agent_said_before_it_ended_goes_on_though_nothing_of_ours_could_run_for_a_while() -> None:
    late = "import time; from acp_tools.trace.proxy import Pump; run = Pump.run; Pump.run = lambda self: (time.sleep(1.5), run(self)); "
    agent = [sys.executable, "-c", "import os; os.write(1, b'x' * 50_000); os._exit(6)"]
    command = [sys.executable, "-c", late + START, "trace", "--record", "/dev/null/none", "--", *agent]
    ran = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert (len(ran.stdout), ran.returncode) == (50_000, 6)


def test_a_signal_ends_one_that_waits_for_its_editor_alone(tmp_path: Path) -> None:
    named = tmp_path / "pid"
    says = f"import os; open({str(named)!r}, 'w').write(str(os.getpid())); os.write(1, b'x' * 150_000); os._exit(6)"
    agent = (sys.executable, "-c", says)
    traced = Traced((), "--record", "/dev/null/none", agent=agent)
    assert traced.process.stdout is not None
    assert traced.process.stdout.read(1) == b"x"
    while Path("/proc", named.read_text()).exists():  # until the agent has ended, and that was noticed
        time.sleep(0.01)
    while traced.process.returncode is None:  # a signal that comes before it waits for its editor is the agent's
        traced.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            traced.process.wait(0.3)
    assert traced.process.returncode == -signal.SIGTERM
    traced.process.communicate()


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_streams_that_are_closed_from_the_start_are_no_crash(closed: tuple[int, ...], tmp_path: Path) -> None:
    def close() -> None:
        for descriptor in closed:
            os.close(descriptor)

    record = tmp_path / "t.ndjson"
    _, errors, code = Traced(("echoes", "4"), "--record", str(record), "--no-judge", preexec_fn=close).say(b"{}\n")
    assert "Traceback" not in errors
    assert code == 4
    assert len(lines(record)) <= 2


def test_pipes_that_the_editor_does_not_wait_at_lose_nothing() -> None:
    def share() -> None:
        os.set_blocking(0, False)
        os.set_blocking(1, False)

    said = b"z" * 500_000 + b"\n"
    out, errors, code = Traced(("echoes",), "--record", "/dev/null/none", preexec_fn=share, bufsize=0).say(said)
    assert (len(out), code) == (len(said), 0), errors


def test_a_burst_of_frames_is_kept_whole_and_in_order(tmp_path: Path) -> None:
    record = tmp_path / "t.ndjson"
    said = b"".join(b'{"n":%d}\n' % n for n in range(20_000))
    out, _, _ = Traced(("echoes",), "--record", str(record), "--no-judge").say(said)
    assert out == said
    asked = [line["msg"]["n"] for line in lines(record) if line["dir"] == "client-to-agent"]
    assert asked == list(range(20_000))


def test_an_agent_that_crashes_in_a_frame_leaves_a_record_of_all_that_it_said(tmp_path: Path) -> None:
    record = tmp_path / "t.ndjson"
    crash = 'import os; os.write(1, b\'{"a":1}\\n{"b":2}\\n{"half\'); os.abort()'
    _, _, code = Traced((), "--record", str(record), "--no-judge", agent=(sys.executable, "-c", crash)).say(b"")
    assert code == 128 + signal.SIGABRT
    assert [line.get("msg", line.get("raw")) for line in lines(record)] == [{"a": 1}, {"b": 2}, '{"half']


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"])
def test_each_signal_that_an_editor_may_send_reaches_the_agent(name: str) -> None:
    says = (
        f"import signal, os; signal.signal(signal.{name}, lambda *_: os._exit(9)); os.write(1, b'up'); signal.pause()"
    )
    traced = Traced((), "--record", "/dev/null/none", agent=(sys.executable, "-c", says), start_new_session=True)
    assert traced.process.stdout is not None
    assert traced.process.stdout.read(2) == b"up"
    traced.process.send_signal(getattr(signal, name))
    assert traced.say(b"")[2] == 9


def test_who_has_no_home_gets_the_agent_without_a_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert proxy._recorder(None, None) is None  # pyright: ignore[reportPrivateUsage]
    assert "not recording: cannot find a home folder: choose a file with --record" in capsys.readouterr().err


@pytest.mark.parametrize("what", ["fifo", "folder", "device"])
def test_only_a_file_is_attached_to(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from codegen.cli.main import main

    path = {"fifo": tmp_path / "fifo", "folder": tmp_path, "device": Path("/dev/zero")}[what]
    if what == "fifo":
        os.mkfifo(path)
    assert main(["trace", "--attach", str(path)]) == 2
    assert capsys.readouterr().err == f"{path}: error: is not a file; expected a recording\n"


def test_what_is_no_transcript_is_said_to_be_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from codegen.cli.main import main

    path = tmp_path / "t.ndjson"
    path.write_bytes(
        b"\x00\xff\n[]\n" + b'{"t":NaN,"dir":"x","msg":{"id":%s}}\n' % (b"[" * 800 + b"]" * 800) + b'{"half'
    )
    assert main(["trace", "--attach", str(path)]) in (1, 2)
    assert "Traceback" not in "".join(capsys.readouterr())


def test_a_record_that_grows_by_halves_of_lines_is_shown_by_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.ndjson"
    line = b'{"t":1.0,"dir":"client-to-agent","msg":{"jsonrpc":"2.0","method":"x/y"}}\n'
    with path.open("wb", buffering=0) as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        attached = [sys.executable, "-c", START, "trace", "--attach", str(path)]
        watching = subprocess.Popen(attached, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert watching.stdout is not None
        file.write(line + line[:30])
        assert watching.stdout.readline() == b"     1.000 -> x/y\n"
        path.unlink()
        file.write(line[30:])
    shown, errors = watching.communicate()
    assert shown.startswith(b"     1.000 -> x/y\n") or b"     1.000 -> x/y\n" in shown
    assert errors == b""


def test_two_that_are_begun_in_one_second_under_one_number_both_have_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("acp_tools.trace.proxy.time.strftime", lambda _: "20260101-000000")
    recorders = [proxy._recorder(None, None) for _ in range(2)]  # pyright: ignore[reportPrivateUsage]
    assert len({recorder.path for recorder in recorders if recorder is not None}) == 2
    for recorder in recorders:
        assert recorder is not None
        recorder.start()
        recorder.finish()


def test_secrets_are_recorded_where_that_is_asked_for(tmp_path: Path) -> None:
    record = tmp_path / "t.ndjson"
    Traced(("echoes",), "--record", str(record), "--no-judge", "--no-mask").say(b'{"token":"hush"}\n')
    assert [line["msg"] for line in lines(record)] == [{"token": "hush"}] * 2


def test_an_agent_that_reads_no_more_and_an_editor_that_reads_no_more_end_as_without_us(tmp_path: Path) -> None:
    deaf = "import os, time; os.close(0); os.write(1, b'up\\n'); time.sleep(0.3); os.write(1, b'on\\n'); os._exit(7)"
    record = tmp_path / "t.ndjson"
    traced = Traced((), "--record", str(record), "--no-judge", agent=(sys.executable, "-c", deaf))
    assert traced.process.stdout is not None
    assert traced.process.stdout.readline() == b"up\n"
    traced.process.stdout.close()
    assert traced.process.wait() == 7
    assert traced.process.stderr is not None
    assert traced.process.stderr.read() == b""
    assert [line["raw"] for line in lines(record)] == ["up", "on"]
    for stream in (traced.process.stdin, traced.process.stderr):
        assert stream is not None
        stream.close()
