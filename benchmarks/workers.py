"""The peers' programs as long-lived processes that do what they are reported, one at a time."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .environments import python

PEERS = Path(__file__).with_name("peers")


def clean_environment(root: Path) -> dict[str, str]:
    """The environment variables of everything that is timed: what a process needs, and where our package is."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    return kept | {"PYTHONPATH": str(root)}


@contextmanager
def workers(root: Path, environments: Path) -> Iterator[Callable[[str, str], Callable[..., float]]]:
    """A function (environment, program) -> function(do, **arguments); processes start on first use and end with the block."""
    started: dict[tuple[str, str], subprocess.Popen[str]] = {}

    def worker(environment: str, program: str) -> Callable[..., float]:
        key = environment, program
        if key not in started:
            command = [python(environments / environment), str(PEERS / f"{program}.py")]
            pipe = subprocess.PIPE
            # The official SDK starts agents without PYTHONPATH; ours is found because the client passes its own on.
            started[key] = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, text=True, env=clean_environment(root), cwd=root
            )
        process = started[key]

        def order(do: str, **arguments: object) -> float:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            if not answer:
                raise RuntimeError(f"{program} in {environment} died while it did {do} {arguments}")
            return float(json.loads(answer)["result"])

        return order

    try:
        yield worker
    finally:
        for process in started.values():
            process.terminate()
        for process in started.values():
            process.communicate()
