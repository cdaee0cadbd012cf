"""`--untrusted` under attack: what a document could make the reading process do if it took it over."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sampling import exhaustive

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="--untrusted needs fork"),
    pytest.mark.timeout(120),
]

ROOT = Path(__file__).resolve().parents[3]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="seccomp and Landlock are Linux's")
APPLIED = (
    "untrusted: no sockets, no changes of files, 2048 MiB of memory, 8 MiB of stack, 22 s of processor time, 120 s\n"
)

ATTACK = """
import ctypes, os, shutil, signal, socket, subprocess, sys, tempfile, time
from codegen.cli.commands import Command
from codegen.cli.main import run_program
def attack():
    exec(sys.argv[1])
sys.exit(run_program(Command("attack", callback=attack, foreign=True), "attack", sys.argv[2:]))
"""
"""A command whose documents have taken it over: it runs what its first argument says."""


def attacked(*arguments: str, cwd: Path, program: str = ATTACK, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program with arguments in a folder."""
    command = [sys.executable, "-c", program, *arguments]
    paths = os.environ | {"PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(command, cwd=cwd, env=paths, capture_output=True, text=True, check=False)


SOCKETS = {
    "internet": "socket.socket(socket.AF_INET)",
    "datagrams": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "a Unix socket": "socket.socket(socket.AF_UNIX)",
    "packets": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "a program it starts": "subprocess.run([sys.executable, '-c', 'import socket; socket.socket()'], check=True)",
    "a queue of requests": "ctypes.CDLL(None, use_errno=True).syscall(425, 8, bytes(120)) != -1 or 1 / 0",
}
WRITES = {
    "a new file": "open('new', 'w')",
    "an old file": "open('old', 'a')",
    "emptied": "os.truncate('old', 0)",
    "removed": "os.remove('old')",
    "moved": "os.rename('old', 'older')",
    "a link": "os.symlink('old', 'new')",
    "a folder": "os.mkdir('new')",
    "a folder removed": "os.rmdir('empty')",
    "a program it starts": "subprocess.run('echo > new', shell=True, check=True)",
    "elsewhere": "open(os.path.expanduser('~/.acp-untrusted-test'), 'w')",
}


@LINUX
@pytest.mark.parametrize("code", [*SOCKETS.values(), *WRITES.values()], ids=[*SOCKETS, *WRITES])
def test_what_is_forbidden_fails(code: str, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    (tmp_path / "empty").mkdir()
    ran = attacked(code, "--untrusted", cwd=tmp_path)
    assert (ran.returncode, ran.stderr.startswith(APPLIED)) == (2, True), ran.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "old"]
    assert (tmp_path / "old").read_text() == "old"


def test_a_temporary_file_is_allowed_and_does_not_stay(tmp_path: Path) -> None:
    ran = attacked("print(tempfile.NamedTemporaryFile(delete=False).name)", "--untrusted", cwd=tmp_path)
    assert (ran.returncode, "untrusted" in ran.stdout, Path(ran.stdout.strip()).parent.exists()) == (0, True, False)


def test_what_was_printed_before_an_error_is_shown(tmp_path: Path) -> None:
    ran = attacked("print('first'); open('missing')", "--untrusted", cwd=tmp_path, PYTHONUNBUFFERED="")
    assert (ran.returncode, ran.stdout, "missing: error: failed" in ran.stderr) == (2, "first\n", True)


ENDLESS = {
    "memory": ("x = [bytes(1 << 28) for _ in range(16)]", {}, "need more memory than --untrusted allows"),
    "work": ("while True: pass", {"seconds": "1"}, "more than 1 seconds of work (limit `seconds`"),
    "work that catches all": (
        "while True:\n try:\n  while True: pass\n except BaseException: pass",
        {"seconds": "1"},
        "more than 1 seconds of work (limit `seconds`",
    ),
    "sleep": ("time.sleep(1000)", {"elapsed": "1"}, "more than 1 seconds from start to end (limit `elapsed`"),
    "a program that sleeps": (
        "subprocess.run(['sleep', '1000'])",
        {"elapsed": "1"},
        "more than 1 seconds from start to end (limit `elapsed`",
    ),
    "sleep without a clock": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()); time.sleep(1000)",
        {"elapsed": "1"},
        "error: more than 1 seconds from start to end (limit `elapsed`",
    ),
    "work without a clock": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass",
        {"seconds": "1"},
        "killed by SIGKILL",
    ),
    "a crash": ("os.kill(os.getpid(), signal.SIGSEGV)", {}, "killed by SIGSEGV"),
}


@LINUX
@pytest.mark.parametrize(
    "name", exhaustive(ENDLESS, stay=("memory", "work", "a program that sleeps", "sleep without a clock", "a crash"))
)
def test_what_takes_too_much_ends_in_one_line(name: str, tmp_path: Path) -> None:
    code, limits, words = ENDLESS[name]
    setting = " ".join(f"{limit}={number}" for limit, number in limits.items())
    ran = attacked(code, "--untrusted", cwd=tmp_path, ACP_CODEGEN_LIMITS=setting)
    assert (ran.returncode, ran.stderr.count("\n"), words in ran.stderr) == (2, 2, True), ran.stderr


