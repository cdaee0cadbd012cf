"""Mutation tests: `python -m scripts.mutants [PACKAGE ...] [--sample N] [--seed N]`, which is `make mutants`.

A mutant is one small change of one module. A forked process imports the changed module in memory and runs the tests of the
mirrored folder that reach the changed line. A mutant is caught if a test fails that passes without the mutant. Which tests
reach a line is measured first. Mutants are drawn at random: a seed always draws the same ones.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import importlib
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache, partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import msgspec
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {
    **{
        name: (f"codegen/{name}", [f"tests/codegen/{name}"])
        for name in ("document", "model", "findings", "check", "validate", "lsp")
    },
    "runtime": ("generated/_runtime", ["tests/runtime"]),
}
"""The source folder of each package, and the folders of its tests."""
WARM = (
    "hypothesis",
    "jinja2",
    "jsonschema",
    "jsonschema_rs",
    "black",
    "datamodel_code_generator",
    "click",
    "pydantic",
    "yaml",
)
"""Libraries that every test process needs, imported before the fork."""
OPTIONS = (
    "-q",
    "-x",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
    "-m",
    "not environment and not slow",
)
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_CACHED = type(cache(bool))
LONGEST = 200
"""Characters; a longer constant is a page of text, not a value."""


class Mutant(NamedTuple):
    """One change: the number of the node in `ast.walk`, and the operator."""

    path: str
    line: int
    node: int
    operator: str
    local: bool
    """Whether it is inside a function."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.operator} (node {self.node})"


