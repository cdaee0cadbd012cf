"""Five differently structured projects, vendored with an earlier commit of this tool, are upgraded: the plan, the package, the program."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from .conftest import ROOT

pytestmark = pytest.mark.environment
EARLIER = "5c41ca5d"
PARTS = ("codegen", "templates", "generated", "schema.json", "names.lock.json", "acp_codegen.py")
LAYOUTS = {
    "src": ("src", "app.acp"),
    "flat": (".", "app.acp"),
    "namespace": (".", "company.product.acp"),  # no `__init__` above the package
    "django": ("mysite", "assistant.acp"),
    "monorepo": ("services/agent/src", "agent_service.protocol.acp"),
}
PROGRAM = """\
import asyncio, sys

from {parent} import acp


class Echo(acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="sess_1")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.session.say("echo")
        return acp.PromptResponse(stop_reason="end_turn")


class Printer(acp.Client):
    async def session_update(self, params: acp.SessionNotification) -> None:
        print(params.update.content.text)


async def main() -> None:
    async with acp.spawn_agent(Printer(), sys.executable, __file__, "agent", inherit_env=True) as agent:
        await agent.initialize()
        async with agent.session(cwd="/") as session:
            print((await session.prompt("hello")).stop_reason)


asyncio.run(acp.run_agent(Echo()) if sys.argv[1:] else main())
"""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tool as the earlier commit has it."""
    ran = subprocess.run(["git", "archive", EARLIER, *PARTS], cwd=ROOT, capture_output=True, check=False)
    if ran.returncode != 0:
        pytest.skip(f"this clone has no commit {EARLIER}: {ran.stderr.decode().strip()}")
    folder = tmp_path_factory.mktemp("earlier")
    with tarfile.open(fileobj=io.BytesIO(ran.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def run(tool: Path, project: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    ran = subprocess.run(
        command, cwd=project, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(tool), "PATH": ""}
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_project_is_upgraded_and_its_program_runs_before_and_after(
    tmp_path: Path, earlier: Path, layout: str
) -> None:
    root, package = LAYOUTS[layout]
    dest = Path(root, *package.split("."))
    program = tmp_path / dest.parent / "program.py"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM.format(parent=package.rpartition(".")[0]))
    run(earlier, tmp_path, "-m", "codegen", "vendor", str(dest))
    home = (tmp_path / root).resolve()
    assert run(home, tmp_path, str(program)).split() == ["echo", "end_turn"]

    plan = run(ROOT, tmp_path, "-m", "codegen", "vendor", str(dest), "--plan").splitlines()
    assert plan[0] == f"{dest}: another version of the tool wrote the package"
    assert any(" would be written, " in line for line in plan)
    assert all(len(line) <= 400 and "Traceback" not in line for line in plan), plan
    assert [line for line in plan if "program.py" in line] == [], "nothing that the program uses has changed"

    run(ROOT, tmp_path, "-m", "codegen", "vendor", str(dest))
    assert run(ROOT, tmp_path, "-m", "codegen", "vendor", str(dest), "--check") == f"{dest} is up to date\n"
    assert run(home, tmp_path, str(program)).split() == ["echo", "end_turn"]
