"""A pytest plugin that plants one fault: `-p tests.requirements.planting` with the fault's name in PLANTED.

The module with the fault is compiled from a changed text; no file is written. A fault whose text or module is not found ends the run
with an exit status of its own, so that it never counts as found.
"""

from __future__ import annotations

import os
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

import pytest

from .faults import FAULTS

ROOT = Path(__file__).parents[2]
NOT_PLANTED = 90
_fault = FAULTS[os.environ["PLANTED"]]
_planted: list[str] = []
_whole = SourceFileLoader.get_code


def _get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
    if Path(self.path) != ROOT / _fault.file:
        return _whole(self, fullname)
    text = Path(self.path).read_text(encoding="utf-8")
    if text.count(_fault.old) != 1:
        pytest.exit(f"{_fault.file} has the text {text.count(_fault.old)} times: {_fault.old!r}", NOT_PLANTED)
    _planted.append(fullname)
    return compile(text.replace(_fault.old, _fault.new), self.path, "exec", dont_inherit=True)


SourceFileLoader.get_code = _get_code  # type: ignore[method-assign,assignment]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A fault in a module that no test has imported proves nothing."""
    if not _planted:
        session.exitstatus = NOT_PLANTED
