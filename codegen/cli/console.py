"""Standard output and standard error. All printing goes through this module, which escapes each text for its sink."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Generator

from ..escape import SINKS, line, terminal

_LONGEST = 2000
_SLOW = 2
"""Seconds after which a command shows progress."""

_doing = ""
_shown = False


def begin() -> None:
    """Set standard output to UTF-8, the encoding of schemas."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def say(text: str) -> None:
    """Print one line, escaped."""
    put(line(text, _LONGEST) + "\n")


def put(text: str, sink: str = "text") -> None:
    """Print a text for a sink, see `escape.SINKS`."""
    clear_progress()
    print(SINKS[sink](text), end="")


def flush() -> None:
    """Write buffered output. Raises OSError if nobody reads it."""
    print(end="", flush=True)


def note(text: str) -> None:
    """Print one escaped line on standard error."""
    note_lines(line(text, _LONGEST) + "\n")


def note_lines(text: str) -> None:
    """Print lines on standard error."""
    clear_progress()
    if sys.stderr is not None:  # where the caller has closed it
        shown = terminal(text)
        if _is_watched() and _allows_colour():
            shown = shown.replace("error: ", "\x1b[1;31merror:\x1b[0m ", 1).replace(
                "warning: ", "\x1b[33mwarning:\x1b[0m ", 1
            )
        print(shown, end="", file=sys.stderr)


def progress(text: str) -> None:
    """Show progress until the next output, in a terminal."""
    global _doing, _shown  # noqa: PLW0603  # there is one terminal
    _doing = text
    if _is_watched():
        _shown = True
        print(f"\r\x1b[K{terminal(line(text))} ...", end="", file=sys.stderr, flush=True)


def clear_progress() -> None:
    """Remove the progress line."""
    global _doing, _shown  # there is one terminal
    if _shown:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    _doing, _shown = "", False


@contextlib.contextmanager
def ticking(name: str) -> Generator[None]:
    """Show the name and elapsed seconds of a slow command, in a terminal."""
    if not _is_watched():
        yield
        return
    done = threading.Event()

    def tick() -> None:
        seconds = _SLOW
        while not done.wait(1 if seconds > _SLOW else _SLOW):
            progress(f"{_doing.partition(' (')[0] or name} ({seconds} s)")
            seconds += 1

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        clear_progress()


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colour() -> bool:
    """Return whether standard output supports colours."""
    return is_terminal() and _allows_colour()


def _allows_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def give_up_output() -> None:
    """Discard all further standard output, including the buffer at the end of Python."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
