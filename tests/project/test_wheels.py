"""The second wheel: the modules of generated/ as a package of their own, on every Python that is here."""

from __future__ import annotations

import json
import runpy
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.codegen.vendor.conftest import ROOT, run
from tests.project.test_ranges import SUPPORTED, found, installed

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
    (wheel,) = folder.glob("*.whl")
    return wheel


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
@pytest.mark.parametrize("python", SUPPORTED)
def test_an_agent_and_a_client_talk_with_it_on_every_python(package: Path, tmp_path: Path, python: str) -> None:
    programs = installed(found(python), tmp_path / "env", package)
    converse(programs, tmp_path)
    text = "import acp_generated as a, pathlib; print(pathlib.Path(a.__file__).parent)"
    folder = Path(run(programs / "python", "-c", text, cwd=tmp_path).strip())
    ours = {p.relative_to(ROOT / "generated"): p.read_bytes() for p in (ROOT / "generated").rglob("*") if p.is_file()}
    assert {path: (folder / path).read_bytes() for path in ours if path.suffix != ".pyc"} == {
        path: data for path, data in ours.items() if path.suffix != ".pyc"
    }


@pytest.mark.environment
def test_the_oldest_msgspec_serves(package: Path, tmp_path: Path) -> None:
    converse(installed(found("python3.11"), tmp_path / "env", package, "msgspec==0.18.4"), tmp_path)


# --- networking ----------------------------------------------------------------------------------------------------------

REMOTE = ROOT / "wheels" / "remote"


def test_everything_that_asks_for_networking_asks_for_the_releases_of_its_interface() -> None:
    from packaging.requirements import Requirement

    import acp_remote
    from generated.transports import INTERFACE_VERSION, Runtime

    version = runpy.run_path(str(REMOTE / "hatch_build.py"))["version"]()
    asking = [
        SETTINGS["project"]["optional-dependencies"]["remote"],
        TOOL["project"]["optional-dependencies"]["remote"],
    ]
    assert asking == [[Runtime.requirement]] * 2
    assert version in Requirement(Runtime.requirement).specifier, "this commit's own wheel is among them"
    assert acp_remote.INTERFACE_VERSION == INTERFACE_VERSION
    own = tomllib.loads((REMOTE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert own["name"] == Requirement(Runtime.requirement).name
    assert own["requires-python"] == TOOL["project"]["requires-python"]


@pytest.mark.environment
def test_the_wheel_of_networking_holds_its_folder(tmp_path: Path) -> None:
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, REMOTE, cwd=tmp_path)
    (wheel,) = tmp_path.glob("acp_remote-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    ours = {p.relative_to(ROOT).as_posix(): p.read_bytes() for p in (ROOT / "acp_remote").iterdir() if p.is_file()}
    assert held == {**ours, "acp_remote/LICENSE": (ROOT / "LICENSE").read_bytes()}
    assert "acp_remote/py.typed" in held
