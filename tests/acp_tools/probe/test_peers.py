"""The official SDKs' agents are probed: what they break is listed with its reason, and nothing else may fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import official_sdks

RunCli = Callable[..., Any]
HERE = Path(__file__).parent
ROOT = HERE.parents[2]
INTEROP = ROOT / "tests" / "runtime" / "interop"
TYPESCRIPT_SDK = "@agentclientprotocol/sdk@2.4.0"
LEVEL = ("--fail-on", "may", "--generated", "2", "--patience", "10", "--bound", "600")


@pytest.mark.environment
def test_the_reference_agent_breaks_nothing(run_cli: RunCli) -> None:
    ran = run_cli("probe", *LEVEL, "--", sys.executable, "-m", "examples.session_agent")
    assert ran.code == 0, ran.out
    assert " 0 fail, " in ran.out


@pytest.mark.environment
def test_an_agent_of_two_handlers_breaks_nothing(run_cli: RunCli) -> None:
    ran = run_cli("probe", *LEVEL, "--", sys.executable, ROOT / "examples" / "echo_agent.py")
    assert ran.code == 0, ran.out
    assert " 0 fail, " in ran.out


@pytest.mark.environment
def test_the_agent_with_every_feature_breaks_nothing(run_cli: RunCli) -> None:
    prompts = [
        argument for text in ("Hello", "/edit a.txt milk", "/run ls", "/survey Who?") for argument in ("--prompt", text)
    ]
    ran = run_cli("probe", *LEVEL, *prompts, "--", sys.executable, ROOT / "examples" / "full_agent.py")
    assert ran.code == 0, ran.out
    assert " 0 fail, " in ran.out


@pytest.mark.environment
def test_the_python_sdks_example_agent(run_cli: RunCli) -> None:
    agent = (official_sdks.python(), official_sdks.examples() / "agent.py")
    ran = run_cli("probe", *LEVEL, "--expected", HERE / "expected-python-sdk.toml", "--", *agent)
    assert ran.code == 0, ran.out + ran.err


@pytest.mark.environment
def test_the_python_sdks_echo_agent(run_cli: RunCli) -> None:
    agent = (official_sdks.python(), official_sdks.examples() / "echo_agent.py")
    ran = run_cli("probe", *LEVEL, "--expected", HERE / "expected-python-sdk-echo.toml", "--", *agent)
    assert ran.code == 0, ran.out + ran.err


@pytest.mark.environment
def test_an_agent_on_the_typescript_sdk(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node is not installed")

    def install(home: Path) -> None:
        home.mkdir(parents=True)
        (home / "package.json").write_text('{"private": true}')
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--save-exact", TYPESCRIPT_SDK]
        subprocess.run(command, cwd=home, check=True)

    monkeypatch.setitem(os.environ, "INTEROP_NODE_DIR", str(official_sdks.cached(TYPESCRIPT_SDK, install)))
    prompts = [argument for text in ("updates", "permission", "files", "wait") for argument in ("--prompt", text)]
    reads = ("--allow-read", os.environ["INTEROP_NODE_DIR"], "--allow-read", ROOT / "examples")
    kept = (*reads, "--keep-env", "INTEROP_NODE_DIR", "--expected", HERE / "expected-typescript-sdk.toml")
    ran = run_cli("probe", *LEVEL, *prompts, *kept, "--", node, INTEROP / "typescript_sdk.mjs", "agent")
    assert ran.code == 0, ran.out + ran.err
