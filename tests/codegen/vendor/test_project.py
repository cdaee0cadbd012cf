"""From the wheel to a running agent: vendored into a new project with the sandboxagent extension, checked, and run."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from .conftest import ROOT, run

pytestmark = pytest.mark.environment

EXTENSION = ROOT / "examples" / "extensions" / "sandboxagent.json"
DEST = Path("app") / "acp"


@pytest.fixture(scope="module")
def project(tool: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project: a package `app` with the vendored one in it, an agent and a client."""
    project = tmp_path_factory.mktemp("project")
    (project / "app").mkdir()
    (project / "app" / "__init__.py").touch()
    shutil.copy(EXTENSION, project / "sandboxagent.json")
    run(tool, "vendor", DEST, "--extend", "sandboxagent.json", "--with", "client,networking", cwd=project)
    for name in ("agent.py", "client.py", "network.py"):
        shutil.copy(Path(__file__).with_name("project") / name, project / name)
    return project


def test_nothing_but_the_package_is_written(project: Path) -> None:
    written = {path.relative_to(project).parts[0] for path in project.rglob("*")}
    assert written == {"app", "sandboxagent.json", "agent.py", "client.py", "network.py"}
    assert {path.name for path in (project / "app").iterdir()} == {"__init__.py", "acp"}


def test_the_directory_alone_is_enough_to_check_it(tool: Path, project: Path, tmp_path: Path) -> None:
    assert run(tool, "vendor", project / DEST, "--check", cwd=tmp_path).endswith("is up to date\n")


def test_the_agent_and_the_client_run_with_msgspec_alone(user_python: Path, project: Path) -> None:
    found = json.loads(run(user_python, "client.py", cwd=project, env={"PYTHONPATH": str(project)}))
    answer = {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"}
    assert found == {
        "offered": {"_meta": {"sandboxagent": {"terminate": True}}},
        "answers": [answer, answer],
        "ended": [
            {
                "sessionId": "sess_1",
                "reason": "terminated",
                "terminatedBy": "daemon",
                "exitCode": 0,
                "stderr": {"head": "bye\n", "truncated": False, "totalLines": 1},
            }
        ],
        "head": "bye\n",
        "refused": "_meta.sandboxagent.terminate",
        "answered": -32601,
    }


def test_networking_that_is_not_installed_is_named(user_python: Path, project: Path) -> None:
    said = run(user_python, "network.py", cwd=project, env={"PYTHONPATH": str(project)})
    assert said == "HTTP and WebSocket need the distribution acp-remote: pip install acp-remote\n" * 4


def test_mypy_finds_nothing_in_strict_mode(user_python: Path, project: Path) -> None:
    pytest.importorskip("mypy")
    options = ("--strict", "--cache-dir", os.devnull, "--python-executable", user_python)
    run(sys.executable, "-m", "mypy", *options, ".", cwd=project)


def test_pyright_finds_nothing_in_strict_mode(user_python: Path, project: Path) -> None:
    if importlib.util.find_spec("pyright") is None or shutil.which("node") is None:
        pytest.skip("pyright or node is not here")
    config = {"typeCheckingMode": "strict", "include": ["."]}
    (project / "pyrightconfig.json").write_text(json.dumps(config))
    try:
        run(sys.executable, "-m", "pyright", "--pythonpath", user_python, cwd=project)
    finally:
        (project / "pyrightconfig.json").unlink()
