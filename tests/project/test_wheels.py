"""The second wheel: the modules of generated/ as a package of their own, on every Python that is here."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest

from tests.project.test_ranges import installed, pythons
from tests.vendor.conftest import ROOT, run

PROJECT = ROOT / "wheels" / "package"
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
TOOL = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

AGENT = """\
import asyncio
import acp_generated as acp


class Echo(acp.Agent):
    async def new_session(self, params):
        return acp.NewSessionResponse(session_id="sess_1")

    async def prompt(self, params):
        for block in params.prompt:
            await self.client.session_update(session_id=params.session_id, update=acp.AgentMessageChunk(content=block))
        return acp.PromptResponse(stop_reason="end_turn")


asyncio.run(acp.run_agent(Echo()))
"""
CLIENT = """\
import asyncio
import sys
import acp_generated as acp


class Printer(acp.Client):
    async def session_update(self, params):
        print(params.update.content.text)


async def main():
    async with acp.spawn_agent(Printer(), sys.executable, "agent.py") as agent:
        await agent.initialize()
        session = await agent.new_session(cwd="/", mcp_servers=[])
        response = await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="hello")])
        print(response.stop_reason)


asyncio.run(main())
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the package."""
    folder = tmp_path_factory.mktemp("package")
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, PROJECT, cwd=folder)
    (found,) = folder.glob("*.whl")
    return found


def converse(programs: Path, folder: Path) -> None:
    """An agent and a client, both on the installed package."""
    (folder / "agent.py").write_text(AGENT)
    (folder / "client.py").write_text(CLIENT)
    assert run(programs / "python", "client.py", cwd=folder).split() == ["hello", "end_turn"]


def test_both_wheels_ask_for_the_same_msgspec_and_the_same_pythons() -> None:
    one, other = TOOL["project"], SETTINGS["project"]
    assert set(other["dependencies"]) <= set(one["dependencies"])
    assert one["requires-python"] == other["requires-python"]
    assert one["urls"] == other["urls"]


@pytest.mark.environment
def test_its_version_is_the_protocols_and_the_tools(package: Path) -> None:
    schema = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    number = f"{schema['x-handshake']['versionNumber']}.{TOOL['project']['version']}"
    assert package.name == f"acp_generated-{number}-py3-none-any.whl"


@pytest.mark.environment
@pytest.mark.parametrize("python", pythons(), ids=lambda python: python.name)
def test_an_agent_and_a_client_talk_with_it_on_every_python(package: Path, tmp_path: Path, python: Path) -> None:
    programs = installed(python, tmp_path / "env", package)
    converse(programs, tmp_path)
    text = "import acp_generated as a, pathlib; print(pathlib.Path(a.__file__).parent)"
    folder = Path(run(programs / "python", "-c", text, cwd=tmp_path).strip())
    ours = {p.relative_to(ROOT / "generated"): p.read_bytes() for p in (ROOT / "generated").rglob("*") if p.is_file()}
    assert {path: (folder / path).read_bytes() for path in ours if path.suffix != ".pyc"} == {
        path: data for path, data in ours.items() if path.suffix != ".pyc"
    }


@pytest.mark.environment
def test_the_oldest_msgspec_serves(package: Path, tmp_path: Path) -> None:
    oldest = next((python for python in pythons() if python.name == "python3.11"), None)
    if oldest is None:
        pytest.skip("there is no Python 3.11 here")
    converse(installed(oldest, tmp_path / "env", package, "msgspec==0.18.0"), tmp_path)
