"""Agents to be killed, forked from a process that has imported them: starting Python would take most of the time.

Everything else is real: the process, its standard streams, the file, the signal. Run as a program it forks an agent
for each message on its stdin, a socket: the descriptors of two streams and the path of a store. It answers with the
number of the process, and once more when that has ended.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

ROOT = Path(__file__).parents[3]


class Forks:
    """The other end of such a program."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control

    def start(self, stdin: socket.socket, stdout: socket.socket, store: str) -> int:
        """Fork an agent: its process number."""
        socket.send_fds(self._control, [store.encode()], [stdin.fileno(), stdout.fileno()])
        return int(self._control.recv(64))

    def wait(self) -> None:
        """Wait for the end of the agent."""
        self._control.recv(64)


@contextlib.contextmanager
def forks() -> Generator[Forks, None, None]:
    """A program that forks agents, one at a time."""
    ours, theirs = socket.socketpair()
    with ours, theirs, subprocess.Popen([sys.executable, __file__], cwd=ROOT, stdin=theirs) as program:
        yield Forks(ours)
        ours.close()
        program.kill()


def serve() -> None:
    from examples.acp import models  # noqa: F401
    from examples.session_agent import __main__ as program

    control = socket.socket(fileno=os.dup(0))
    while True:
        path, streams, _, _ = socket.recv_fds(control, 4096, 2)
        if not path:
            return
        pid = os.fork()
        if pid == 0:
            control.close()
            for descriptor, stream in enumerate(streams):
                os.dup2(stream, descriptor)
                os.close(stream)
            sys.argv = ["session_agent", "--store", path.decode(), "--pace", "0"]
            sys.exit(program.main())
        for stream in streams:
            os.close(stream)
        control.send(str(pid).encode())
        os.waitpid(pid, 0)
        control.send(b"ended")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    serve()
