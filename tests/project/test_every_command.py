"""Every command, run from the installed wheel and from the installed sdist: Python 3.11 to 3.13, oldest and newest dependencies."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from codegen.cli.commands import GROUPS
from codegen.cli.main import _program
from tests.codegen.vendor.conftest import ROOT, SCRIPTS, run
from tests.project.test_packaging import EXTRAS
from tests.project.test_ranges import found
from tests.project.test_release import built

pytestmark = pytest.mark.skipif(os.name == "nt", reason="forks")

PYTHONS = ("python3.11", "python3.12", "python3.13")
OURS = (".", "wheels/package", "wheels/remote")
SERVICES = ("postgres", "telemetry")
"""Extras that bring libraries for programs, and no command."""

AGENT = """\
import asyncio
import uuid
import acp_generated as acp


class Quiet(acp.Agent):
    def __init__(self):
        self.directories = {}

    async def new_session(self, params):
        session = uuid.uuid4().hex
        self.directories[session] = params.cwd
        return acp.NewSessionResponse(session_id=session)

    async def list_sessions(self, params):
        if params.cursor:
            raise acp.RequestError.invalid_params()
        found = [each for each in self.directories.items() if params.cwd in (None, acp.UNSET, each[1])]
        return acp.ListSessionsResponse(sessions=[acp.SessionInfo(session_id=id, cwd=cwd) for id, cwd in found])

    async def prompt(self, params):
        return acp.PromptResponse(stop_reason="end_turn")


asyncio.run(acp.run_agent(Quiet()))
"""
NO_SANDBOX = "--sandbox: error: is not possible here"
METHOD = {"x-method": "_acme/tell", "x-side": "agent", "x-capability": False}
VENDOR = {"$defs": {"TellNotification": {"type": "object", "description": "A.", "properties": {}, **METHOD}}}
BEGIN = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n'
LANGUAGE = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
    {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
    {"jsonrpc": "2.0", "method": "exit"},
]


class Row(msgspec.Struct, frozen=True):
    """A call of a command: its arguments after its name, its exit code, and a text in what it prints or writes."""

    arguments: tuple[str, ...] = ()
    told: str = ""
    code: int = 0
    stdin: str = ""
    ready: str = ""
    file: str = ""
    """The file with the text, if it is not what the command prints."""


PYTHON, RUN = "PYTHON", ("--", "PYTHON", "agent.py")
COMMANDS: Mapping[str, Row] = {
    "completion": Row(("bash",), "complete"),
    "schema print": Row(("--normalised",), "$defs"),
    "schema check": Row(("--no-compare", "--config", str(ROOT / "pyproject.toml"))),
    "schema diff": Row(("schema.json", "new.json"), "madeUp"),
    "schema changelog": Row(("schema.json", "new.json"), "madeUp"),
    "schema bridge": Row(("schema.json", "new.json"), "exact"),
    "schema compatible": Row(("schema.json", "new.json"), "new.json"),
    "schema annotate": Row(("schema.json", "--overlay"), "x-handshake"),
    "schema examples": Row((), "initialize"),
    "schema explain": Row(("default-invalid",), "default-invalid"),
    "schema import-extension": Row(("vendor.json",), "_acme/tell"),
    "schema keywords": Row((), "x-capability"),
    "schema lsp": Row(
        stdin="".join(f"Content-Length: {len(each)}\r\n\r\n{each}" for each in map(json.dumps, LANGUAGE)),
        told="textDocument",
    ),
    "schema openrpc": Row((), "openrpc"),
    "schema rfd": Row(("--json",), "requirements"),
    "schema rules": Row((), "default-invalid"),
    "schema validate": Row(("examples/messages/agent/initialize",)),
    "package generate": Row(("--out", "generated"), "class ", file="generated/models.py"),
    "package vendor": Row(("acp", "--models", "pydantic"), "class ", file="acp/pydantic_models.py"),
    "package new agent": Row(("my-agent",), "Agent", file="my-agent/src/my_agent/agent.py"),
    "package new client": Row(("my-client", "--installed"), "acp-generated", file="my-client/pyproject.toml"),
    "package new extension": Row(("_acme/tell",), "_acme/tell", file="acme.json"),
    "package merge-lock": Row(("names.lock.json", "ours.json", "names.lock.json"), "{", file="ours.json"),
    "package migrate": Row(("program.py",), "acp_generated"),
    "docs build": Row(("--schema", "vendor.json", "--out", "site"), "<html", file="site/index.html"),
    "agent browse": Row(("--json", *RUN), "sessions"),
    "agent chain": Row(RUN, "protocolVersion", stdin=BEGIN),
    "agent chaos": Row(RUN, "protocolVersion", stdin=BEGIN),
    "agent probe": Row(("--generated", "0", "--depth", "0", "--format", "json", *RUN), '"pass"'),
    "agent run": Row(("--sandbox", "--read", "agent.py", *RUN), "protocolVersion", stdin=BEGIN),
    "agent trace record": Row(("--record", "record.ndjson", *RUN), "protocolVersion", stdin=BEGIN),
    "agent trace replay": Row(("record.ndjson", *RUN), ""),
    "agent trace mock": Row(("record.ndjson",), "protocolVersion", stdin=BEGIN),
    "agent trace share": Row(("record.ndjson",), "initialize"),
    "agent expose": Row(("--at", "http://127.0.0.1:0", *RUN), " at http", ready=r" at http:(//127\.0\.0\.1:\d+/acp)"),
    "agent connect": Row(("--once", "ws:{address}"), "protocolVersion", stdin=BEGIN),
}


def commands(group: click.Group) -> Iterator[str]:
    """The commands below a group, by their names in it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        below = commands(command) if isinstance(command, click.Group) else None
        yield from (name,) if below is None else (f"{name} {each}" for each in below)


