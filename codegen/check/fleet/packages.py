"""Released SDKs: install a package of PyPI or npm into a temporary folder, and let it read messages.

A Python package must contain pydantic classes. An npm package must contain Zod schemas, named `z` and the definition's
name. Install scripts do not run: PyPI packages are installed only from wheels, npm packages with `--ignore-scripts`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ...errors import CodegenError, InputError, printable
from ...findings.finding import Place
from ...findings.traffic import Row

_SPEC = re.compile(r"(pypi|npm):(@?[A-Za-z0-9][\w./-]*(?:\[[\w,-]+\])?)(==|@)([0-9][\w.+-]*)")
_HERE = Path(__file__).parent
_SECONDS = 600


class Question(Struct, frozen=True, kw_only=True):
    """A message of a new peer, its definition, and the change that it shows. `before`: the message before the
    change.
    """

    definition: str
    carrier: str
    message: Any
    before: Any
    receiver: str
    about: str
    place: Place


class Answer(Struct, frozen=True, array_like=True):
    """An SDK's reading of a message: `reads`, `drops` (some properties), `rejects` (with the error), or `unknown` (no
    such type).
    """

    does: str
    says: str = ""


class Package:
    """A released SDK, installed on first use: `pypi:NAME==VERSION` or `npm:NAME@VERSION`."""

    def __init__(self, spec: str) -> None:
        found = _SPEC.fullmatch(spec)
        if found is None or (found[1] == "pypi") != (found[3] == "=="):
            problem = "expected pypi:NAME==VERSION or npm:NAME@VERSION, with an exact version"
            raise InputError("--sdk", f"{printable(spec)}: {problem}")
        self.is_python, self.requirement, self.package = found[1] == "pypi", spec.partition(":")[2], found[2]
        self.name = f"{self.requirement} ({'PyPI' if self.is_python else 'npm'})"

    def answers(self, questions: Sequence[Question]) -> list[Row]:
        """A row for each message that the SDK does not read unchanged. Raises CodegenError if it cannot be installed
        or run.
        """
        with tempfile.TemporaryDirectory(prefix="acp-sdk-") as folder:
            home = Path(folder)
            self._install(home)
            return list(self._rows(questions, self._ask(home, questions)))

    def _install(self, home: Path) -> None:
        if self.is_python:
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            command += ["--only-binary", ":all:", "--target", str(home), self.requirement]
        else:
            (home / "package.json").write_text('{"private": true}', encoding="utf-8")
            command = [_program("npm"), "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
            command += [self.requirement]
        self._run(command, home, b"", "cannot be installed")

    def _ask(self, home: Path, questions: Sequence[Question]) -> list[Answer]:
        if self.is_python:
            command = [sys.executable, "-I", str(_HERE / "ask.py"), str(home), self.package.partition("[")[0]]
        else:
            shutil.copy(_HERE / "ask.mjs", home)  # Node looks for packages beside the program
            command = [_program("node"), str(home / "ask.mjs"), self.package]
        messages = [(each.definition, message) for each in questions for message in (each.message, each.before)]
        asked = [{"definition": definition, "message": message} for definition, message in messages]
        self._run(command, home, msgspec.json.encode(asked), "cannot read messages")
        return msgspec.json.decode((home / "answers.json").read_bytes(), type=list[Answer])

    def _run(self, command: Sequence[str], home: Path, text: bytes, problem: str) -> None:
        try:
            subprocess.run(command, cwd=home, input=text, capture_output=True, timeout=_SECONDS, check=True)  # noqa: S603
        except subprocess.CalledProcessError as error:
            last = error.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise CodegenError(f"error: {self.name} {problem}: {printable(last, 300)}") from None
        except subprocess.TimeoutExpired:
            raise CodegenError(f"error: {self.name} {problem}: timeout after {_SECONDS} s") from None

    def _rows(self, questions: Sequence[Question], answers: Sequence[Answer]) -> Iterator[Row]:
        for question, answer, usual in zip(questions, answers[::2], answers[1::2], strict=True):
            if answer.does != "reads" and answer != usual:  # what it never read is not lost
                words = {"unknown": f"has no {question.definition}"}.get(answer.does, f"{answer.does} {answer.says}")
                breaks = f"{words} in {question.carrier}: {question.about}"
                yield Row(release=self.name, side=question.receiver, breaks=breaks, first=question.place)


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise CodegenError(f"error: {name} is not installed; npm SDKs need it")
    return found
