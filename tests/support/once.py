"""Steps of generating and importing a package that give the same result each time: tests make hundreds of packages, and take each step once."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import json
import marshal
import os
import sys
import tempfile
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from _pytest.assertion import rewrite
from jinja2 import Environment

from codegen.document import read as reading
from codegen.document.read import Document
from codegen.emit import models, prebuilt
from codegen.emit import package as emitted
from codegen.emit import text as wording
from codegen.emit.dmcg import MSGSPEC, Kind, Written
from codegen.formatting import format as formatting
from codegen.load import schema as loading
from codegen.model.nodes.types import Schema
from codegen.shape.shapes import Shapes
from codegen.write import directory as directories
from codegen.write import manifest, transaction
from codegen.write.diff import Change
from codegen.write.directory import Directory

__all__ = ["SHARED", "install", "rewrite_a_share", "unformatted", "writing_plainly"]

SHARED = "TESTS_SHARED_FOLDER"
"""The variable that names the folder in which the processes of one run share what they made."""


def install() -> None:
    """Format each text, compile each template and each module once, and flush nothing to disk."""
    if importlib.util.find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]  # else each lock of httpx looks for it in every folder of the path
    format_ = formatting._format
    formatting._format = functools.cache(lambda name, text: _shared(text, lambda: format_(name, text)))
    # Most packages share most of their text: what differs is in small pieces, and a second process has nothing to do.
    formatting._PIECE = 3_000
    emitted.MANY = sys.maxsize
    _compile_templates_once()
    _compile_modules_once()
    # Tests that are about flushing replace these, or run in a process of their own.
    os.fsync = lambda fd: None
    directories.ThreadPoolExecutor = _AtOnce  # type: ignore[misc, assignment]
    _read_the_generator_once()
    _load_large_schemas_once()
    _write_many_classes_once()


class _AtOnce(contextlib.nullcontext[Any]):
    """Stands for a pool of threads: nothing is flushed, so there is nothing to wait for."""

    def __init__(self, workers: int) -> None:
        super().__init__(self)

    map = staticmethod(map)


class _Source:
    """A module of the generator, which no test changes while the tests run."""

    def __init__(self, path: Path) -> None:
        self.name, self.read_bytes = path.name, functools.cache(path.read_bytes)


def _read_the_generator_once() -> None:
    fill_runtime, runtimes = emitted._runtime_files, dict[tuple[frozenset[str], bool], dict[str, str]]()

    def runtime_files(fill: emitted.Fill, parts: Collection[str], installed: bool) -> dict[str, str]:
        chosen = frozenset(parts), installed
        if chosen not in runtimes:
            runtimes[chosen] = fill_runtime(fill, parts, installed)
        return dict(runtimes[chosen])

    emitted._runtime_files = runtime_files
    found = manifest.generator_sources
    manifest.generator_sources = functools.cache(lambda: [_Source(path) for path in found()])  # type: ignore[assignment]
    manifest._version = functools.cache(manifest._version)
    emitted.names_in = functools.cache(emitted.names_in)
    wording._wrapped = functools.cache(wording._wrapped)
    standard = functools.cache(prebuilt.standard_files)
    prebuilt.standard_files = lambda: dict(standard())


_LARGE = 20_000
"""Bytes of JSON; to load less than that is quicker than to look whether it has been loaded."""


def _load_large_schemas_once() -> None:
    """Our own schema and the published ones are loaded by hundreds of tests; what was refused is refused anew."""
    read, sound = reading._check_values, set[bytes]()

    def check(document: Document) -> None:
        if document.text not in sound:
            read(document)
            if len(document.text) > _LARGE:
                sound.add(document.text)

    reading._check_values = check
    loader, known = loading._Loader, dict[tuple[bool, str], tuple[Schema, list[tuple[str, str]]]]()

    class Loader(loader):  # type: ignore[misc, valid-type]
        def load(self) -> tuple[Schema, list[tuple[str, str]]]:
            if len(self.document.text) < _LARGE:
                return super().load()
            key = self.tolerant, json.dumps(self.document.value)
            if key not in known:
                known[key] = super().load()
            schema, warnings = known[key]
            return schema, [*warnings]

    loading._Loader = Loader  # type: ignore[misc]


_MANY = 100
"""Classes; to write fewer is quicker than to look whether they have been written."""


def _write_many_classes_once() -> None:
    """Most of the time for a package of our own schema goes into its classes. Tests of the writing call `dmcg.written`."""
    write, known = models.written, dict[bytes, Written]()

    def written(shapes: Shapes, data: Mapping[str, Any], kind: Kind = MSGSPEC) -> Written:
        if len(shapes.records) < _MANY:
            return write(shapes, data, kind)
        key = hashlib.sha256(repr((shapes, data, kind)).encode("utf-8", "surrogatepass")).digest()
        if key not in known:
            known[key] = write(shapes, data, kind)
        return known[key]

    models.written = written


@contextlib.contextmanager
def writing_plainly() -> Generator[None]:
    """Write packages file by file and unformatted: tests that want a new package in a folder of its own need no transaction."""
    apply = transaction.apply
    transaction.apply = _write
    try:
        with unformatted():
            yield
    finally:
        transaction.apply = apply


@contextlib.contextmanager
def unformatted() -> Generator[None]:
    """Leave the modules of packages as the templates make them: those who import them see no difference."""
    format_ = formatting._format
    formatting._format = lambda name, text: text.replace(", \n", "\n")  # black would put such imports into parentheses
    try:
        yield
    finally:
        formatting._format = format_


def _write(directory: Directory, found: Sequence[Change]) -> None:
    texts = {change.path: change.text or "" for change in found}
    runtime = {path: text for path, text in texts.items() if path.startswith("_runtime/")}
    place = _runtime_of_all(tuple(runtime.items()))
    (directory.path / "_runtime").symlink_to(place)
    _packages[str(directory.path / "_runtime") + "/"] = str(place)
    for path in texts.keys() - runtime.keys():
        (directory.path / path).write_text(texts[path], encoding="utf-8", newline="\n")


_packages: dict[str, str] = {}
"""Where the runtime of packages is, by the path at which each has it."""


@functools.cache
def _runtime_of_all(texts: tuple[tuple[str, str], ...]) -> Path:
    """The runtime, of which all packages have the same bytes, in one place."""
    home = Path(tempfile.mkdtemp(prefix="runtime-", dir=os.environ.get(SHARED)))
    for path, text in texts:
        (home / path).parent.mkdir(exist_ok=True, parents=True)
        (home / path).write_text(text, encoding="utf-8", newline="\n")
    return home / "_runtime"


def _shared(text: str, make: Callable[[], str]) -> str:
    """What one process of this run has made of a text; whoever comes first makes it."""
    folder = os.environ.get(SHARED)
    if not folder:
        return make()
    path = Path(folder, hashlib.sha256(text.encode()).hexdigest())
    with contextlib.suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8")
    made = make()
    mine = path.with_suffix(f".{os.getpid()}")  # another process finds it as a whole, or not at all
    mine.write_text(made, encoding="utf-8")
    mine.replace(path)
    return made


def rewrite_a_share(config: pytest.Config, tests: Path) -> None:
    """Rewrite the assertions of some test modules for all workers; else each worker would rewrite all of them in a fresh clone."""
    worker, count = os.environ.get("PYTEST_XDIST_WORKER", "gw0"), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if count == 1 or sys.dont_write_bytecode:
        return
    for path in sorted(tests.rglob("test_*.py"))[int(worker.removeprefix("gw")) :: count]:
        cached = rewrite.get_cache_dir(path) / (path.name[:-3] + rewrite.PYC_TAIL)
        if not cached.exists():
            rewrite.try_makedirs(cached.parent)
            digest, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, digest, cached)


def _compile_templates_once() -> None:
    compile_: Any = Environment.compile
    known: dict[tuple[object, ...], Any] = {}

    def once(environment: Environment, source: str, name: str | None = None, filename: str | None = None) -> Any:
        settings = (environment.trim_blocks, environment.lstrip_blocks, environment.keep_trailing_newline)
        key = (source, name, filename, environment.autoescape, *settings, *sorted(environment.filters))
        if key not in known:
            known[key] = compile_(environment, source, name, filename)
        return known[key]

    Environment.compile = once  # type: ignore[method-assign, assignment]


def _compile_modules_once() -> None:
    """Packages differ in few of their modules; a copy of the same code gets the name of its own file."""
    compile_: Any = SourceFileLoader.source_to_code
    known: dict[bytes, bytes] = {}

    def once(loader: SourceFileLoader, data: Any, path: Any, **options: Any) -> CodeType:
        if not isinstance(data, bytes):
            code: CodeType = compile_(loader, data, path, **options)
            return code
        key = hashlib.sha256(data).digest()
        if key not in known:
            code = compile_(loader, data, path, **options)
            known[key] = marshal.dumps(code)
            return code
        return _placed(marshal.loads(known[key]), os.fspath(path))

    SourceFileLoader.source_to_code = once  # type: ignore[method-assign, assignment]

    get_code: Any = SourceFileLoader.get_code
    codes: dict[tuple[str, str], CodeType] = {}

    def code_of(loader: SourceFileLoader, name: str) -> CodeType:
        home, found, module = str(loader.path).partition("/_runtime/")
        place = _packages.get(home + found)
        if place is None:
            code: CodeType = get_code(loader, name)
            return code
        if (place, module) not in codes:
            codes[place, module] = get_code(loader, name)
        return codes[place, module]

    SourceFileLoader.get_code = code_of  # type: ignore[method-assign, assignment]


def _placed(code: CodeType, path: str) -> CodeType:
    """The same code in another file."""
    constants = tuple(_placed(each, path) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=path, co_consts=constants)