def test_the_table_has_every_command() -> None:
    """Commands of groups are also commands of the program, by shorter names."""
    grouped = {f"{group.name} {name}" for group in GROUPS for name in commands(group)}
    shorter = {name.partition(" ")[2] for name in grouped}
    assert {*commands(_program)} - shorter | grouped == {*COMMANDS}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheels and sdists of what the commands need."""
    folder = tmp_path_factory.mktemp("distributions")
    for each in OURS:
        built(ROOT / each, folder)
    return folder


@pytest.fixture(scope="module")
def uv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program uv, which resolves to the oldest releases."""
    folder = tmp_path_factory.mktemp("uv")
    run(sys.executable, "-m", "pip", "--quiet", "--no-input", "install", "--target", folder, "uv", cwd=folder)
    return folder / SCRIPTS / "uv"


@pytest.mark.environment
@pytest.mark.parametrize("dependencies", ["oldest", "newest"])
@pytest.mark.parametrize("python", PYTHONS)
def test_every_command_runs(python: str, dependencies: str, uv: Path, distributions: Path, tmp_path: Path) -> None:
    """The oldest releases that have a wheel for this Python, with our sdists; and the newest, with our wheels."""
    programs = environment(uv, found(python), distributions, tmp_path, oldest=dependencies == "oldest")
    given = [
        {**msgspec.to_builtins(row), "arguments": words(name, programs, tmp_path)} for name, row in COMMANDS.items()
    ]
    make_files(tmp_path)
    runner = ROOT / "tests" / "support" / "run_commands.py"
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    ran = subprocess.run(
        [programs / "python", runner],
        check=False,
        cwd=tmp_path,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        env=outside,
    )
    assert ran.returncode == 0, ran.stderr
    results: list[dict[str, Any]] = json.loads(ran.stdout)
    wrong = {}
    for (name, row), result in zip(COMMANDS.items(), results, strict=True):
        file = tmp_path / row.file
        text = result["out"] + result["err"] if not row.file else file.read_text("utf-8") if file.is_file() else ""
        if NO_SANDBOX in text:  # not every kernel allows one
            continue
        if result["code"] != row.code or row.told not in text:
            wrong[name] = {key: str(value)[-1500:] for key, value in result.items()}
    assert wrong == {}


def environment(uv: Path, python: Path, distributions: Path, folder: Path, *, oldest: bool) -> Path:
    """A fresh environment with our distributions; its folder of programs."""
    run(uv, "venv", "--quiet", "--python", python, folder / "env", cwd=folder)
    extras = [part for extra in EXTRAS if extra not in SERVICES for part in ("--extra", extra)]
    metadata = [ROOT / each / "pyproject.toml" for each in OURS if each != "wheels/package"]
    order = "lowest-direct" if oldest else "highest"
    given = ("--python", folder / "env", "--find-links", distributions, "--quiet", "--only-binary", ":all:")
    run(uv, "pip", "compile", *given, "--resolution", order, *extras, *metadata, "-o", "pins.txt", cwd=folder)
    pins = [line for line in (folder / "pins.txt").read_text("utf-8").splitlines() if not line.startswith("acp-")]
    (folder / "pins.txt").write_text("\n".join(pins), "utf-8")
    run(uv, "pip", "install", "--quiet", "--python", folder / "env", "--no-deps", "-r", "pins.txt", cwd=folder)
    ours = sorted(distributions.glob("*.tar.gz" if oldest else "*.whl"))
    run(uv, "pip", "install", "--quiet", "--python", folder / "env", "--no-deps", *ours, cwd=folder)
    return folder / "env" / SCRIPTS


def words(name: str, programs: Path, folder: Path) -> list[str]:
    """A call with the Python of an environment and the path of the agent."""
    places = {PYTHON: str(programs / "python"), "agent.py": str(folder / "agent.py")}
    return [*name.split(), *(places.get(word, word) for word in COMMANDS[name].arguments)]


def make_files(folder: Path) -> None:
    """Write what the commands read."""
    schema = json.loads((ROOT / "schema.json").read_text("utf-8"))
    changed = json.loads(json.dumps(schema))
    first = next(each for each in changed["$defs"].values() if "properties" in each)
    first["properties"]["madeUp"] = {"type": "string", "description": "New."}
    lock = (ROOT / "names.lock.json").read_text("utf-8")
    program = "from acp import Agent\n"
    texts = {"agent.py": AGENT, "program.py": program, "names.lock.json": lock, "ours.json": lock}
    documents = {"schema.json": schema, "new.json": changed, "vendor.json": VENDOR}
    for name, text in {**texts, **{name: json.dumps(each) for name, each in documents.items()}}.items():
        (folder / name).write_text(text, "utf-8")
    shutil.copytree(ROOT / "examples" / "messages", folder / "examples" / "messages")
