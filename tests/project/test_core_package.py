"""A vendored package without parts: it serves a turn over pipes, type checkers find nothing in it, and nothing imports a missing part."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from codegen.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
AGENT = """\
import asyncio

from app import acp


class Echo(acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="sess_1")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        chunk = acp.AgentMessageChunk(content=params.prompt[0])
        await self.client.session_update(session_id=params.session_id, update=chunk)
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(Echo()))
"""
CLIENT = """\
import asyncio
import sys

from app import acp


class Printer(acp.Client):
    async def session_update(self, params: acp.SessionNotification) -> None:
        match params.update:
            case acp.AgentMessageChunk(content=acp.TextContent(text=text)):
                print(text)
            case _:
                pass


async def main() -> None:
    async with acp.spawn_agent(Printer(), sys.executable, "-m", "app.agent") as agent:
        await agent.initialize()
        session = await agent.new_session(cwd="/", mcp_servers=[])
        turn = await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="Hello")])
        print(turn.stop_reason)


if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose package has no part, and a client beside it with a package of its own."""
    folder = tmp_path_factory.mktemp("core")
    with chdir(folder):
        assert main(["vendor", "app/acp", "--schema", str(ROOT / "schema.json")]) == 0
        assert main(["vendor", "editor/acp", "--schema", str(ROOT / "schema.json"), "--with", "client"]) == 0
    (folder / "editor" / "__init__.py").touch()
    (folder / "app" / "__init__.py").touch()
    (folder / "app" / "agent.py").write_text(AGENT)
    (folder / "editor" / "client.py").write_text(CLIENT.replace("from app import", "from editor import"))
    return folder


def ran(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def test_it_serves_a_turn_over_pipes(project: Path) -> None:
    done = ran(project, "-m", "editor.client")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Hello\nend_turn\n", "")


def test_everything_that_it_exports_is_there(project: Path) -> None:
    code = "from app import acp\nfor name in [*acp.__all__, *dir(acp)]: getattr(acp, name)\nfrom app.acp import connection, transports"
    done = ran(project, "-W", "error", "-c", code)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_has_no_file_of_a_part_but_those_that_say_so(project: Path) -> None:
    assert sorted(path.name for path in (project / "app/acp/_runtime").iterdir() if path.name != "__pycache__") == [
        *(
            "__init__.py",
            "codec",
            "connection",
            "entrypoints",
            "errors.py",
            "jsonrpc",
            "schema",
            "session",
        ),
        *("tasks.py", "transport"),
    ]


def test_its_import_loads_nothing_slow_of_the_standard_library(project: Path) -> None:
    program = "import sys, app.acp as acp; acp.Agent, acp.SessionNotification; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "app.acp.models" in loaded
    slow = {"pathlib", "urllib.parse", "ipaddress", "inspect", "typing_extensions"}
    bare = subprocess.run(
        [sys.executable, "-c", "import asyncio, msgspec, sys; print(*sys.modules)"],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not slow & loaded - set(bare.stdout.split())


def test_it_is_no_larger_than_agreed(project: Path) -> None:
    modules = [*(project / "app/acp").rglob("*.py")]
    own = [path for path in modules if "_runtime" not in path.parts]
    assert len(modules) <= 58
    assert sum(path.read_bytes().count(b"\n") for path in own) <= 7_400
    assert sum(path.read_bytes().count(b"\n") for path in modules) <= 17_200
    client = [*(project / "editor/acp").rglob("*.py")]
    assert len(client) <= 69
    assert sum(path.read_bytes().count(b"\n") for path in client) <= 20_650


def test_who_uses_pydantic_without_that_part_is_told_so(project: Path) -> None:
    code = "import pydantic\nfrom app import acp\npydantic.TypeAdapter(acp.TextContent)"
    done = ran(project, "-c", code)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: this package was written without the part pydantic; `acp-codegen vendor DEST --with pydantic` adds it"
    )


def test_who_traces_without_that_part_is_told_so(project: Path) -> None:
    code = "from app import acp\nacp.AgentSideConnection(acp.Agent(), *[None] * 2, tracing=True)"
    done = ran(project, "-c", code)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: this package was written without the part tracing; `acp-codegen vendor DEST --with tracing` adds it"
    )


@pytest.mark.environment
def test_mypy_finds_nothing_in_strict_mode(project: Path) -> None:
    pytest.importorskip("mypy")
    done = ran(project, "-m", "mypy", "--strict", "--config-file=", "app")
    assert done.returncode == 0, done.stdout


@pytest.mark.environment
def test_pyright_finds_nothing_in_strict_mode(project: Path) -> None:
    """It looks at what differs from generated/, and at what loads networking; `make lint` has it look at the rest."""
    if importlib.util.find_spec("pyright") is None or shutil.which("node") is None:
        pytest.skip("pyright or node is not here")
    acp = project / "app/acp"
    own = [path for path in acp.rglob("*.py") if text_of(path) != text_of(ROOT / "generated" / path.relative_to(acp))]
    assert acp / "__init__.py" in own
    include = ["app/*.py", "app/acp/_runtime/entrypoints", *(str(path.relative_to(project)) for path in own)]
    config = {"typeCheckingMode": "strict", "include": include, "pythonVersion": "3.11"}
    (project / "pyrightconfig.json").write_text(json.dumps(config))
    done = ran(project, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(project))
    found = json.loads(done.stdout)
    assert (found["summary"]["filesAnalyzed"] > len(own), found["generalDiagnostics"]) == (True, [])


def text_of(path: Path) -> str:
    """A module without the lines that say how it was made."""
    return "".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("# "))
