# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A child process: its standard streams, its end, and the processes that it leaves behind.

It is ended in steps: its stdin is closed; after a grace period it is terminated; after another one it is killed. If it leads
a process session, the processes that it started are ended with it.
"""

from __future__ import annotations

import asyncio
import asyncio.subprocess
import contextlib
import logging
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from typing import IO, Any, cast

from ..errors import ConnectionClosed
from ..tasks import start
from .stdio import read_little

logger = logging.getLogger(__name__)

StderrHook = Callable[[bytes], object]

_WINDOWS = os.name == "nt"
_KILL: int = signal.SIGTERM if _WINDOWS else signal.SIGKILL
_BUFFER = 1 << 18
_UNSAFE = '"%!^&|<>\r\n'
"""What cmd.exe, which runs scripts, does not leave as it is in an argument, whatever is put around it."""
_LAST_WORDS = 0.5
"""Seconds between the end of a process and the end of its output; a child of its may hold the pipe open for longer."""


class _ExitProtocol(asyncio.subprocess.SubprocessStreamProtocol):
    """Tells of the exit itself: asyncio's wait() may wait for the pipes as well, which a grandchild can hold open."""

    def __init__(self) -> None:
        super().__init__(limit=_BUFFER, loop=asyncio.get_running_loop())
        self.exited = asyncio.Event()
        self.deaf: Callable[[], None] = lambda: None
        """Called when it has closed its stdin, or we have."""
        self._stdin: int | None = None
        """A copy of the descriptor of its stdin, where the event loop does not watch the other end."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        pipe = cast("asyncio.SubprocessTransport", transport).get_pipe_transport(0)
        # asyncio watches its pipe; uvloop has a socket, and notices its end at the next write.
        if pipe is not None and (stdin := pipe.get_extra_info("socket")) is not None:
            self._stdin = os.dup(stdin.fileno())
            asyncio.get_running_loop().add_reader(self._stdin, self._stdin_lost)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        super().pipe_connection_lost(fd, exc)
        if fd == 0:
            self._stdin_lost()

    def _stdin_lost(self) -> None:
        stdin, self._stdin = self._stdin, None
        if stdin is not None:
            asyncio.get_running_loop().remove_reader(stdin)
            os.close(stdin)
        self.deaf()

    def process_exited(self) -> None:
        super().process_exited()
        self.exited.set()


class _OutputProtocol(asyncio.StreamReaderProtocol):
    """Hands the output of a process to its reader at once; asyncio's own way to it takes a turn of the event loop."""

    def __init__(self, reader: asyncio.StreamReader, usual: asyncio.BaseProtocol) -> None:
        super().__init__(reader)
        self._usual = usual

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._usual.connection_lost(exc)


