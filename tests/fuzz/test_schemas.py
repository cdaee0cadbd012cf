"""Random schemas that `generate` accepts make packages that import, round-trip, validate, know gates and yield valid strategies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.schemas import faults, forget


def found(seeds: range, folder: Path) -> tuple[int, list[str]]:
    """The number of schemas that were accepted, and all that is wrong."""
    accepted, wrong = 0, []
    for seed in seeds:
        of_seed = faults(seed, folder)
        if of_seed is not None:
            accepted += 1
            wrong += [f"{seed}: {each}" for each in of_seed]
        forget(seed)
    return accepted, wrong


def test_a_few_random_schemas_make_sound_packages(tmp_path: Path) -> None:
    assert found(range(4, 8), tmp_path) == (4, [])


@pytest.mark.environment
def test_many_random_schemas_make_sound_packages(tmp_path: Path) -> None:
    """Half a minute of processor time. Of seeds beyond, some make values whose undeclared properties are dropped, as documented."""
    accepted, wrong = found(range(8, 140), tmp_path)
    assert wrong == []
    assert accepted > 100
