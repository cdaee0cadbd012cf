"""Standard output and standard error: all printing goes through here, each text through the escaper of its sink."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from ..escape import SINKS, line, terminal

_LONGEST = 2000


def begin() -> None:
    """Make standard output UTF-8, wherever it goes, as a schema is."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str) -> None:
    """Print one line, whatever is in it."""
    put(line(text, _LONGEST) + "\n")


def put(text: str, sink: str = "text") -> None:
    """Print a text of one or more lines in the form that its sink reads, see `escape.SINKS`."""
    print(SINKS[sink](text), end="")


def flush() -> None:
    """Write what is waiting; raises OSError where nobody takes it."""
    print(end="", flush=True)


def note(text: str) -> None:
    """Print one line for people on standard error, whatever is in it."""
    note_lines(line(text, _LONGEST) + "\n")


def note_lines(text: str) -> None:
    """Print lines for people on standard error."""
    if sys.stderr is not None:  # where the caller has closed it
        print(terminal(text), end="", file=sys.stderr)


def progress(text: str) -> None:
    """Show what is being done, until the next call, if somebody is looking."""
    if _is_watched():
        print(f"\r\x1b[K{terminal(line(text))} ...", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    """Remove what `progress` shows."""
    if _is_watched():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colour() -> bool:
    """Whether standard output shows colours."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def give_up_output() -> None:
    """Let nothing more be written to standard output, not even what is left in the buffer when Python ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Parser(argparse.ArgumentParser):
    """Arguments are somebody's text as well: names of files that a shell has found, for instance."""

    def error(self, message: str) -> NoReturn:
        """End the run with what is wrong with the arguments."""
        super().error(terminal(line(message, _LONGEST)))


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
