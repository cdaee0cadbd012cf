"""The versions of our distributions: one place, pins that follow from it, pre-releases included."""

from __future__ import annotations

import json
import re
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from scripts import versions

ROOT = Path(__file__).resolve().parents[2]
FILES = {path: (ROOT / path).read_text(encoding="utf-8") for path in versions.HOLDERS}
REQUIREMENTS = re.compile(r'"(acp-(?:generated|remote|runtime)\b[^"]*[\d][^"]*)"')
BUMPS = ["0.2.0", "0.2.0rc1", "0.2.0.dev3", "0.1.1", "1.0.0a1", "1.2.3", "2.0.0.post1"]


def bumped(version: str) -> dict[str, str]:
    text = re.sub(r'^version = ".*"$', f'version = "{version}"', FILES["pyproject.toml"], count=1, flags=re.MULTILINE)
    return versions.derived({**FILES, "pyproject.toml": text}, versions.protocol_version())


def released(version: str) -> dict[str, Version]:
    """The versions of all distributions of a release."""
    package = Version(f"{versions.protocol_version()}.{version}")
    return {"acp-generated": package, "acp-remote": Version(version), "acp-runtime": Version(version)}


def required(files: dict[str, str]) -> list[Requirement]:
    return [Requirement(found) for text in files.values() for found in REQUIREMENTS.findall(text)]


def test_the_pins_follow_from_the_version() -> None:
    """`make generate` writes them."""
    assert versions.derived(FILES, versions.protocol_version()) == FILES


@pytest.mark.parametrize("version", BUMPS)
def test_after_a_bump_every_pin_admits_the_release(version: str) -> None:
    found = required(bumped(version))
    assert len(found) == len(required(FILES)) == 11
    for requirement in found:
        assert released(version)[requirement.name] in requirement.specifier, requirement


@pytest.mark.parametrize("version", ["0.2.0", "0.2.0rc1", "1.0.0a1"])
def test_after_a_bump_no_pin_admits_the_releases_before(version: str) -> None:
    for requirement in required(bumped(version)):
        assert not requirement.specifier.contains(released("0.1.0")[requirement.name]), requirement


def test_every_file_with_a_pin_is_known() -> None:
    places = [
        *ROOT.glob("*.toml"),
        *ROOT.glob("wheels/*/*.toml"),
        *ROOT.glob("acp_*/**/*.py"),
        *ROOT.glob("codegen/**/*.py"),
    ]
    held = {
        path.relative_to(ROOT).as_posix() for path in places if REQUIREMENTS.search(path.read_text(encoding="utf-8"))
    }
    assert held == {*versions.HOLDERS}


# --- what the builds take ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0rc1"])
def test_the_distributions_take_their_versions_from_that_place(tmp_path: Path, version: str) -> None:
    for folder in ("package", "remote", "runtime"):
        (tmp_path / "wheels" / folder).mkdir(parents=True)
        shutil.copy(ROOT / "wheels" / folder / "hatch_build.py", tmp_path / "wheels" / folder)
    (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
    (tmp_path / "schema.json").write_text(json.dumps({"x-handshake": {"versionNumber": 2}}))
    taken: dict[str, Any] = runpy.run_path(str(tmp_path / "wheels/package/hatch_build.py"))
    assert taken["version"](protocol=True) == f"2.{version}"
    assert runpy.run_path(str(tmp_path / "wheels/remote/hatch_build.py"))["version"]() == version


def test_the_distributions_are_built_alike() -> None:
    texts = {(ROOT / "wheels" / folder / "hatch_build.py").read_text() for folder in ("package", "remote", "runtime")}
    assert len(texts) == 1
