"""The event loop of `run_server`: uvloop's where it is installed, asyncio's elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from remote_page import ROOT

PROGRAM = """
import asyncio, os, signal, sys
sys.path[:0] = {path}
if {without}:
    sys.modules["uvloop"] = None
import generated as acp
from remote_agents import Agent

def ready(url):
    print(type(asyncio.get_running_loop()).__module__, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

acp.run_server(Agent, {address!r}, on_ready=ready)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no uvloop")
@pytest.mark.parametrize("address", ["http://127.0.0.1:0", "tcp://127.0.0.1:0"])
@pytest.mark.parametrize(("without", "loop"), [(False, "uvloop"), (True, "asyncio")])
def test_a_server_runs_on_uvloop_where_it_is_installed(address: str, without: bool, loop: str) -> None:
    path = [str(ROOT), str(Path(__file__).parent)]
    program = PROGRAM.format(path=path, without=without, address=address)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False
    )
    assert (done.stdout.split(".")[0].strip(), done.stderr, done.returncode) == (loop, "", 0)
