"""Arguments and exit codes: 0 all went well, 1 the agent failed or cannot do it, 2 wrong usage, 130 interrupted."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import os
import signal
import sys
from collections.abc import Callable, Generator, Sequence

from examples.acp import Transcript

from .browser import Browser
from .export import document
from .start import connect
from .text import clean
from .troubles import LoginNeeded, Trouble, trouble_with

__all__ = ["main"]

NAME = "session-browser"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; its exit code."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if not given.command[0]:
        parser.error("COMMAND is empty")
    if not given.json and not (sys.stdin.isatty() and sys.stdout.isatty()):
        parser.error("the screen needs a terminal; --json lists the sessions without one")
    if not given.json and importlib.util.find_spec("textual") is None:
        parser.error("the screen needs Textual (`pip install '.[examples]'`); --json lists the sessions without it")
    try:
        return asyncio.run(_run(given))
    except Trouble as trouble:
        _complain(str(trouble))
    except BrokenPipeError:
        # Whoever read the list has enough of it. Python would complain once more when it flushes at its end.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m examples.{NAME.replace('-', '_')}",
        usage="%(prog)s [OPTIONS] -- COMMAND ...",
        description="Browse the sessions of any ACP agent in the terminal.",
        epilog="COMMAND starts the agent, which speaks ACP on its standard streams.",
    )
    parser.add_argument("command", nargs="+", metavar="COMMAND", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print all sessions as one JSON document, show no screen")
    parser.add_argument("--cwd", metavar="DIR", type=os.path.abspath, help="only the sessions of this directory")
    parser.add_argument("--login", metavar="METHOD", help="log in by this method of the agent's first")
    parser.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=60.0, help="for an answer (default: 60)")
    parser.add_argument(
        "--undo", metavar="SECONDS", type=_seconds, default=8.0, help="before a deletion is sent (default: 8)"
    )
    parser.add_argument("--transcript", metavar="FILE", help="write every message to a file, one JSON line each")
    return parser


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (value := float(text)) <= 86_400:
            return value
    raise argparse.ArgumentTypeError(f"a number between 0 and 86400, not {text!r}")


async def _run(given: argparse.Namespace) -> int:
    with contextlib.ExitStack() as stack:
        transcript = None
        if given.transcript:
            try:
                transcript = stack.enter_context(Transcript(given.transcript))
            except OSError as error:
                raise trouble_with(given.transcript, error) from error
        if not given.json:
            print(f"starting {clean(given.command[0])} ...", file=sys.stderr, flush=True)
        async with connect(given.command, patience=given.timeout, undo=given.undo, on_frame=transcript) as browser:
            browser.directory = given.cwd
            if given.login:
                await browser.login(given.login)
            await (_list(browser) if given.json else _show(browser))
        died = [browser.dead, *browser.last_words()] if browser.dead and not given.json else []
        for line in (*died, *browser.failures):
            _complain(line)
        return 1 if died or browser.failures else 0


async def _list(browser: Browser) -> None:
    try:
        listing = await browser.everything()
    except LoginNeeded as trouble:
        methods = " or ".join(f"--login {method.id}" for method in browser.auth_methods) or "it offers no way to do so"
        raise Trouble(f"{trouble}: {clean(methods)}") from trouble
    print(document(listing), flush=True)


async def _show(browser: Browser) -> None:
    # Only here: listing works without Textual.
    from .screens.app import BrowserApp  # noqa: PLC0415

    app = BrowserApp(browser)

    def leave() -> None:
        browser.abandon("the program was told to end")
        app.exit()

    with _leaving_when_told(leave):
        await app.run_async()


@contextlib.contextmanager
def _leaving_when_told(leave: Callable[[], object]) -> Generator[None]:
    """Whoever ends the program gets the terminal back as it was."""
    loop = asyncio.get_running_loop()
    numbers = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    with contextlib.ExitStack() as stack:
        for number in numbers:
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, leave)
                stack.callback(loop.remove_signal_handler, number)
        yield


def _complain(text: str) -> None:
    for line in text.splitlines():
        print(f"{NAME}: {line}", file=sys.stderr)
