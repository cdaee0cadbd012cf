"""Pictures of the manual: commands are run, and what they print becomes an SVG. The browser is driven by keys.

`python -m docs.pictures` writes the files beside this module, `python -m docs.pictures DIR` writes them elsewhere.
"""

from __future__ import annotations

import asyncio
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
    # Directories whose names change with every run tell a reader nothing, nor does the list of skipped cases.
    lines = [
        re.sub(rf"{tempfile.gettempdir()}/acp-probe-\w+", "~", line)
        for line in lines
        if not line.startswith(("skipped", "files:"))
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
    return without_fonts(console.export_svg(title=picture.title, unique_id="t"))


def without_fonts(svg: str) -> str:
    """An SVG for which a reader's browser asks nobody for a font."""
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


async def draw_browser(out: Path) -> None:
    """Draw two screens of the browser: frames beside a conversation, and a permission request."""
    from acp_tools.browse.run import connect  # noqa: PLC0415
    from acp_tools.browse.screens.app import BrowserApp  # noqa: PLC0415  # the other pictures need no Textual

    agent = [sys.executable, str(ROOT / "tests/acp_tools/browse/fake_agent.py")]
    steps = {
        "browser": ((150, 36), ("enter", "markdown", "wrong", "f9", "e"), "params-invalid"),
        "browser-permission": ((100, 30), ("enter", "danger"), "rm -rf"),
    }
    for name, (size, keys, shown) in steps.items():
        mood = {"titles": ["Fix the total of a price list"], "cwd": "/srv/shop"}
        async with connect([*agent, json.dumps(mood)], patience=30, undo=8) as browser:
            app = BrowserApp(browser)
            async with app.run_test(size=size) as pilot:
                for key in keys:
                    await _settled(app, pilot)
                    await pilot.press(*([key] if key in ("enter", "f9", "e") else [*key, "enter"]))
                while shown not in _text(app):  # a screen has no event for its text
                    await pilot.pause(0.1)
                await _settled(app, pilot)
                svg = without_fonts(app.export_screenshot(title="acp-browse"))
                (out / f"{name}.svg").write_text(svg, encoding="utf-8")


async def _settled(app: Any, pilot: Any) -> None:
    """Wait until the screen stays as it is for half a second."""
    before = ""
    while before != (before := _text(app)):
        await pilot.pause(0.5)


def _text(app: Any) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())  # noqa: SLF001


def main(out: Path) -> None:
    """Write all pictures of commands into a directory."""
    with tempfile.TemporaryDirectory() as home:
        _prepare(Path(home))
        for name, picture in PICTURES.items():
            (out / f"{name}.svg").write_text(draw(picture, Path(home)), encoding="utf-8")


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    main(folder)
    asyncio.run(draw_browser(folder))
