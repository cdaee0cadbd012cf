"""Exhaustive families of slow cases: representatives in `make test`, all of them in `make test-environments`."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest

__all__ = ["exhaustive"]


def exhaustive(cases: Iterable[Any], stay: Container[Any]) -> list[Any]:
    """The cases of a `parametrize`, marked `environment` but for those that stay; raises ValueError if none or all would.

    A plain tuple has a case's several arguments, as in `parametrize`.
    """
    marked = [case if case in stay else _elsewhere(case) for case in cases]
    if len({type(case) is type(_elsewhere(None)) for case in marked}) != 2:
        raise ValueError("either none of the cases stays in `make test`, or all do")
    return marked


def _elsewhere(case: Any) -> Any:
    values = case if type(case) is tuple else (case,)
    return pytest.param(*values, marks=pytest.mark.environment)
