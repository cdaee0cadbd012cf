"""What the directory of a session cannot do to the process of that session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .test_termination import with_processes
from .wire import ROOT

NAMES = ("msgspec", "asyncio", "json", "sitecustomize", "usercustomize", "examples", "typing_extensions")
"""Modules that the process of a session, or Python itself on its way there, imports."""


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A project whose modules leave a trace when they are run."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r})\n")
    return tmp_path


@pytest.mark.parametrize("search", [None, "", os.pathsep, ".", "PROJECT", "PROJECT" + os.pathsep + str(ROOT)])
async def test_no_module_of_the_project_is_run_when_its_session_is_opened(
    trap: Path, monkeypatch: pytest.MonkeyPatch, search: str | None
) -> None:
    if search is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONPATH", search.replace("PROJECT", str(trap)))
    monkeypatch.setenv("PYTHONUSERBASE", str(trap))
    async with with_processes() as home, home.connected() as wire:
        assert await wire.prompt(await wire.new(str(trap))) == "end_turn"
    assert not (trap / "ran").exists()


async def test_the_process_works_in_the_directory_of_its_session_and_with_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("OF_THE_USER", "yes")
    async with with_processes() as home, home.connected() as wire:
        session = await wire.new(str(tmp_path))
        ((_, held),) = home.host.sessions.items()
        pid = held.brain._process.pid  # type: ignore[attr-defined]
        assert os.readlink(f"/proc/{pid}/cwd") == str(tmp_path)
        environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        assert b"OF_THE_USER=yes" in environment
        assert b"PYTHONPATH=/somewhere" in environment, "what the model starts finds what the user set"
        assert session
