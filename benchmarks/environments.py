"""The peers' environments under .venv-bench/: each has what one peer needs and no more, at its newest version. Made once; `--fresh` anew."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

SDK = "agent-client-protocol"
GENERATOR = "generator"
_SERVERS = ("hypercorn", "uvicorn", "httptools", "uvloop")
_QUIET = ("--quiet", "--no-input", "--disable-pip-version-check")


@dataclass(frozen=True)
class Environment:
    """`steps` are the arguments of `pip install`, one call each; `finish` does the rest, given (root, environment)."""

    steps: tuple[tuple[str, ...], ...]
    reported: tuple[str, ...]
    """Packages whose versions results.json records."""
    finish: Callable[[Path, Path], None] | None = None


def _fetch_generator(root: Path, home: Path) -> None:
    """The source distribution with scripts/gen_all.py, and a schema that it can read.

    It fetches the release of the schema that it was made for. Where it cannot, a published schema that is beside
    the checkout serves, if the generator gets through it.
    """
    download = ("download", *_QUIET, "--no-deps", "--no-binary", SDK, "--dest", str(home / "sdist"), SDK)
    subprocess.run([python(home), "-m", "pip", *download], check=True)
    (archive,) = (home / "sdist").glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(home / "unpacked", filter="data")
    (unpacked,) = (home / "unpacked").iterdir()
    made_for = re.search(r"# Schema ref: (\S+)", (unpacked / "src/acp/schema.py").read_text(encoding="utf-8"))
    upstream = sorted((root.parent / "shared" / "upstream").glob("*/meta.unstable.json"))
    attempts = [(("--version", made_for[1]), None, made_for[1])] if made_for else []
    for arguments, folder, name in [
        *attempts,
        *((("--no-download",), meta.parent, meta.parent.name) for meta in upstream),
    ]:
        trial = home / "trial"
        shutil.rmtree(trial, ignore_errors=True)
        shutil.copytree(unpacked, trial)
        if folder is not None:
            (trial / "schema").mkdir()
            for kind in ("schema", "meta"):
                shutil.copy(folder / f"{kind}.unstable.json", trial / "schema" / f"{kind}.json")
        command = [python(home), "scripts/gen_all.py", *arguments]
        done = subprocess.run(command, cwd=trial, env={"PYTHONPATH": "src"}, capture_output=True, check=False)
        if done.returncode == 0:
            shutil.copytree(trial / "schema", unpacked / "schema")
            unpacked.rename(home / "source")
            (home / "schema-release").write_text(name.rsplit("/", maxsplit=1)[-1], encoding="utf-8")
            return
    sys.exit("the official generator runs through none of the schemas that could be had: its own needs a network")


ENVIRONMENTS: Mapping[str, Environment] = {
    "ours": Environment((("-c", "constraints.txt", "msgspec", "orjson"),), ("msgspec", "orjson")),
    "sdk": Environment(((SDK,),), (SDK, "pydantic")),
    # `--pre` for the SDK alone, not for what it needs.
    "sdk-pre": Environment((("--pre", "--no-deps", SDK), (SDK,)), (SDK, "pydantic")),
    "remote": Environment(
        (("-c", "constraints.txt", "msgspec", "orjson", "httpx[http2]", "websockets", *_SERVERS),),
        ("msgspec", "httpx", "websockets", *_SERVERS),
    ),
    "sdk-remote": Environment(
        (("--pre", "--no-deps", SDK), (f"{SDK}[http]",), ("-c", "constraints.txt", *_SERVERS)),
        (SDK, "httpx2", "websockets", *_SERVERS),
    ),
    GENERATOR: Environment(
        (("datamodel-code-generator", "ruff"),), ("datamodel-code-generator", "ruff"), _fetch_generator
    ),
    "plot": Environment((("matplotlib==3.10.8",),), ("matplotlib",)),
}


def python(home: Path) -> str:
    """The interpreter of an environment."""
    return str(home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))


def make(root: Path, folder: Path, names: set[str], *, fresh: bool) -> None:
    """Make the named environments in a folder; those that are there already stay, unless `fresh`."""
    for name in sorted(names):
        home, environment = folder / name, ENVIRONMENTS[name]
        ready = home / ".ready"
        stamp = json.dumps([sys.version, environment.steps])
        if not fresh and ready.is_file() and ready.read_text(encoding="utf-8") == stamp:
            continue
        print(f"setting up {home.relative_to(root)} ...", file=sys.stderr)
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        for step in environment.steps:
            subprocess.run([python(home), "-m", "pip", "install", *_QUIET, *step], cwd=root, check=True)
        if environment.finish is not None:
            environment.finish(root, home)
        ready.write_text(stamp, encoding="utf-8")


def versions(folder: Path, names: set[str]) -> dict[str, str]:
    """`environment package` to version, of what was measured."""
    found: dict[str, str] = {}
    for name in sorted(names):
        listing = subprocess.run(
            [python(folder / name), "-m", "pip", "--disable-pip-version-check", "list", "--format=json"],
            check=True,
            capture_output=True,
        )
        installed = {package["name"].lower(): package["version"] for package in json.loads(listing.stdout)}
        found |= {f"{name}: {package}": installed[package] for package in ENVIRONMENTS[name].reported}
    if GENERATOR in names:
        home = folder / GENERATOR
        found[f"{GENERATOR}: {SDK} sdist"] = (
            next(home.glob("sdist/*.tar.gz")).name.split("-")[-1].removesuffix(".tar.gz")
        )
        found[f"{GENERATOR}: schema release"] = (home / "schema-release").read_text(encoding="utf-8")
    return found
