"""Eager tasks (Python 3.12), and uvloop: nothing in a connection depends on when tasks begin, or on the event loop."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from peers import ROOT, connected

from generated import AgentMessageChunk, PromptRequest, PromptResponse, TextContent
from tests.runtime.connection.test_connection import Collects, Opens

NEEDED = (
    "pytest",
    "pytest-timeout",
    "psycopg[binary]",
    "pytest-xdist",
    "hypothesis",
    "mcp",
    "opentelemetry-api",
    "opentelemetry-sdk",
    "pydantic",
    "fastapi",
    "httpx",
    "jsonschema-rs",
)


class Streams(Opens):
    """Tells of its turn before it ends it."""

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        update = AgentMessageChunk(content=TextContent(text="hello"))
        await self.client.session_update(session_id=params.session_id, update=update)
        await asyncio.sleep(0)
        return PromptResponse(stop_reason="end_turn")


async def converse() -> list[str]:
    client = Collects()
    async with connected(Streams(), client) as connection:
        session = (await connection.new_session(cwd="/", mcp_servers=[])).session_id
        await connection.prompt(session_id=session, prompt=[])
    return client.texts


async def test_a_connection_makes_no_task_with_the_factory_of_the_program() -> None:
    made: list[object] = []

    def factory(loop: Any, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
        made.append(coroutine)
        return asyncio.Task(coroutine, loop=loop, **options)

    asyncio.get_running_loop().set_task_factory(factory)
    assert await converse() == ["hello"]
    assert made == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="there are no eager tasks before Python 3.12")
async def test_a_turn_ends_under_eager_tasks() -> None:
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    assert await asyncio.create_task(converse()) == ["hello"]


def found(name: str) -> str:
    """A Python of this machine, on the path or beside this one; skips the test where there is none."""
    beside = Path(sys.base_prefix).parent.glob(f"*/bin/{name}")
    for candidate in (*filter(None, [shutil.which(name)]), *map(str, beside)):
        # What is on the path may be a stand-in that starts nothing.
        if subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    pytest.skip(f"there is no {name} here")


@pytest.mark.environment
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", ["python3.12", "python3.13", "python3.14"])
def test_all_of_this_suite_passes_in_later_pythons_with_eager_tasks_and_without(name: str, tmp_path: Path) -> None:
    python = found(name)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = [*project["dependencies"], *project["optional-dependencies"]["check"]]
    subprocess.run([python, "-m", "venv", "--without-pip", tmp_path], check=True, timeout=60)
    own = tmp_path / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check", "--python", own]
    subprocess.run([*pip, "install", "-c", ROOT / "constraints.txt", *NEEDED, *needs], check=True, timeout=300)
    for eager in ("", "1"):
        command = [own, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "-m", "not environment"]
        environment = {**os.environ, "EAGER_TASKS": eager}
        options: dict[str, Any] = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True}
        done = subprocess.run(
            [*command, "tests/runtime"],
            check=False,
            timeout=500,
            **options,
        )
        assert done.returncode == 0, f"eager: {eager!r}\n{done.stdout[-5000:]}{done.stderr[-2000:]}"
        assert re.search(r"\d{3} passed", done.stdout)


CORE = [
    f"tests/runtime/{name}"
    for name in "codec connection entrypoints jsonrpc reconnect scenarios schema session stores transport".split()
]
# httpx leaves a generator to the event loop, which ends it later there.
LEFT = "--deselect=tests/remote/test_backend.py::test_a_body_ends_at_the_limit[httpx]"


@pytest.mark.environment
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no uvloop")
@pytest.mark.parametrize("suite", [CORE, ["tests/remote"]], ids=["core", "network"])
def test_the_core_and_every_transport_pass_under_uvloop(suite: list[str]) -> None:
    # uvloop warns of transports whose end it has not seen when a loop is closed.
    flags = ["-q", "-n", "2", "-p", "no:cacheprovider", "-m", "not environment", "-W", "ignore::ResourceWarning", LEFT]
    environment = {**os.environ, "EVENT_LOOP": "uvloop"}
    command = [sys.executable, "-m", "pytest", *flags, *suite]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-5000:]}{done.stderr[-2000:]}"
    assert re.search(r"\d{3} passed", done.stdout)
