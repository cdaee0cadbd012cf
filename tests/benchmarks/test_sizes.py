"""The sizes of packages: what is counted."""

from __future__ import annotations

from importlib.metadata import distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from benchmarks.model import Setting
from benchmarks.rows import sizes
from tests.benchmarks.test_measure import no_worker

THERE = {canonicalize_name(each.metadata["Name"]): each for each in distributions()}


def test_a_distribution_counts_with_all_that_it_needs_and_an_extra_only_where_it_is_named() -> None:
    assert sizes.closure(THERE, ("msgspec",)) == {"msgspec"}
    plain, extra = (sizes.closure(THERE, (name,)) for name in ("httpx", "httpx[http2]"))
    assert {"httpx", "httpcore", "h11", "certifi", "idna"} <= plain
    assert extra - plain == {"h2", "hpack", "hyperframe"}


def test_a_distribution_that_is_not_installed_is_not_needed_here() -> None:
    assert sizes.closure(THERE, ("no-such-thing", "msgspec")) == {"msgspec"}


def test_files_are_counted_without_those_that_python_caches(tmp_path: Path) -> None:
    package = tmp_path / "sdk" / "lib" / "site-packages" / "acp"
    for name, text in {"a.py": "1\n2\n", "data.json": "{}\n", "__pycache__/a.pyc": "x"}.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    setting = Setting(tmp_path, tmp_path, tmp_path, no_worker)
    files, lines, size = (row.contenders["sdk"](setting)() for row in sizes.ROWS[:3])
    assert (files, lines, size) == (2, 2, 7)