def _operators(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare():
            yield "comparison"
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            yield "boolean"
        case ast.Constant(value=bool() | int() | float()):
            yield "constant"
        case ast.Constant(value=str(text)) if len(text) < LONGEST:
            yield "constant"
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return"
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield "removed statement"
        case ast.Call(args=[first, second, *_]) if ast.dump(first) != ast.dump(second):
            yield "swapped arguments"
        case _:
            pass


def _mutated(node: Any, operator: str) -> ast.AST:
    match operator:
        case "comparison":
            node.ops[0] = COMPARISONS[type(node.ops[0])]()
        case "boolean" if isinstance(node, ast.UnaryOp):
            return node.operand
        case "boolean":
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case "constant":
            value = node.value
            node.value = (
                not value if isinstance(value, bool) else f"XX{value}XX" if isinstance(value, str) else value + 1
            )
        case "return":
            node.value = ast.copy_location(ast.Constant(None), node.value)
        case "removed statement":
            return ast.copy_location(ast.Pass(), node)
        case "swapped arguments":
            node.args[:2] = node.args[1], node.args[0]
        case _:
            raise AssertionError(operator)
    return node  # type: ignore[no-any-return]


def _ignored(tree: ast.AST) -> set[ast.AST]:
    """Annotations, docstrings, definitions of `__all__` and what only type checkers read."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        if ast.unparse(node).startswith("if TYPE_CHECKING:") if isinstance(node, ast.If) else _is_docstring(node):
            parts = [node]
        elif isinstance(node, ast.ClassDef):
            parts += list(node.keywords)  # `frozen=True` and the like change no result
        found.update(inner for part in parts if isinstance(part, ast.AST) for inner in ast.walk(part))
    return found


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def mutants(package: str) -> list[Mutant]:
    """All mutants of a package."""
    found: list[Mutant] = []
    for path in sorted((ROOT / PACKAGES[package][0]).rglob("*.py")):
        tree = ast.parse(path.read_text())
        ignored = _ignored(tree)
        local = {
            n
            for f in ast.walk(tree)
            if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef))
            for b in f.body
            for n in ast.walk(b)
        }
        for number, node in enumerate(ast.walk(tree)):
            if isinstance(node, (ast.expr, ast.stmt)) and node not in ignored:
                name = str(path.relative_to(ROOT))
                found += [Mutant(name, node.lineno, number, operator, node in local) for operator in _operators(node)]
    return found


def source(mutant: Mutant) -> ast.Module:
    """The module with the mutant."""
    tree = ast.parse((ROOT / mutant.path).read_text())
    target = next(node for number, node in enumerate(ast.walk(tree)) if number == mutant.node)

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return _mutated(node, mutant.operator) if node is target else super().visit(node)

    return ast.fix_missing_locations(Change().visit(tree))  # type: ignore[no-any-return]


def shown(mutant: Mutant) -> str:
    """The line before and after."""
    tree = ast.parse((ROOT / mutant.path).read_text())
    before = next(node for number, node in enumerate(ast.walk(tree)) if number == mutant.node)
    after = _mutated(copy.deepcopy(before), mutant.operator)
    return "  ->  ".join(" ".join(ast.unparse(node).split())[:150] for node in (before, after))


class _Measured(msgspec.Struct):
    """The tests that reach each line of each file, and the seconds that each test takes."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]


class _Measure:
    """A pytest plugin that notes which test reaches which line, as if no result were cached."""

    def __init__(self, folder: str) -> None:
        self.coverage = coverage.Coverage(data_file=None, include=[f"{ROOT}/{folder}/*"], config_file=False)
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.fixtures: dict[str, set[str]] = {}
        self.caches: list[Any] = []
        self.current = ""
        self.coverage.start()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        once = importlib.import_module("tests.support.once")  # not before the fork: it imports the modules
        vars(once).update(_LARGE=sys.maxsize, _MANY=sys.maxsize)
        self.caches = [o for o in gc.get_objects() if isinstance(o, _CACHED) and o.__module__.startswith("codegen.")]
        for item in session.items:
            definitions = vars(item)["_fixtureinfo"].name2fixturedefs.values()
            self.fixtures[item.nodeid] = {_context(f) for each in definitions for f in each}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        for each in self.caches:
            each.cache_clear()
        self.current = item.nodeid
        self.coverage.switch_context(item.nodeid)
        began = time.process_time()
        outcome = yield
        self.seconds[item.nodeid] += time.process_time() - began
        return outcome

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        if fixturedef.scope == "function":
            return (yield)
        self.coverage.switch_context(_context(fixturedef))
        try:
            return (yield)
        finally:
            self.coverage.switch_context(self.current)

    def result(self) -> _Measured:
        self.coverage.stop()
        data = self.coverage.get_data()
        users: defaultdict[str, list[str]] = defaultdict(list)
        for test, fixtures in self.fixtures.items():
            for each in fixtures:
                users[each].append(test)
        lines: dict[str, dict[int, list[str]]] = {}
        for path in data.measured_files():
            of_file = lines.setdefault(str(Path(path).relative_to(ROOT)), {})
            for line, contexts in data.contexts_by_lineno(path).items():
                tests = {test for context in contexts for test in users.get(context, [context]) if test}
                of_file[line] = sorted(tests & self.seconds.keys())
        return _Measured(lines, dict(self.seconds))


def _context(fixture: Any) -> str:
    return f"fixture {fixture.baseid}::{fixture.argname}"


class _Failed:
    """A pytest plugin that keeps the number of tests that ran, up to the first that failed."""

    def __init__(self, order: Sequence[str]) -> None:
        self.order = {name: number for number, name in enumerate(order)}
        self.ran: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.ran.append(nodeid)


def forked(work: Callable[[], Any], limit: float) -> Any:
    """What a function returns in a forked process; None if it exceeds the time limit or the process dies."""
    with tempfile.NamedTemporaryFile() as answer:
        child = os.fork()
        if not child:
            os.setsid()
            sys.stdout.flush()
            os.dup2(os.open(os.environ.get("MUTANTS_LOG", os.devnull), os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)
            os.dup2(1, 2)
            try:
                Path(answer.name).write_bytes(msgspec.msgpack.encode(work()))
            except BaseException:
                traceback.print_exc()
                raise
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
        until = time.monotonic() + limit
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return None
            time.sleep(0.02)
        written = Path(answer.name).read_bytes()
        return msgspec.msgpack.decode(written) if written else None


def _run(tests: Sequence[str], mutant: Mutant | None) -> tuple[bool, list[str]]:
    """Whether all tests pass with a mutant, and the tests that ran."""
    if mutant is not None:
        changed, get_code = str(ROOT / mutant.path), SourceFileLoader.get_code

        def code_of(loader: SourceFileLoader, name: str) -> Any:
            return (
                compile(source(mutant), changed, "exec", dont_inherit=True)
                if loader.path == changed
                else get_code(loader, name)
            )

        SourceFileLoader.get_code = code_of  # type: ignore[method-assign, assignment]
    plugin = _Failed(tests)
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    code = pytest.main([*OPTIONS, *files], plugins=[plugin])
    return code == 0, plugin.ran


def outcome(mutant: Mutant, measured: _Measured) -> str:
    """caught, slow (caught by the time limit), survived, or unreached."""
    lines = measured.lines.get(mutant.path, {})
    reaching = set(lines.get(mutant.line, []) if mutant.local else (t for of_line in lines.values() for t in of_line))
    if not reaching:
        return "unreached"
    tests = list(
        reaching if mutant.local else measured.seconds
    )  # a table is read by tests that run no line of its module
    # Cheap modules first, and among them the one with the name of the mutated module; what a module sets up is set up once.
    stem = Path(mutant.path).stem
    files: defaultdict[str, float] = defaultdict(float)
    for test in tests:
        files[test.partition("::")[0]] += measured.seconds[test]
    tests.sort(
        key=lambda test: (
            test not in reaching,
            stem not in test,
            files[test.partition("::")[0]],
            test.partition("::")[0],
        )
    )
    limit = 60 + 10 * sum(measured.seconds[test] for test in tests)
    found = forked(lambda: _run(tests, mutant), limit)
    if found is None:
        return "slow"
    if found[0]:
        return "survived"
    without = forked(lambda: _run(found[1] or tests, None), limit)
    return "caught" if without and without[0] else "invalid"


def main() -> int:
    """Draw, run and count; exit code 1 if a package misses the goal."""
    parser = argparse.ArgumentParser(prog="python -m scripts.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", help=f"{', '.join(PACKAGES)} (default: check and model)")
    parser.add_argument("--sample", type=int, default=100, help="mutants of each package; 0: all (default: 100)")
    parser.add_argument("--goal", type=float, default=90.0, help="percentage that has to be caught (default: 90)")
    parser.add_argument("--seed", type=int, default=20, help="another seed draws other mutants (default: 20)")
    parser.add_argument(
        "--measured", type=Path, help="a file that keeps the measurement of the tests; reused if it exists"
    )
    parser.add_argument("--node", help="only the mutant PATH:NODE, as it is listed")
    parser.add_argument("--tests", nargs="*", default=[], help="folders of tests, instead of the mirrored one")
    asked = parser.parse_args()
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    for name in WARM:
        importlib.import_module(name)
    missed = False
    for package in asked.packages or ["check", "model"]:
        every = mutants(package)
        drawn = random.Random(asked.seed).sample(every, min(asked.sample or len(every), len(every)))
        if asked.node:
            drawn = [each for each in every if f"{each.path}:{each.node}" == asked.node]
        folder, tests = PACKAGES[package]
        kept = asked.measured and asked.measured.with_suffix(f".{package}")
        if kept and kept.exists():
            measured = msgspec.msgpack.decode(kept.read_bytes(), type=_Measured, strict=False)
        else:
            answer = forked(partial(_measure, folder, asked.tests or tests), 3600)
            if answer is None:
                sys.exit(f"the tests of {package} do not pass without a mutant")
            measured = msgspec.convert(answer, _Measured, strict=False)
            if kept:
                kept.write_bytes(msgspec.msgpack.encode(measured))
        counts: defaultdict[str, int] = defaultdict(int)
        for mutant in sorted(drawn):
            became = outcome(mutant, measured)
            counts[became] += 1
            print(f"{became}: {mutant}" + ("" if became == "caught" else f"\n    {shown(mutant)}"), flush=True)
        valid = len(drawn) - counts["invalid"]
        rate = 100 * (counts["caught"] + counts["slow"]) / (valid or 1)
        print(f"{package}, seed {asked.seed}: {rate:.1f}% of {valid} caught; {dict(counts)}", flush=True)
        missed |= rate < asked.goal
    return int(missed)


def _measure(folder: str, tests: Sequence[str]) -> _Measured | None:
    plugin = _Measure(folder)
    code = pytest.main([*OPTIONS, *tests], plugins=[plugin])
    return plugin.result() if code == 0 else None


if __name__ == "__main__":
    sys.exit(main())
