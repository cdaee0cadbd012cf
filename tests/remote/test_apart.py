"""Networking stands apart: it imports no package, nothing imports it but what needs it, and without its folder everything else works."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "acp_remote"
MODULES = {path.stem: path for path in FOLDER.glob("*.py")}
USERS = {"acp_tools/relay/connect.py", "acp_tools/relay/expose.py"}
"""The modules that import it; a generated package does so by `_runtime/remote.py`, when it is used."""

PROGRAM = """\
import asyncio
import sys

import generated as acp


class Agent(acp.Agent):
    def new_session(self, params):
        return acp.NewSessionResponse(session_id="s")

    def prompt(self, params):
        return acp.PromptResponse(stop_reason="end_turn")


async def served(address):
    ready = asyncio.get_running_loop().create_future()
    serving = asyncio.ensure_future(acp.serve(Agent, address, on_ready=ready.set_result))
    async with acp.connect(await ready) as agent:
        await agent.initialize()
        await agent.new_session(cwd="/", mcp_servers=[])
        print((await agent.prompt(session_id="s", prompt=[])).stop_reason)
    serving.cancel()
    await asyncio.wait([serving])


async def refused(use):
    try:
        await use()
    except ImportError as error:
        print(error)


async def connected(url):
    async with acp.connect(url):
        pass


async def mounted():
    acp.asgi(Agent)


async def main():
    await served("tcp://127.0.0.1:0")
    await served("unix:agent.sock")
    async with acp.spawn_agent(acp.Client(), sys.executable, "agent.py") as agent:
        await agent.initialize()
        print("spawned")
    for url in ("http://127.0.0.1:9", "https://127.0.0.1:9", "ws://127.0.0.1:9", "wss://127.0.0.1:9"):
        await refused(lambda: connected(url))
        await refused(lambda: acp.serve(Agent, url))
    await refused(mounted)


if __name__ == "__main__":
    asyncio.run(main())
"""
MISSING = "HTTP and WebSocket need the distribution acp-remote: pip install acp-remote\n"


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports: of its own folder by a dot and their names, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_it_imports_no_package_and_no_part_of_this_project() -> None:
    foreign = {"codegen", "acp_codegen", "generated", "acp_generated", "acp_tools"}
    for path in MODULES.values():
        assert not foreign & {name.partition(".")[0] for name in imports(path)}, path
        assert not [name for name in imports(path) if name.startswith("..")], path


def test_its_modules_import_each_other_one_way() -> None:
    graph = {
        name: {found[1:] for found in imports(path) if re.fullmatch(r"\.\w+", found)}
        for name, path in MODULES.items()
        if name != "__init__"
    }
    order = [*TopologicalSorter(graph).static_order()]  # raises for a cycle
    assert {*order} == {*graph}


def test_its_folder_is_small_and_its_docstring_is_the_map() -> None:
    assert len(MODULES) <= 25
    text = ast.get_docstring(ast.parse(MODULES["__init__"].read_text(encoding="utf-8"))) or ""
    for name, path in MODULES.items():
        assert 60 <= len(path.read_text(encoding="utf-8").splitlines()) <= 500, name
        assert name == "__init__" or re.search(rf"\b{name}\b", text), name


def test_nothing_imports_it_but_the_two_commands() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("codegen", "generated", "acp_tools", "examples", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if any(name.partition(".")[0] == "acp_remote" for name in imports(path))
    }
    assert found == USERS


def test_networking_is_loaded_when_it_is_used() -> None:
    program = (
        "import sys, generated as acp; acp.Agent; acp.Client; acp.serve; acp.connect; acp.asgi;"
        "print(*(name for name in sys.modules if name.startswith(('acp_remote', 'generated._runtime.entrypoints.remote'))))"
    )
    assert _python(ROOT, "-c", program).stdout.split() == []
    program = "import sys, acp_remote; acp_remote.dial; print(*(n for n in ('httptools', 'hypercorn', 'httpx', 'websockets') if n in sys.modules))"
    assert _python(ROOT, "-c", program).stdout.split() == []


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout without the folder, in a place of its own."""
    place = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("codegen", "generated", "templates", "acp_tools"):
        shutil.copytree(ROOT / name, place / name, ignore=ignored)
    shutil.copytree(ROOT / "examples" / "starters", place / "examples" / "starters")
    for name in ("schema.json", "names.lock.json", "acp_codegen.py", "acp_generated.py"):
        shutil.copy(ROOT / name, place)
    (place / "program.py").write_text(PROGRAM)
    (place / "agent.py").write_text("import asyncio, program\nasyncio.run(program.acp.run_agent(program.Agent()))\n")
    return place


def test_without_its_folder_all_else_works_and_what_needs_it_says_what_to_install(copy: Path) -> None:
    ran = _python(copy, "program.py")
    # An address is served, connected to, or mounted: nine uses.
    assert (ran.stdout, ran.stderr) == ("end_turn\nend_turn\nspawned\n" + MISSING * 9, "")


def test_without_its_folder_the_tool_generates_and_checks(copy: Path) -> None:
    ran = _python(copy, "-m", "codegen", "--check")
    assert (ran.returncode, ran.stderr) == (0, ""), ran
    ran = _python(copy, "-m", "codegen", "check", "--no-compare", "--config", str(ROOT / "pyproject.toml"))
    assert (ran.returncode, ran.stdout) == (0, "no findings\n")


def test_without_its_folder_the_two_commands_say_which_extra_to_install(copy: Path) -> None:
    ran = _python(
        copy,
        "-c",
        "from acp_tools.relay.cli import connect; raise SystemExit(connect(standalone_mode=False))",
        "ws://127.0.0.1:9",
    )
    assert ran.returncode == 2
    assert "pip install 'acp-codegen[relay]'" in ran.stderr


def _python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the modules of a folder and the installed ones; the checkout, an editable install, is not among these."""
    paths = [str(folder), sysconfig.get_paths()["purelib"]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
