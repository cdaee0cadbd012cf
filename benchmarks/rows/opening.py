"""Openers that the tables of rows are made of."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from ..environments import python
from ..model import Opener, Probe, Setting
from ..workers import PEERS, clean_environment, workers

PROGRAMS = {"ours": ("ours", "ours"), "sdk": ("sdk", "sdk"), "sdk-pre": ("sdk-pre", "sdk"), "orjson": ("ours", "raw")}
"""Peer to (environment, program)."""
PROGRAMS |= {"raw loop": PROGRAMS["orjson"], "msgspec": PROGRAMS["ours"], "ours, unchecked": ("ours", "unchecked")}
PROGRAMS |= {"ours, remote": ("remote", "ours_remote"), "sdk-pre, remote": ("sdk-remote", "sdk_remote")}
PROGRAMS |= {"bare ASGI echo": ("remote", "raw_remote")}

_BATCH = 0.04
"""Seconds that a sample of something short lasts, so that the clock and a single interruption count for little."""


def ordered(peer: str, do: str, **arguments: object) -> Opener:
    """A long-lived worker does something."""

    def open_(setting: Setting) -> Probe:
        worker = setting.worker(*PROGRAMS[peer])
        return lambda: worker(do, **arguments)

    return open_


def calibrated(peer: str, do: str, **arguments: object) -> Opener:
    """As `ordered`, as often in a row as makes a batch."""

    def open_(setting: Setting) -> Probe:
        worker = setting.worker(*PROGRAMS[peer])
        count = max(1, round(_BATCH / worker(do, count=10, **arguments)))
        return lambda: worker(do, count=count, **arguments)

    return open_


def fresh(peer: str, do: str, **arguments: object) -> Opener:
    """As `ordered`, in a new process each time."""

    def open_(setting: Setting) -> Probe:
        environment, program = PROGRAMS[peer]

        def probe() -> float:
            with workers(setting.root, setting.environments) as worker:
                return worker(environment, program)(do, **arguments)

        return probe

    return open_


def first_line(environment: str, *arguments: str, said: bytes = b"") -> Opener:
    """Seconds from the start of Python with these arguments to the first line it prints, given something on stdin."""

    def open_(setting: Setting) -> Probe:
        command = [python(setting.environments / environment), *(a.format(peers=PEERS) for a in arguments)]
        variables = clean_environment(setting.root)

        def probe() -> float:
            start = time.perf_counter()
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables, cwd=setting.scratch
            ) as process:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(said)
                process.stdin.flush()
                line = process.stdout.readline()
                taken = time.perf_counter() - start
                process.kill()
            assert line, command
            return taken

        return probe

    return open_


Ready = Callable[[], tuple[list[str], Path]]
"""Makes ready for one run of a program: (command, folder)."""


def timed(prepare: Callable[[Setting], Ready], codes: tuple[int, ...] = (0,)) -> Opener:
    """Seconds that a program runs; ended with another code it has failed."""

    def open_(setting: Setting) -> Probe:
        variables = clean_environment(setting.root)
        ready = prepare(setting)

        def probe() -> float:
            command, folder = ready()
            start = time.perf_counter()
            done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, check=False)
            taken = time.perf_counter() - start
            if done.returncode not in codes:
                raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
            return taken

        return probe

    return open_
