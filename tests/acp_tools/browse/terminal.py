"""A pseudo-terminal with a program in it, and an emulator that shows what its user would see."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

ROOT = Path(__file__).resolve().parents[3]
KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "down": "\x1b[B",
    "up": "\x1b[A",
    "end": "\x1b[F",
    "ctrl+c": "\x03",
    "f2": "\x1bOQ",
}


class Terminal:
    """Runs a command until it ends, or the block does."""

    def __init__(self, command: Sequence[str], rows: int = 24, columns: int = 80) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        """All that the program wrote."""
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (rows, columns))
        # The size is what the terminal says, not what the shell around the tests had.
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        environment = {**inherited, "TERM": "xterm-256color", "LANG": "C.UTF-8", "TEXTUAL_ANIMATIONS": "none"}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)

    @property
    def lines(self) -> list[str]:
        """The screen."""
        return self._screen.display

    def press(self, *keys: str) -> None:
        """Press keys, or type text."""
        for key in keys:
            os.write(self._master, KEYS.get(key, key).encode())

    def resize(self, rows: int, columns: int) -> None:
        """Give the window another size, once the program has drawn what it had to."""
        while self._read(0.2):
            pass
        self._screen.resize(rows, columns)
        termios.tcsetwinsize(self._master, (rows, columns))
        self.process.send_signal(signal.SIGWINCH)  # what the kernel sends to a controlling terminal's programs

    def until(self, what: str | Callable[[list[str]], bool], seconds: float = 120) -> None:
        """Wait until the screen shows something."""
        deadline = time.monotonic() + seconds
        while not (any(what in line for line in self.lines) if isinstance(what, str) else what(self.lines)):
            if not self._read(deadline - time.monotonic()):
                raise AssertionError(f"never came: {what}, but this:\n" + "\n".join(self.lines))

    def play(self, *steps: str | list[str] | Callable[[list[str]], bool]) -> None:
        """Take one step after the other: what the screen shows is waited for, a list of keys is pressed."""
        for step in steps:
            if isinstance(step, list):
                self.press(*step)
            else:
                self.until(step)

    def end(self) -> int:
        """Wait for the end of the program; its exit code."""
        while self._read(120):
            pass
        return self.process.wait()

    def hang_up(self) -> None:
        """Close the window."""
        os.close(self._master)
        self._master = os.open(os.devnull, os.O_RDWR)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(seconds, 0))
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has ended
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._master)
