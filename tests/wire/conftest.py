"""What the tests of the wire share: the committed package, and packages made from schemas on the spot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from .documents import ours
from .instances import Instances
from .judge import Judge
from .packages import make_package, minimal

MakeTypes = Callable[[Mapping[str, Any]], ModuleType]


@pytest.fixture(scope="session")
def judge() -> Judge:
    """A foreign validator with our schema."""
    return Judge(ours())


@pytest.fixture(scope="session")
def instances() -> Instances:
    """Makes values that fit our schema."""
    return Instances(ours())


@pytest.fixture(scope="module")
def make_types(tmp_path_factory: pytest.TempPathFactory) -> MakeTypes:
    """Make definitions into a package of their own and import it."""

    def make(definitions: Mapping[str, Any]) -> ModuleType:
        folder: Path = tmp_path_factory.mktemp("types", numbered=True)
        return make_package(minimal(definitions), folder, f"types_{folder.parent.name}_{folder.name}".replace("-", "_"))

    return make
