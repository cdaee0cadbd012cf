"""What a release does: the workflow, its notes, locked installs; every distribution is built from its sdist, too."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.release_notes import notes
from tests.project.test_packaging import CONSTRAINTS, PROJECT

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
JOBS: dict[str, Any] = yaml.safe_load(TEXT)["jobs"]
ACTIONS = (ROOT / "action.yml", ROOT / "actions/upgrade/action.yml")
DISTRIBUTIONS = {
    ".": "acp_codegen",
    **{f"wheels/{name}": f"acp_{name}" for name in ("compat", "remote", "runtime")},
    "wheels/package": "acp_generated",
}


def commands(job: str) -> str:
    return "\n".join(step.get("run", step.get("uses", "")) for step in JOBS[job]["steps"])


def test_only_the_job_that_publishes_may_write_and_no_token_is_stored() -> None:
    assert yaml.safe_load(TEXT)["permissions"] == {"contents": "read"}
    assert "permissions" not in JOBS["build"]
    assert JOBS["publish"]["permissions"]["id-token"] == "write"
    assert JOBS["publish"]["environment"] == "release"
    assert "secrets." not in TEXT
    assert "password" not in TEXT


def test_what_is_published_was_built_tested_and_attested() -> None:
    assert JOBS["publish"]["needs"] == "build"
    built, published = commands("build"), commands("publish")
    assert built.index("python -m build") < built.index("make test") < built.index("cyclonedx_py")
    order = ["attest-build-provenance", "attest-sbom", "gh release create", "gh-action-pypi-publish"]
    assert sorted(order, key=published.index) == order
    assert "for each in . wheels/*/" in built


def test_the_notes_have_the_changelog_and_the_changes_of_the_schema() -> None:
    built = commands("build")
    for command in ("scripts.release_notes", "acp-codegen changelog", "acp-codegen diff"):
        assert command in built
    assert notes("# All\n\n## 2\n\nnew\n\n## 1\n\nold\n") == "new\n"
    assert "\n## " not in notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", [ROOT / ".github/workflows/release.yml", *ACTIONS], ids=lambda path: path.parent.name)
def test_an_action_is_pinned_and_says_by_what(path: Path) -> None:
    used = re.findall(r"uses: (\S+)@(\S+)(.*)", path.read_text(encoding="utf-8"))
    assert used
    for name, pin, comment in used:
        assert re.fullmatch(r"[0-9a-f]{40}", pin) or "# tag, not a commit" in comment, name


def test_the_locked_versions_are_ours_and_have_digests() -> None:
    text = (ROOT / "actions/requirements.txt").read_text(encoding="utf-8")
    entries = re.split(r"^(?=\S)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)[1:]
    locked = {canonicalize_name(Requirement(entry.partition(" \\")[0]).name): entry for entry in entries}
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    pins = {canonicalize_name(pin.name): str(pin.specifier) for pin in CONSTRAINTS}
    assert all(f"{name}{pins[name]}" in canonical(entry) for name, entry in locked.items() if name in pins)
    needed = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["check"], "hatchling"]
    assert {canonicalize_name(Requirement(each).name) for each in needed} <= {*locked}


def canonical(entry: str) -> str:
    name, _, rest = entry.partition("==")
    return f"{canonicalize_name(name)}=={rest}"


@pytest.mark.parametrize("path", ACTIONS, ids=lambda path: path.parent.name)
def test_the_actions_install_what_is_locked(path: Path) -> None:
    installs = [line for line in path.read_text(encoding="utf-8").splitlines() if "pip install" in line]
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert "--no-deps --no-build-isolation" in installs[1]


@pytest.mark.environment
@pytest.mark.parametrize("folder", DISTRIBUTIONS)
def test_a_distribution_is_built_from_its_sdist_as_from_the_checkout(tmp_path: Path, folder: str) -> None:
    built(ROOT / folder, tmp_path / "direct")
    (sdist,) = (tmp_path / "direct").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    built(unpacked, tmp_path / "again", "wheel")
    (one,), (other,) = ((tmp_path / name).glob("*.whl") for name in ("direct", "again"))
    assert one.name == other.name
    assert one.name.startswith(f"{DISTRIBUTIONS[folder]}-")
    assert contents(one) == contents(other)


def built(folder: Path, out: Path, *targets: str) -> None:
    given = [part for target in targets for part in ("-t", target)]
    command = [sys.executable, "-m", "hatchling", "build", *given, "-d", str(out)]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("RECORD")}


@pytest.mark.environment
def test_the_wheel_of_the_tool_has_no_tests_no_examples_of_rules_and_no_development_pins(tmp_path: Path) -> None:
    built(ROOT, tmp_path, "wheel")
    held = contents(next(tmp_path.glob("*.whl")))
    assert [
        name
        for name in held
        if ("tests/" in name and "starters/" not in name)
        or ("rules/" in name and name.endswith(".json"))
        or name.endswith(".zip")
    ] == []
    metadata = next(text.decode() for name, text in held.items() if name.endswith("METADATA"))
    assert "Provides-Extra: dev" not in metadata
    assert "pytest" not in metadata.partition("\n\n")[0]
