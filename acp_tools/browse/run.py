"""One run of the program, on a screen or as text: its agents, and its transcript (`--transcript`).

If the disk is full, the transcript ends, but the conversation continues.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import select
import signal
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager
from types import SimpleNamespace, TracebackType
from typing import Self

import acp_generated as acp
from acp_generated import Transcript, transports

from .connection import Dial
from .controller import Browser
from .errors import LoginNeeded, Trouble, trouble_with
from .model.export import document
from .model.frames import Tape, read
from .sanitize import clean, one_line
from .validation import OWN, Rules

_PATIENCE = 2.0
"""Seconds for the program to end gracefully after its terminal has closed."""


def run(given: SimpleNamespace, complain: Callable[[str], None]) -> int:
    """Run as the arguments say and return the exit code."""
    try:
        return asyncio.run(_run(given, complain))
    except Trouble as trouble:
        complain(str(trouble))
    except BrokenPipeError:
        # Whoever read the list has enough of it. Python would complain once more when it flushes at its end.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 1


async def _run(given: SimpleNamespace, complain: Callable[[str], None]) -> int:
    if given.open is not None:
        return await _replay(given.open, given.rules)
    async with contextlib.AsyncExitStack() as stack:
        transcript: Recording | None = None
        if given.transcript:
            try:
                transcript = stack.enter_context(Recording(given.transcript))
            except OSError as error:
                raise trouble_with(given.transcript, error) from error
        commands = [given.command, *([given.beside] if given.beside else [])]
        browsers: list[Browser] = []
        async with contextlib.AsyncExitStack() as agents:
            for command in commands:
                if not given.json:
                    print(f"starting {clean(command[0])} ...", file=sys.stderr, flush=True)
                hook = transcript if command is given.command else None
                bearer = os.environ[given.bearer] if given.bearer else None
                agent = connect(
                    command, patience=given.timeout, undo=given.undo, on_frame=hook, bearer=bearer, rules=given.rules
                )
                browser = await agents.enter_async_context(agent)
                browser.directory = given.cwd
                browsers.append(browser)
                if given.login:
                    await browser.login(given.login)
            await (_list(browsers[0]) if given.json else _show(*browsers))
        bad = transcript is not None and bool(transcript.lost)
        if transcript is not None and transcript.lost:
            complain(transcript.lost)
        for browser in browsers:
            died = [browser.dead, *browser.last_words()] if browser.dead and not given.json else []
            for line in (*died, *browser.failures):
                complain(line)
                bad = True
        return 1 if bad else 0


async def _list(browser: Browser) -> None:
    try:
        listing = await browser.everything()
    except LoginNeeded as trouble:
        methods = " or ".join(f"--login {method.id}" for method in browser.auth_methods) or "it offers no login method"
        raise Trouble(f"{trouble}: {clean(methods)}") from trouble
    print(document(listing), flush=True)


async def _replay(path: str, rules: Rules) -> int:
    from .screens.replay import ReplayApp  # noqa: PLC0415

    tape = Tape()
    await asyncio.to_thread(read, path, tape)
    app = ReplayApp(path, tape, rules)
    with _leaving_when_told(app.exit):
        await app.run_async()
    return 0


async def _show(*browsers: Browser) -> None:
    # Only here: listing works without Textual.
    from .screens.app import BrowserApp  # noqa: PLC0415

    app = BrowserApp(*browsers)

    def leave() -> None:
        for browser in browsers:
            browser.abandon("the program was ended by a signal")
        app.exit()

    with _leaving_when_told(leave):
        await app.run_async()


@contextlib.contextmanager
def _leaving_when_told(leave: Callable[[], object]) -> Generator[None]:
    """Restore the terminal if a signal ends the program."""
    _end_with_the_terminal()
    loop = asyncio.get_running_loop()
    numbers = [number for name in ("SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]
    with contextlib.ExitStack() as stack:
        for number in numbers:
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, leave)
                stack.callback(loop.remove_signal_handler, number)
        yield


def _end_with_the_terminal() -> None:
    """End the program if its terminal has closed; a screen would wait for the terminal forever."""
    if not os.isatty(0) or not hasattr(select, "poll"):
        return

    def watch() -> None:
        terminal = select.poll()
        terminal.register(0, 0)  # a hang-up is reported whatever events are asked for
        terminal.poll()
        os.kill(os.getpid(), signal.SIGHUP)
        time.sleep(_PATIENCE)
        os._exit(128 + signal.SIGHUP)

    threading.Thread(target=watch, daemon=True).start()


class Recording:
    """A frame hook that writes to a file. `lost`: the reason of an early end, empty otherwise. Raises OSError if the
    file cannot be created.
    """

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115  # closed at the end; nothing is left to be written then
        self._path, self._write = path, Transcript(self._file)
        self.lost = ""

    def __call__(self, direction: str, frame: bytes) -> None:
        if self.lost:
            return
        try:
            self._write(direction, frame)
        except OSError as error:
            self.lost = f"{self._path}: recording stopped early, the conversation continued: {error.strerror}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


@contextlib.asynccontextmanager
async def connect(
    command: Sequence[str],
    *,
    patience: float,
    undo: float,
    on_frame: acp.connection.FrameHook | None = None,
    bearer: str | None = None,
    rules: Rules = OWN,
) -> AsyncGenerator[Browser, None]:
    """Start an agent or connect to its address. The block ends it and sends pending deletions. Raises Trouble."""
    browser = Browser(one_line(command[0], 80), patience, undo, rules)
    browser.local = not is_address(command)
    if on_frame is not None:
        browser.breakpoints.on_frame.append(on_frame)

    def dial() -> AbstractAsyncContextManager[transports.Transport]:
        if not browser.local:
            return transports.dial(acp.methods.PROTOCOL, command[0], bearer=bearer)
        return transports.process_transport(*command, stderr=browser.log.feed, grace=1.0, inherit_env=True)

    async with attached(browser, dial):
        yield browser


def is_address(command: Sequence[str]) -> bool:
    """Return whether an argument is an address instead of a command."""
    return len(command) == 1 and re.match(r"(?:https?|wss?|tcp)://|unix:", command[0]) is not None


@contextlib.asynccontextmanager
async def attached(browser: Browser, dial: Dial) -> AsyncGenerator[None, None]:
    """Open the connection to an agent. The block closes it and sends pending deletions. Raises Trouble."""
    browser.dial = dial
    greeted = False
    with browser.log:
        try:
            await browser.open_connection()
            greeted = True
            yield
            await browser.leave()
        except Trouble as trouble:
            if greeted and browser.dead is None:
                raise
            raise Trouble("\n".join([str(trouble), *browser.last_words()])) from trouble
        finally:
            await browser.terminals.close()
            await browser.close_connection()
