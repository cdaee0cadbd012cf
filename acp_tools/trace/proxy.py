"""A recording proxy between an editor and an agent. The agent is started with this process's streams as its own.

Pumps copy the bytes of both directions unchanged and immediately, and report the frames in them. A pump waits only for its
two pipes. It reports frames before it passes the bytes on, so that a request is reported before its response. The
receiver of these reports must not wait and must not raise.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from ..codegen_api import console
from .recorder import Recorder, default_folder
from .redaction import masked

_NICE = "/usr/bin/nice"
DIRECTIONS = ("client-to-agent", "agent-to-client")
_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)
_QUIET = 0.5
"""Seconds without output after which an ended agent counts as finished, even if another process holds its stdout."""


def trace(
    command: Sequence[str], file: Path | None, findings: Path | None, *, mask: bool, judge: Sequence[str] | None
) -> int:
    """Relay until the agent ends, and return its exit code, or 127 if it does not start. `judge`: options of the
    validator; None to disable it.
    """
    _fill_streams()
    recorder = _recorder(file, masked if mask else None)
    try:
        agent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        console.note(f"error: cannot start the agent: {command[0]}: {reason}")
        if recorder is not None:
            recorder.path.unlink(missing_ok=True)
        return 127
    assert agent.stdin is not None
    assert agent.stdout is not None
    tell: list[Callable[[bytes], None]] = [lambda _: None] * 2
    if recorder is not None:
        tell = [recorder.teller(direction) for direction in DIRECTIONS]
    # Copies, so that every end has one owner, who closes it.
    asks = Pump(os.dup(0), os.dup(agent.stdin.fileno()), tell[0])
    answers = Pump(os.dup(agent.stdout.fileno()), os.dup(1), tell[1])
    for stream in (agent.stdin, agent.stdout):
        stream.close()
    _give_up_streams()
    _pass_signals_on(agent)
    for thread in (asks, answers, *([recorder] if recorder is not None else [])):
        thread.start()
    if recorder is not None and judge is not None and recorder.held:
        _judge(recorder.path, findings or recorder.path.with_suffix(".findings"), judge)
    code = agent.wait()
    for number in _SIGNALS:  # nobody is left to take them
        signal.signal(number, signal.SIG_DFL)
    moved = -1
    while answers.is_alive() and (answers.behind() or moved != answers.moved):
        moved = answers.moved
        answers.join(_QUIET)
    if recorder is not None:
        recorder.finish()
    return code if code >= 0 else 128 - code


def _recorder(file: Path | None, mask: Callable[[bytes], bytes] | None) -> Recorder | None:
    """The recorder; None if the transcript cannot be created, because the editor still needs its agent."""
    path = file
    if not _has_protocol():
        console.note(
            "acp-codegen trace: not recording, because acp_generated is not installed: pip install 'acp-codegen[trace]'"
        )
        return None
    try:
        path = path or _new_in(default_folder())
        return Recorder(path, mask)
    except FileExistsError:
        console.note(f"acp-codegen trace: not recording: {path} already exists")
    except OSError as error:
        where = f"{path}: " if path is not None else ""
        console.note(f"acp-codegen trace: not recording: {where}{error.strerror}")
    return None


def _has_protocol() -> bool:
    try:
        return find_spec("acp_generated") is not None
    except ValueError:  # it is there and is no module
        return False


def _new_in(folder: Path) -> Path:
    """A unique file name. Containers that share a home may have the same process id in the same second."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    names = (folder / f"{name}{suffix}.ndjson" for suffix in ("", *(f"-{n}" for n in range(2, 100))))
    return next((path for path in names if not path.exists()), folder / f"{name}.ndjson")


def _fill_streams() -> None:
    """Open the null device at closed standard descriptors. Otherwise the next opened file, such as the record, would
    get their numbers.
    """
    while (opened := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(opened, True)
    os.close(opened)


def _give_up_streams() -> None:
    """Leave both pipes to the pumps alone, so that closing them is visible at the other end."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    os.close(nowhere)


def _pass_signals_on(agent: subprocess.Popen[bytes]) -> None:
    def pass_on(number: int, _: object) -> None:
        with contextlib.suppress(OSError):
            agent.send_signal(number)

    for number in _SIGNALS:
        signal.signal(number, pass_on)


def _judge(transcript: Path, findings: Path, options: Sequence[str]) -> None:
    """Start a validator process with low priority. It reads the transcript, writes its findings, and ends after the
    last frame.
    """
    if os.name != "posix":
        return  # nothing tells it there that the transcript has ended; `validate` judges it afterwards
    start = "import sys; from acp_codegen.cli.main import main; sys.exit(main())"
    program = [sys.executable, "-c", start, "trace", "--attach", "--findings-only", *options, str(transcript)]
    try:
        sink = os.open(findings, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        console.note(f"acp-codegen trace: not validating: {findings} already exists")
        return
    except OSError as error:
        console.note(f"acp-codegen trace: not validating: {findings}: {error.strerror}")
        return
    with os.fdopen(sink, "wb") as file:
        try:
            subprocess.Popen(
                [_NICE, *program] if os.access(_NICE, os.X_OK) else program,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,  # an extension that cannot be read is told there
                start_new_session=True,
            )
        except OSError as error:
            console.note(f"acp-codegen trace: not validating: {error.strerror}")


_PIECE = 1 << 16


class Pump(Thread):
    """Copies bytes until the source ends, then closes both ends. ``tell`` gets each piece, and none at the end."""

    def __init__(self, source: int, sink: int, tell: Callable[[bytes], None]) -> None:
        super().__init__(daemon=True)
        self._source, self._sink, self._tell = source, sink, tell
        self.moved = 0
        """Number of bytes copied so far."""
        self.offering = False
        """True if it is about to read, or holds bytes that the sink has not taken yet."""

    def run(self) -> None:
        """Copy bytes until one end closes, then close the other."""
        try:
            while piece := self._read():
                self._tell(piece)
                self._write(piece)
                self.moved += len(piece)
                self.offering = False
        except OSError:
            pass  # the reader or the terminal is gone, so both ends close
        finally:
            self.offering = False
            self._tell(b"")
            for end in (self._sink, self._source):
                with contextlib.suppress(OSError):
                    os.close(end)

    def behind(self) -> bool:
        """Return whether bytes wait at the source or the sink. On a busy machine, the thread may be delayed."""
        if self.offering:
            return True
        try:
            return bool(select.select([self._source], [], [], 0)[0]) or self.offering
        except (OSError, ValueError):  # it has closed both ends
            return False

    def _read(self) -> bytes:
        while True:
            select.select([self._source], [], [])
            self.offering = True  # before they are read: bytes are at the source, or offered
            try:
                return os.read(self._source, _PIECE)
            except BlockingIOError:  # whoever started us shares this pipe, and was faster
                self.offering = False

    def _write(self, piece: bytes) -> None:
        left = memoryview(piece)
        while left:
            try:
                left = left[os.write(self._sink, left) :]
            except BlockingIOError:
                select.select([], [self._sink], [])
