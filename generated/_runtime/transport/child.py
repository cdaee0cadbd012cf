# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A child process: its standard streams, its end, and the processes that it leaves behind.

Ending it takes up to three steps: close its stdin, terminate it after a grace period, and kill it after another. If it
leads a process session, all processes of that session end with it.
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
"""Characters that cmd.exe, which runs scripts, interprets in any argument, even in quotes."""
_LAST_WORDS = 0.5
"""Seconds between the end of a process and the end of its output. A grandchild may hold the pipe open for longer."""


class _ExitProtocol(asyncio.subprocess.SubprocessStreamProtocol):
    """Reports the exit itself. asyncio's wait() may also wait for the pipes, which a grandchild can hold open."""

    def __init__(self) -> None:
        super().__init__(limit=_BUFFER, loop=asyncio.get_running_loop())
        self.exited = asyncio.Event()
        self.deaf: Callable[[], None] = lambda: None
        """Called when the process, or this side, has closed its stdin."""
        self._stdin: int | None = None
        """A copy of its stdin's descriptor, if the event loop does not watch the other end."""

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
    """Passes the output of a process directly to its reader, one loop iteration earlier than asyncio."""

    def __init__(self, reader: asyncio.StreamReader, usual: asyncio.BaseProtocol) -> None:
        super().__init__(reader)
        self._usual = usual

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._usual.connection_lost(exc)


class Child:
    """A child process as the input of a connection: its output, ended by the error that describes its exit."""

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
        """True if it leads a process group, whose members may still run."""
        self._watchers = [start(self._watch_exit())]
        if hook is not None and process.stderr is not None:
            self._watchers.append(start(_pump(process.stderr, hook)))

    @property
    def pid(self) -> int:
        """The process id."""
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """The exit code, the negative number of the signal that ended it, or None while it runs."""
        return self._transport.get_returncode()

    def terminate(self) -> None:
        """Terminate the process with SIGTERM, and its process session if it leads one. Does nothing after its end."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process, and its process session if it leads one. Does nothing after its end."""
        self._send(_KILL)

    def _send(self, number: int) -> None:
        """Send a signal. Windows has no signals: there the process ends immediately, with its descendants if
        possible.
        """
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
        """End the process: close its stdin, then terminate and kill it if necessary."""
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
        """Kill the processes that it left behind. This must happen immediately, because its id may be reused."""
        if self._leads:
            self._leads = False
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, _KILL)

    async def _exits_within(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._exited.wait()

    async def _watch_exit(self) -> None:
        """End its output when nothing has arrived for a while after its exit."""
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
            return f"{self._name} was killed by {_signal(-code)}"
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
    """End a process and its descendants on Windows, where a separate process runs scripts. Returns False if that
    fails.
    """
    quiet = subprocess.DEVNULL
    try:
        command = ("taskkill", "/T", "/F", "/PID", str(pid))
        subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603  # the system's own
    except OSError:
        return False
    return True


def _found(program: str, arguments: list[str], path: str | None) -> str:
    """The full name of a program on Windows, which npm's scripts require. Raises ValueError for unsafe arguments."""
    import shutil  # noqa: PLC0415  # costs more than all of this module, and no agent needs it

    found = shutil.which(program, path=path) or program
    if found.lower().endswith((".bat", ".cmd")):
        for argument in arguments:
            if any(character in argument for character in _UNSAFE):
                raise ValueError(
                    f"{program} is a script, and Windows would change its argument {argument!r}: start its program "
                    f"directly, or avoid {' '.join(_UNSAFE.strip())}"
                )
    return found


async def start_child(
    command: tuple[str, ...],
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str],
    stderr: int | IO[Any] | StderrHook | None,
    start_new_session: bool,
) -> Child:
    """Start a command. Raises OSError if it does not exist or cannot be started."""
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
            f"{type(loop).__name__} cannot start processes: on Windows, use asyncio's default event loop, "
            "ProactorEventLoop"
        ) from None
    leads = start_new_session and not _WINDOWS
    return Child(os.path.basename(program), transport, protocol, hook, leads)


def _close_the_rest() -> None:
    """Close all descriptors of a new process except its standard streams.

    uvloop gives it a second copy of each, which would hide that the process closes one.
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