def test_the_stack_is_small_wherever_it_runs(tmp_path: Path) -> None:
    code = "import resource; print(resource.getrlimit(resource.RLIMIT_STACK))"
    huge = f"import resource; resource.setrlimit(resource.RLIMIT_STACK, (1 << 26, 1 << 26))\n{ATTACK}"
    ran = attacked(code, "--untrusted", cwd=tmp_path, program=huge)
    assert ran.stdout == f"({8 << 20}, {8 << 20})\n"


@LINUX
def test_nothing_that_it_started_outlives_it(tmp_path: Path) -> None:
    code = "print(subprocess.Popen(['sleep', '1000']).pid, flush=True)"
    ran = attacked(code, "--untrusted", cwd=tmp_path)
    state = Path(f"/proc/{int(ran.stdout)}/stat")
    assert not state.exists() or state.read_text().split(") ")[1][0] == "Z"


def test_without_the_option_nothing_is_restricted(tmp_path: Path) -> None:
    ran = attacked("socket.socket(); open('new', 'w')", cwd=tmp_path)
    assert (ran.returncode, ran.stderr, (tmp_path / "new").exists()) == (0, "", True)


# --- the commands ----------------------------------------------------------------------------------------------------

WATCHED = """
import os, socket, sys
tried = []
def hook(event, arguments):
    if event == "open" and str(arguments[0]).endswith(sys.argv[1]) and not tried:
        tried.append(1)
        for attempt in (lambda: socket.socket(), lambda: open("written", "w")):
            try:
                attempt()
            except PermissionError:
                tried.append(2)
        os.write(2, f"attacked: {tried[1:]}\\n".encode())
from codegen.cli.main import main
sys.addaudithook(hook)
code = main(sys.argv[2:])
sys.exit(code)
"""
"""Runs a command, and attacks where it opens a document."""
COMMANDS = {
    "check": ("schema.json", ["check", "--no-compare"]),
    "diff": ("schema.json", ["diff", "schema.json", "schema.json"]),
    "validate": ("m.json", ["validate", "m.json"]),
    "docs": ("schema.json", ["docs", "--out", "made/site"]),
    "migrate": ("p.py", ["migrate", "p.py"]),
    "import-extension": ("vendor.json", ["import-extension", "vendor.json"]),
    "changelog": ("schema.json", ["changelog", "schema.json", "schema.json"]),
    "generate": ("schema.json", ["generate", "--bare", "--out", "made/package"]),
    "generate --check": ("schema.json", ["generate", "--bare", "--check", "--out", "package"]),
}


@LINUX
@pytest.mark.parametrize("name", exhaustive(COMMANDS, stay=("check", "generate")))
def test_every_command_reads_documents_in_there(name: str, tmp_path: Path) -> None:
    document, command = COMMANDS[name]
    node = {"type": "object", "description": "A.", "x-method": "_acme/tell", "x-side": "agent", "x-capability": False}
    text = json.dumps({"$defs": {"TellNotification": node}})
    for file, content in {"schema.json": text, "vendor.json": text, "m.json": "{}", "p.py": "import acp\n"}.items():
        (tmp_path / file).write_text(content)

    ran = attacked(document, *command, "--untrusted", cwd=tmp_path, program=WATCHED)
    assert APPLIED in ran.stderr
    assert "attacked: [2, 2]\n" in ran.stderr
    assert not (tmp_path / "written").exists()
    made = sorted(path.name for path in tmp_path.glob("made/*/*"))
    assert bool(made) == ("made" in command[-1])
    if made:
        shutil.rmtree(tmp_path / "made")
    plain = attacked(document, *command, cwd=tmp_path, program=WATCHED)
    assert (ran.returncode, ran.stdout) == (plain.returncode, plain.stdout)
    assert made == sorted(path.name for path in tmp_path.glob("made/*/*"))
    assert "attacked: []\n" in plain.stderr


def test_a_folder_that_is_not_filled_does_not_stay(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text("{")
    ran = attacked("", "docs", "--untrusted", "--out", "a/b", cwd=tmp_path, program=WATCHED)
    assert (ran.returncode, "schema.json:1:2: error: " in ran.stderr, (tmp_path / "a").exists()) == (2, True, False)


@LINUX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_what_ends_the_parent_ends_both(number: signal.Signals, tmp_path: Path) -> None:
    code = "print(os.getpid(), flush=True); time.sleep(1000)"
    with subprocess.Popen(
        [sys.executable, "-c", ATTACK, code, "--untrusted"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.send_signal(number)
        assert process.stdout.read() == ""  # the end of a pipe that both had
        told = "interrupted; nothing was changed" in process.stderr.read()
        assert (process.wait(), told) == ((2, True) if number == signal.SIGINT else (-number, False))


@pytest.mark.parametrize("command", [["check", "--fix"], ["migrate", "--write", "p.py"]])
def test_what_changes_documents_is_not_for_untrusted_ones(command: list[str], tmp_path: Path) -> None:
    ran = attacked("", *command, "--untrusted", cwd=tmp_path, program=WATCHED)
    assert (ran.returncode, f"{command[1]} and --untrusted cannot be combined" in ran.stderr) == (2, True)
