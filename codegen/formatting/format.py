"""Format emitted Python with black.

For a large package, a second process helps: it formats the small modules while the models are rendered, and then half
of the models. If it fails, this process formats the text, with the same result. Long modules are formatted in pieces,
because neither Ctrl+C nor a time limit can interrupt black.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Self

from ..errors import CodegenError

LINE_LENGTH = 120
_PIECE = 30_000


class Formatter:
    """Formats the modules of a package; uses a second process if `helped`."""

    def __init__(self, *, helped: bool) -> None:
        self._helper = _Helper() if helped else None
        self._jobs: dict[str, list[str]] = {}
        self._asked: dict[tuple[str, int], Future[str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._helper is not None:
            self._helper.close()

    def add(self, name: str, text: str) -> None:
        """Add a module. The helper process starts to format it immediately."""
        self._jobs[name] = _pieces(text)
        for index in range(len(self._jobs[name])):
            self._ask(name, index)

    def add_large(self, name: str, text: str) -> None:
        """Add a large module. The helper process formats half of it."""
        self._jobs[name] = _pieces(text)
        for index in range(1, len(self._jobs[name]), 2):
            self._ask(name, index)

    def result(self) -> dict[str, str]:
        """All modules, formatted; raises CodegenError if one does not parse."""
        parts = [(name, index) for name, texts in self._jobs.items() for index in range(len(texts))]
        own = [part for part in parts if part not in self._asked]
        done = {(name, index): _format(name, self._jobs[name][index]) for name, index in own}
        for (name, index), answer in self._asked.items():
            done[name, index] = answer.result() or _format(name, self._jobs[name][index])
        return {name: "\n\n".join(done[name, i] for i in range(len(texts))) for name, texts in self._jobs.items()}

    def _ask(self, name: str, index: int) -> None:
        if self._helper is not None:
            self._asked[name, index] = self._helper.format(self._jobs[name][index])


class _Helper:
    """The second process and the thread that talks to it, one text at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._process = self._start()

    def format(self, text: str) -> Future[str]:
        """The formatted text; empty if the process failed."""
        return self._thread.submit(self._talk, json.dumps({"text": text, "line_length": LINE_LENGTH}))

    def close(self) -> None:
        """Kill the process."""
        if self._process is not None:
            self._process.kill()
        self._thread.shutdown(cancel_futures=True)
        if self._process is not None:
            with self._process:
                pass

    def _start(self) -> subprocess.Popen[str] | None:
        script = Path(__file__).with_name("format_worker.py")
        try:
            return subprocess.Popen(  # noqa: S603  # our own script
                [sys.executable, str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
            )
        except OSError:
            return None

    def _talk(self, job: str) -> str:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return ""
        try:
            process.stdin.write(job + "\n")
            process.stdin.flush()
            return str(json.loads(process.stdout.readline()))
        except (OSError, ValueError):
            return ""


def _pieces(text: str) -> list[str]:
    """Split a module into pieces of some `_PIECE` characters, before statements that black separates by blank lines."""
    lines = text.splitlines(keepends=True)
    try:
        starts = [node.lineno - 1 for node in ast.parse(text).body] if len(text) > _PIECE else []
    except SyntaxError:
        starts = []
    pieces, size, begin = list[str](), 0, 0
    for start, end in pairwise([*starts, len(lines)]):
        if size > _PIECE and not "".join(lines[start - 2 : start]).strip():
            pieces.append("".join(lines[begin:start]))
            size, begin = 0, start
        size += sum(map(len, lines[start:end]))
    return [*pieces, "".join(lines[begin:])]


def _format(name: str, text: str) -> str:
    import black  # noqa: PLC0415  # slow to import
    from black.mode import TargetVersion  # noqa: PLC0415
    from black.parsing import InvalidInput  # noqa: PLC0415

    mode = black.Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY311})
    try:
        return black.format_str(text, mode=mode)
    except (InvalidInput, ValueError) as error:
        raise CodegenError(f"internal error: the emitted {name} does not parse: {str(error).splitlines()[0]}") from None
