"""docs/remote.md: its programs run, its tables of options are those of the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from remote_page import AGENT, PAGE, PROGRAMS, ROOT

import acp_remote
from generated._runtime.transport.options import DialOptions, EndpointOptions


def rows(heading: str) -> list[str]:
    """The first cells of the table under a heading of its columns."""
    table = PAGE.partition(heading)[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def test_the_tables_have_every_option_and_no_other() -> None:
    assert sorted(rows("| option of `connect` |")) == sorted(DialOptions.__annotations__)
    assert sorted(rows("| option | default |")) == sorted(EndpointOptions.__annotations__)


def test_the_proxy_passes_frames_on(tmp_path: Path) -> None:
    (tmp_path / "generated").symlink_to(ROOT / "generated")
    (tmp_path / "agent.py").write_text(
        AGENT + "\n\nif __name__ == '__main__':\n    import asyncio\n    asyncio.run(acp.run_agent(MyAgent()))\n"
    )
    (tmp_path / "proxy.py").write_text(PROGRAMS["proxy.py"].replace("127.0.0.1:8765", "127.0.0.1:0"))
    (tmp_path / "client.py").write_text(PROGRAMS["client.py"])
    command = [sys.executable, "proxy.py", sys.executable, "agent.py"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        url = serving.stdout.readline().strip()
        ran = subprocess.run(
            [sys.executable, "client.py", url], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        serving.terminate()
        assert (ran.stdout, ran.stderr) == ("You said: Hello\nend_turn\n", "")
        assert serving.wait(60) == 0, "SIGTERM ends it in order"


def test_the_table_of_networking_has_what_it_exports() -> None:
    names = re.findall(r"^\| `(\w+)\(", PAGE.partition("| in `acp_remote` |")[2].partition("\n\n")[0], re.MULTILINE)
    assert {*names} == {"Endpoint", "serve_endpoint", "dial", "ReconnectingTransport"} <= {*acp_remote.__all__}


@pytest.mark.parametrize("scheme", ["http", "ws"])
def test_the_programs_talk_to_each_other(scheme: str, tmp_path: Path) -> None:
    (tmp_path / "generated").symlink_to(ROOT / "generated")
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    server = (
        PROGRAMS["server.py"]
        .replace("127.0.0.1:8765", "127.0.0.1:0")
        .replace('0")', '0", on_ready=lambda url: print(url, flush=True))')
    )
    for name, text in {**PROGRAMS, "server.py": server}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with subprocess.Popen([sys.executable, "server.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        url = serving.stdout.readline().strip().replace("http", scheme, 1)
        ran = subprocess.run(
            [sys.executable, "client.py", url], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        serving.terminate()
        assert (ran.stdout, ran.stderr) == ("You said: Hello\nend_turn\n", "")
        assert serving.wait(60) == 0, "SIGTERM ends it in order"


@pytest.mark.parametrize("scheme", ["http", "ws"])
def test_the_program_for_uvicorn_serves_the_client(scheme: str, tmp_path: Path) -> None:
    (tmp_path / "generated").symlink_to(ROOT / "generated")
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    (tmp_path / "client.py").write_text(PROGRAMS["client.py"], encoding="utf-8")
    (tmp_path / "faster.py").write_text(PROGRAMS["faster.py"].replace("port=8765", "port=0"), encoding="utf-8")
    with subprocess.Popen([sys.executable, "faster.py"], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        (port,) = next(filter(None, (re.findall(r"running on \S+?:(\d+)", line) for line in serving.stderr)))
        url = f"{scheme}://127.0.0.1:{port}/acp"
        ran = subprocess.run(
            [sys.executable, "client.py", url], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        serving.terminate()
        assert (ran.stdout, ran.stderr) == ("You said: Hello\nend_turn\n", "")
        serving.communicate(timeout=60)
