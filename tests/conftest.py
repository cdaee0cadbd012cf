"""What every suite shares: where things are, the command line, packages made from small schemas, coroutines as tests."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gzip
import importlib
import inspect
import io
import itertools
import json
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest
from hypothesis.internal.charmap import charmap_file
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from codegen.cli import main
from codegen.emit import format as formatting
from codegen.emit import package as emitted

# A shell starts what it puts in the background with SIGINT ignored, `nohup` with SIGHUP; so would everything be that tests start, and end by neither.
for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL), ("SIGQUIT", signal.SIG_DFL)):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

ROOT = Path(__file__).resolve().parent.parent

# The same examples in every run, however busy the machine is.
hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")
# Nor do they depend on which modules a worker has imported, all of which Hypothesis would read for their constants.
providers._get_local_constants = Constants

# What black made of a text once it makes of it always; most packages share most of their text, and a second process,
# which a large one would start, has nothing to do.
formatting._format = functools.cache(formatting._format)
emitted.MANY = sys.maxsize


def pytest_collection_finish() -> None:
    """Write down which characters UTF-8 encodes: all but surrogates. In a fresh clone Hypothesis would try each in every worker."""
    known = charmap_file("codec-v2-utf-8")
    if not known.exists():
        known.parent.mkdir(parents=True, exist_ok=True)
        mine = known.with_suffix(f".{os.getpid()}")  # another worker may read it: it is there as a whole, or not at all
        mine.write_bytes(gzip.compress(json.dumps([[[0, 0xD7FF], [0xE000, sys.maxunicode]], []]).encode(), mtime=1))
        mine.replace(known)


TIMEOUT = 300
"""Seconds that a coroutine may take as a test."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine as a test: in time, without a task left behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(_complete(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})))
    return True


async def _complete(test: Coroutine[Any, Any, None]) -> None:
    if os.environ.get("EAGER_TASKS"):
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    async with asyncio.timeout(TIMEOUT):
        await test
    await asyncio.sleep(0)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left, f"tasks were left behind: {left}"


@dataclass(frozen=True)
class Ran:
    """What one run of the command line came to."""

    code: int
    out: str
    err: str


RunCli = Callable[..., Ran]
Package = Callable[..., ModuleType]


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def run_cli() -> RunCli:
    """Run the command line in this process: `run_cli("schema", "--stable", ...)`."""

    def run(*arguments: str | Path) -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main([str(argument) for argument in arguments])
            except SystemExit as leaving:  # argparse: --help, --version, wrong usage
                code = leaving.code if isinstance(leaving.code, int) else 2
        texts = [stream.buffer.getvalue().decode("utf-8", "surrogateescape") for stream in (out, err)]
        return Ran(code, *texts)

    return run


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> Package:
    """Generate a schema (a dict or a file) into a directory of its own and import it: `package({"$defs": ...}, "--stable")`.

    Every package has another name. Nothing is borrowed from our own schema unless `bare=False`. Raises AssertionError with
    what was said on stderr where there is no package.
    """
    numbers = itertools.count(1)

    def make(schema: Mapping[str, Any] | Path, *flags: str, bare: bool = True) -> ModuleType:
        name = f"made_{next(numbers)}"
        home = tmp_path_factory.mktemp(name)
        path = schema
        if not isinstance(path, Path):
            path = home / "schema.json"
            path.write_text(json.dumps(schema), encoding="utf-8")
        ran = run_cli("generate", "--schema", path, "--out", home / name, *flags, *(["--bare"] if bare else []))
        if ran.code != 0:
            raise AssertionError(ran.err)
        sys.path.insert(0, str(home))
        try:
            importlib.invalidate_caches()
            return importlib.import_module(name)
        finally:
            sys.path.remove(str(home))

    return make