class Child:
    """A process that was started. It is a connection's input: its output, up to the error that says how it ended."""

    def __init__(
        self,
        name: str,
        transport: asyncio.SubprocessTransport,
        protocol: _ExitProtocol,
        hook: StderrHook | None,
        leads: bool,
    ) -> None:
        process = asyncio.subprocess.Process(transport, protocol, asyncio.get_running_loop())
        assert process.stdin is not None and process.stdout is not None
        self.stdin = process.stdin
        self._stdout = process.stdout
        if isinstance(pipe := transport.get_pipe_transport(1), asyncio.ReadTransport):
            pipe.set_protocol(_OutputProtocol(process.stdout, pipe.get_protocol()))
            read_little(pipe)
        self._name = name
        self._transport = transport
        self._exited = protocol.exited
        self._protocol = protocol
        self._reads = 0
        self._reading = False
        self._leads = leads
        """Whether it leads a process group, of which some may be there yet."""
        self._watchers = [start(self._watch_exit())]
        if hook is not None and process.stderr is not None:
            self._watchers.append(start(_pump(process.stderr, hook)))

    @property
    def pid(self) -> int:
        """Its number."""
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """The exit code, the negative number of the signal that ended it, or None while it runs."""
        return self._transport.get_returncode()

    def terminate(self) -> None:
        """Ask it to end, by SIGTERM, and what it started where it leads a session; nothing, if it has ended."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once, and what it started where it leads a session; nothing, if it has ended."""
        self._send(_KILL)

    def _send(self, number: int) -> None:
        """Send a signal; Windows has none, there it ends at once, with what it started where that is possible."""
        if self._exited.is_set() or (_WINDOWS and _end_tree(self.pid)):
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._leads:
                os.killpg(self.pid, number)
            else:
                self._transport.send_signal(number)

    def when_deaf(self, told: Callable[[], None], /) -> None:
        self._protocol.deaf = told

    async def read(self, n: int, /) -> bytes:
        self._reads += 1
        self._reading = True
        try:
            data = await self._stdout.read(n)
        finally:
            self._reading = False
        if data:
            return data
        await self._exits_within(_LAST_WORDS)
        raise ConnectionClosed(self._epitaph())

    async def end(self, grace: float) -> None:
        """End the process: close its stdin, terminate it, kill it, each but the first only if it has to be."""
        # It may have more to say than its pipe holds: an output that nobody reads would keep it from ending.
        self._watchers.append(start(_pump(self._stdout, _drop)))
        try:
            for stop in (self.stdin.close, self.terminate, self.kill):
                if not self._exited.is_set():
                    stop()
                    await self._exits_within(grace)
            self._kill_others()
            await asyncio.wait(self._watchers, timeout=_LAST_WORDS)
        finally:
            for watcher in self._watchers:
                watcher.cancel()
            # Kills what still runs, when the wait was cut short.
            self._transport.close()
            self._kill_others()

    def _kill_others(self) -> None:
        """Kill what the process has started and left behind. Not later: its number may soon be another's."""
        if self._leads:
            self._leads = False
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, _KILL)

    async def _exits_within(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._exited.wait()

    async def _watch_exit(self) -> None:
        """After the end of the process, end its output once nothing more has come for a while."""
        await self._exited.wait()
        pipe = self._transport.get_pipe_transport(1)
        while pipe is not None and not pipe.is_closing():
            reads = self._reads
            await asyncio.sleep(_LAST_WORDS)
            if self._reading and self._reads == reads:
                pipe.close()
        self._kill_others()

    def _epitaph(self) -> str:
        code = self._transport.get_returncode()
        if code is None:
            return f"{self._name} closed its output"
        if code < 0:
            return f"{self._name} was ended by {_signal(-code)}"
        # Windows has codes of 32 bits for its own ends, which are known by their hexadecimal form.
        return f"{self._name} exited with code {code if code < 1 << 31 else hex(code)}"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # one of those for real time, which have no names
        return f"signal {number}"


def _drop(_: bytes) -> None:
    pass


def _end_tree(pid: int) -> bool:
    """End a process and what it has started, on Windows, where scripts are run by a process of their own. False where that is not possible."""
    quiet = subprocess.DEVNULL
    try:
        command = ("taskkill", "/T", "/F", "/PID", str(pid))
        subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603  # the system's own
    except OSError:
        return False
    return True


def _found(program: str, arguments: list[str], path: str | None) -> str:
    """The full name of a program on Windows, which starts scripts, such as those of npm, only by that. ValueError for unsafe arguments."""
    import shutil  # noqa: PLC0415  # costs more than all of this module, and no agent needs it

    found = shutil.which(program, path=path) or program
    if found.lower().endswith((".bat", ".cmd")):
        for argument in arguments:
            if any(character in argument for character in _UNSAFE):
                raise ValueError(
                    f"{program} is a script, and Windows would change its argument {argument!r}: start the program that it starts, "
                    f"or pass no {' '.join(_UNSAFE.strip())}"
                )
    return found


async def start_child(
    command: tuple[str, ...],
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str],
    stderr: int | IO[Any] | StderrHook | None,
    start_new_session: bool,
) -> Child:
    """Start a command. Raises OSError where there is none of that name, or it cannot be started."""
    program, *arguments = command
    if _WINDOWS:
        program = _found(program, arguments, env.get("PATH"))
    hook, target = (stderr, subprocess.PIPE) if callable(stderr) else (None, stderr)
    loop = asyncio.get_running_loop()
    try:
        transport, protocol = await loop.subprocess_exec(
            _ExitProtocol,
            program,
            *arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=target,
            cwd=cwd,
            env=env,
            start_new_session=start_new_session,
            preexec_fn=None if isinstance(loop, asyncio.BaseEventLoop) else _close_the_rest,
        )
    except NotImplementedError:
        raise RuntimeError(
            f"{type(loop).__name__} cannot start processes: on Windows, leave asyncio its own event loop, the ProactorEventLoop"
        ) from None
    leads = start_new_session and not _WINDOWS
    return Child(os.path.basename(program), transport, protocol, hook, leads)


def _close_the_rest() -> None:
    """Have a new process close all but its standard streams.

    uvloop leaves it a second copy of each, so the other end would not notice that the process closes one.
    """
    for name in os.listdir("/dev/fd"):
        if int(name) > 2:
            with contextlib.suppress(OSError):  # the folder itself
                os.set_inheritable(int(name), False)


async def _pump(source: asyncio.StreamReader, sink: StderrHook) -> None:
    while piece := await source.read(_BUFFER):
        try:
            sink(piece)
        except Exception:
            # Read on all the same: a process that cannot write does not end.
            logger.exception("the stderr hook failed")
