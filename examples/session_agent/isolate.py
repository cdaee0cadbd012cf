"""Sessions as subprocesses: each open session has a process of its own, which answers its prompts.

The process is an ACP agent too (`worker.py`), and this one is its client: what it shows and asks is passed on to the
real client. It lives in a process group of its own, so that what it starts ends with it.

    close        its stdin is closed; after the grace period SIGTERM, after another one SIGKILL
    terminate    SIGTERM, after the grace period SIGKILL
    our death    closes its stdin

A start that is cancelled or fails leaves no process. Of each end it is known who brought it about: the process, or we.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import deque
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from .. import acp
from .brain import COMPLETED, Ending
from .errors import Died
from .journal import JournalStage
from .relay import Relay
from .stage import META, Task
from .undertakings import to_the_end

__all__ = ["Isolated", "StderrDigest"]

T = TypeVar("T")

HEAD: Final = 20
TAIL: Final = 50
LINE: Final = 2_000
"""Lines of stderr kept from the beginning and the end, and bytes of a line."""

_WORKER: Final = f"{__package__}.worker"
_ROOT: Final = str(Path(__file__).resolve().parents[_WORKER.count(".")])
"""The directory in which the package of the worker is."""
_LIBRARIES: Final = str(Path(msgspec.__file__).absolute().parents[1])
"""The directory in which the one library is that it needs."""
_START: Final = """
import runpy, sys
root, libraries, worker = sys.argv[1:]
if root not in sys.path:
    sys.path.insert(0, root)
if libraries not in sys.path:
    sys.path.append(libraries)
