"""docs/quickstart.md: its commands run, and its code is that of the projects that they begin."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
STARTERS = {"my-agent": "agent", "my-client": "client"}


def test_every_block_is_a_command_its_output_or_from_a_file() -> None:
    assert PAGE.count("```") == 2 * len(BLOCKS)
    assert {(language, bool(title)) for language, title, _ in BLOCKS} == {
        ("sh", False),
        ("text", False),
        ("python", True),
        ("json", True),
        ("lua", False),
    }


@pytest.mark.parametrize(("title", "text"), [block[1:] for block in BLOCKS if block[1]])
def test_a_piece_of_a_file_is_in_the_project_that_is_begun(title: str, text: str) -> None:
    project, _, path = title.partition("/")
    assert text in (ROOT / "examples" / "starters" / STARTERS[project] / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [block[2] for block in BLOCKS if block[0] == "json"])
def test_an_editor_gets_a_command_its_arguments_and_environment(text: str) -> None:
    (agent,) = json.loads(text)["agent_servers"].values()
    assert {"command": "/path/to/.venv/bin/my-agent", "args": [], "env": {}}.items() <= agent.items()


LUA = next(filter(None, map(shutil.which, ("lua", "lua5.4", "lua5.1", "luajit"))), None)
PLUGINS = """
local given = {}
local function keep(options) given = options end
local known = { gemini_cli = { commands = { default = { "gemini", "--experimental-acp" } } } }
local function extend(name, changes)
  assert(known[name], "no such adapter: " .. name)
  for key, value in pairs(changes) do known[name][key] = value end
  return known[name]
end
package.preload["avante"] = function() return { setup = keep } end
package.preload["codecompanion"] = function() return { setup = keep } end
package.preload["codecompanion.adapters"] = function() return { extend = extend } end
dofile(arg[1])
if given.acp_providers then
  local provider = given.acp_providers[given.provider]
  print(provider.command, #provider.args, next(provider.env))
else
  local adapter = given.adapters.acp[given.interactions.chat.adapter]()
  print(adapter.commands.default[1], #adapter.commands.default - 1, nil)
end
"""
"""What the plugins' documents say of their functions: `setup` takes the options, `extend` an adapter that there is and changes to it."""


@pytest.mark.skipif(LUA is None, reason="there is no Lua on the PATH")
@pytest.mark.parametrize("text", [block[2] for block in BLOCKS if block[0] == "lua"])
def test_what_is_said_for_neovim_runs_and_starts_the_agent(text: str, tmp_path: Path) -> None:
    (tmp_path / "init.lua").write_text(text)
    (tmp_path / "plugins.lua").write_text(PLUGINS)
    ran = subprocess.run(
        [LUA or "", "plugins.lua", "init.lua"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.stdout.split(), ran.stderr) == (["/path/to/.venv/bin/my-agent", "0", "nil"], "")


@pytest.mark.environment
def test_the_commands_run_and_print_what_the_page_shows(tmp_path: Path) -> None:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    printed = ""
    for language, _, text in BLOCKS:
        if language == "sh":
            ran = subprocess.run(
                ["bash", "-euc", text],
                cwd=tmp_path,
                env={**outside, "PATH": programs},
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, ran.stdout + ran.stderr
            printed = ran.stdout
        elif language == "text":
            assert printed == text
