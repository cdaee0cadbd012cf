"""Pictures of the README: commands are run, and what they print becomes an SVG.

`python -m docs.pictures` writes the files beside this module, `python -m docs.pictures DIR` writes them elsewhere.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
WIDTH = 112
FAULTY_AGENT = """
import asyncio
import generated as acp

class Faulty(acp.Agent):
    def __init__(self):
        self.sessions = []

    async def new_session(self, params):
        self.sessions.append(acp.SessionInfo(session_id=f"session-{len(self.sessions)}", cwd=params.cwd))
        return acp.NewSessionResponse(session_id=self.sessions[-1].session_id)

    async def list_sessions(self, params):
        return acp.ListSessionsResponse(sessions=self.sessions)

    async def prompt(self, params):
        return acp.PromptResponse(stop_reason="end_turn")

asyncio.run(acp.run_agent(Faulty()))
"""
FRAME = re.compile(r"^ +\d+:\d+ (->|<-) ")


class Picture(NamedTuple):
    """The commands of a picture. `shown` is printed, `run` is what it stands for."""

    title: str
    commands: Sequence[tuple[str, str]]


PICTURES: Mapping[str, Picture] = {
    "first-minute": Picture(
        "A new agent, and a client that talks to it",
        [
            ("acp-codegen new agent my-agent", "acp-codegen new agent my-agent"),
            ("acp-codegen new client my-client", "acp-codegen new client my-client"),
            ("pip install ./my-agent ./my-client", ""),
            ('my-client "Hello, agent!" -- my-agent', 'python my-client.py "Hello, agent!" -- python my-agent.py'),
        ],
    ),
    "probe": Picture(
        "probe finds what an agent does wrong, and shows the frames",
        [("acp-codegen probe -- python my_agent.py", "acp-codegen probe -- python faulty.py")],
    ),
    "diff": Picture(
        "diff says whom a change of the protocol breaks",
        [("acp-codegen diff v1.json schema.json", "acp-codegen diff v1.json edited/schema.json")],
    ),
}


def _prepare(home: Path) -> None:
    """Write the inputs of the commands: an agent with faults, and a schema with an edit."""
    (home / "faulty.py").write_text(FAULTY_AGENT)
    schema: Any = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    (home / "v1.json").write_text(json.dumps(schema, indent=2))
    answer = schema["$defs"]["NewSessionResponse"]
    answer["properties"]["id"] = answer["properties"].pop("sessionId")
    answer["required"] = ["id"]
    (home / "edited").mkdir()
    (home / "edited" / "schema.json").write_text(json.dumps(schema, indent=2))
    for name in ("my-agent", "my-client"):  # what `pip install` makes of a project, without a network
        module = f"{name.replace('-', '_')}.{name.partition('-')[2]}"
        lines = ("import sys", f"sys.path[:0] = ['{name}/src']", f"from {module} import main", "main()")
        (home / f"{name}.py").write_text("\n".join(lines))


def _output(command: str, home: Path) -> list[str]:
    env = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(shlex.split(command), cwd=home, env=env, capture_output=True, text=True, check=False)  # noqa: S603
    lines = (ran.stdout + ran.stderr).splitlines()
    lines = [line.replace("edited/", "") for line in lines]
    # What was skipped, and directories whose names change with every run, tell a reader nothing.
    lines = [
        re.sub(rf"{tempfile.gettempdir()}/acp-probe-\w+", "~", line) for line in lines if not line.startswith("skipped")
    ]
    return [line[: WIDTH - 1] + "…" if FRAME.match(line) and len(line) > WIDTH else line for line in lines]


def draw(picture: Picture, home: Path) -> str:
    """The SVG of a picture."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for shown, command in picture.commands:
        console.print(Text(f"$ {shown}", "bold"))
        for line in _output(command, home) if command else ():
            style = "red" if line.startswith("FAIL") or ": error[" in line else ""
            console.print(Text(line.rstrip(), style))
    svg = console.export_svg(title=picture.title, unique_id="t")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # a reader's browser asks nobody for a font


def main(out: Path) -> None:
    """Write all pictures into a directory."""
    with tempfile.TemporaryDirectory() as home:
        _prepare(Path(home))
        for name, picture in PICTURES.items():
            (out / f"{name}.svg").write_text(draw(picture, Path(home)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