runpy.run_module(worker, run_name="__main__")
"""
"""Runs the worker in an isolated Python. It works in the project's directory, which must not be on its path:
`python -m` puts it there, and so may `PYTHONPATH`. What is in the project is not run because a session is opened.
"""


class StderrDigest:
    """The first and the last lines of what a process writes; memory stays flat however much it is."""

    def __init__(self) -> None:
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque(maxlen=TAIL)
        self._line = bytearray()
        self._lines = 0

    def feed(self, data: bytes) -> None:
        first, *rest = data.split(b"\n")
        self._extend(first)
        for piece in rest:
            self._end_line()
            self._extend(piece)

    def output(self) -> acp.StderrOutput | None:
        """The digest; None of nothing."""
        if self._line:
            self._end_line()
        if not self._lines:
            return None
        if self._lines <= HEAD + TAIL:
            return acp.StderrOutput(truncated=False, head=_text([*self._head, *self._tail]), total_lines=self._lines)
        return acp.StderrOutput(
            truncated=True, head=_text(self._head), tail=_text(list(self._tail)), total_lines=self._lines
        )

    def _extend(self, piece: bytes) -> None:
        self._line += piece[: max(0, LINE - len(self._line))]

    def _end_line(self) -> None:
        (self._head if self._lines < HEAD else self._tail).append(bytes(self._line))
        self._line.clear()
        self._lines += 1


def _text(lines: list[bytes]) -> str:
    return b"\n".join(lines).decode("utf-8", "replace")


class Isolated:
    """A session's process, as what answers its prompts."""

    def __init__(self, session_id: str, process: asyncio.subprocess.Process, grace: float) -> None:
        self._session_id = session_id
        self._process = process
        self._grace = grace
        self._relay = Relay()
        self._connection = acp.ClientSideConnection(
            self._relay, _open(process.stdout), _open(process.stdin), linger=0.2
        )
        self._stderr = StderrDigest()
        self._reader = asyncio.create_task(self._read_stderr(_open(process.stderr)))
        self._expected = False
        self._forced = False
        """Whether it ended, or is about to, by a signal of ours."""

    @classmethod
    async def start(cls, session_id: str, cwd: str, grace: float) -> Isolated:
        """Start the process of a session, in its directory if there is one. Died where it does not come up."""
        spawning = asyncio.create_task(_spawn(cwd))

        async def undo() -> Ending:
            return await cls(session_id, await spawning, grace).terminate(0.0)

        try:
            process = await asyncio.shield(spawning)
        except OSError as error:
            raise Died(f"the session's process did not start: {error.strerror}") from error
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):
                await to_the_end(undo())
            raise
        isolated = cls(session_id, process, grace)
        try:
            await isolated._greet(cwd)
        except BaseException as error:
            ending = await to_the_end(isolated.terminate())
            if isinstance(error, (acp.RequestError, ConnectionError)):
                raise Died(f"the session's process did not start: {ending.stderr and ending.stderr.head}") from error
            raise
        return isolated

    async def _greet(self, cwd: str) -> None:
        await self._connection.__aenter__()
        await self._connection.initialize()
        await self._connection.resume_session(session_id=self._session_id, cwd=cwd)

    async def reply(self, stage: JournalStage, task: Task) -> acp.StopReason:
        broken = self._relay.attach(stage)
        prompt = asyncio.create_task(
            self._connection.prompt(
                session_id=self._session_id,
                prompt=[acp.TextContent(text=task.text)],
                meta={META: msgspec.to_builtins(task)},
            )
        )
        either: tuple[asyncio.Future[Any], ...] = (prompt, broken)
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not prompt.done():
                await self._stop(prompt)
                broken.result()
            return prompt.result().stop_reason
        except asyncio.CancelledError:
            await self._stop(prompt)
            raise
        except acp.ConnectionClosed:
            await self._process.wait()
            raise Died(_epitaph(self._process.returncode)) from None
        finally:
            self._relay.detach()
            prompt.cancel()
            await asyncio.wait([prompt])
            if not prompt.cancelled():
                prompt.exception()

    async def _stop(self, prompt: asyncio.Task[Any]) -> None:
        """Cancel the prompt; a process that does not heed it is killed."""
        with contextlib.suppress(ConnectionError):
            await self._connection.cancel(session_id=self._session_id)
        _, deaf = await asyncio.wait([prompt], timeout=self._grace)
        if deaf:
            self._signal(signal.SIGKILL)

    async def close(self) -> Ending:
        self._expected = True
        await self._connection.close()
        _open(self._process.stdin).close()
        if not await self._exits_within(self._grace):
            return await self.terminate()
        await self._reader
        return self._terminated() if self._forced else COMPLETED

    async def terminate(self, grace: float | None = None) -> Ending:
        self._expected = True
        self._signal(signal.SIGTERM)
        if not await self._exits_within(self._grace if grace is None else grace):
            self._signal(signal.SIGKILL)
            await self._process.wait()
        await self._connection.close()
        await self._reader
        return self._terminated() if self._forced else self._left()

    async def died(self) -> Ending | None:
        await self._process.wait()
        await self._reader
        if self._expected:
            return None
        await self._connection.close()
        return self._left()

    def _terminated(self) -> Ending:
        return Ending("terminated", "daemon", None, self._process.returncode, self._stderr.output())

    def _left(self) -> Ending:
        """How it ended, if not because the session was."""
        code = self._process.returncode
        if self._forced:
            return Ending("error", "daemon", f"it did not heed a cancel: {_epitaph(code)}", code, self._stderr.output())
        return COMPLETED if code == 0 else Ending("error", "agent", _epitaph(code), code, self._stderr.output())

    async def _exits_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
        except TimeoutError:
            return False
        return True

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            self._forced = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    async def _read_stderr(self, stderr: asyncio.StreamReader) -> None:
        while piece := await stderr.read(65_536):
            self._stderr.feed(piece)


def _open(stream: T | None) -> T:
    """A stream of a process that was started with pipes."""
    assert stream is not None
    return stream


async def _spawn(cwd: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-c",
        _START,
        _ROOT,
        _LIBRARIES,
        _WORKER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd if os.path.isdir(cwd) else None,  # noqa: ASYNC240  one look, no read
        start_new_session=True,
    )


def _epitaph(code: int | None) -> str:
    if code is not None and code < 0:
        return f"the session's process was ended by {signal.Signals(-code).name}"
    return f"the session's process exited with code {code}"
