"""What every suite shares: where things are, the command line, packages made from small schemas, coroutines as tests."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import gzip
import importlib
import inspect
import io
import itertools
import json
import os
import shutil
import signal
import sys
import tempfile
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

from codegen.cli.main import main
from tests.support import once

# A shell starts what it puts in the background with SIGINT ignored, `nohup` with SIGHUP; so would everything be that tests start, and end by neither.
for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL), ("SIGQUIT", signal.SIG_DFL)):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

ROOT = Path(__file__).resolve().parent.parent

NEW_LOOP: Callable[[], asyncio.AbstractEventLoop] | None = None
"""What makes the event loop of a test, if not asyncio: the module that the environment names (tests/runtime/scenarios/test_eager.py)."""
if "EVENT_LOOP" in os.environ:
    NEW_LOOP = importlib.import_module(os.environ["EVENT_LOOP"]).new_event_loop
    NEW_LOOP().close()  # libuv opens files with the first loop, and keeps them

# The same examples in every run, however busy the machine is.
hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")
# Nor do they depend on which modules a worker has imported, all of which Hypothesis would read for their constants.
providers._get_local_constants = Constants

once.install()


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder that the workers share; they are started with this environment."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = tempfile.mkdtemp(prefix="acp-codegen-tests-")
        os.environ[once.SHARED] = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Rewrite one share of the test modules, for all workers."""
    once.rewrite_a_share(session.config, ROOT / "tests")


def pytest_collection_finish() -> None:
    """Prepare what every test would pay for."""
    gc.set_threshold(50_000, 20, 20)  # half of all collections find nothing that references have not freed
    _write_down_utf_8()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take what is there before a module out of collections: it stays, and a test that collects does not look at it."""
    module = item.nodeid.partition("::")[0]
    if item.config.stash.get(_MODULE, "") != module:
        item.config.stash[_MODULE] = module
        gc.collect()
        gc.freeze()


def _write_down_utf_8() -> None:
    """Write down which characters UTF-8 encodes: all but surrogates. In a fresh clone Hypothesis would try each in every worker."""
    known = charmap_file("codec-v2-utf-8")
    if not known.exists():
        known.parent.mkdir(parents=True, exist_ok=True)
        mine = known.with_suffix(f".{os.getpid()}")  # another worker may read it: it is there as a whole, or not at all
        mine.write_bytes(gzip.compress(json.dumps([[[0, 0xD7FF], [0xE000, sys.maxunicode]], []]).encode(), mtime=1))
        mine.replace(known)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests that make environments half an hour: most of it is spent by `pip`, which may have to wait for an index."""
    for item in items:
        if item.get_closest_marker("environment") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(1800))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine as a test, and fail it where it leaves a task behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    if NEW_LOOP is not None and "advance(" in inspect.getsource(pyfuncitem.obj):
        pytest.skip("the clock of this event loop cannot be moved")
    names = inspect.signature(pyfuncitem.obj).parameters
    with asyncio.Runner(loop_factory=NEW_LOOP) as runner:
        runner.run(_complete(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})))
    return True


async def _complete(test: Coroutine[Any, Any, None]) -> None:
    if os.environ.get("EAGER_TASKS"):
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
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


_MODULE = pytest.StashKey[str]()

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
            code = main([str(argument) for argument in arguments])
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
        with once.writing_plainly():
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
