"""`new extension`: the first document of a vendor's method is one that `check` accepts as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunCli


@pytest.mark.parametrize("side", ["agent", "client"])
@pytest.mark.parametrize("flags", [[], ["--notification"]], ids=["request", "notification"])
def test_check_accepts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, root: Path, side: str, flags: list[str]
) -> None:
    schema, released = root / "schema.json", tmp_path / "released.json"
    released.write_bytes(schema.read_bytes())
    monkeypatch.chdir(tmp_path)
    written = run_cli("new", "extension", "_acme/review/start", "--side", side, *flags)
    assert (written.code, written.err) == (0, "")
    checked = run_cli("check", "--schema", schema, "--extend", "acme.json", "--against", released)
    assert checked.code == 0, checked.out
    assert "has a TODO as its description" in checked.out
    again = run_cli("new", "extension", "_acme/review/start")
    assert (again.code, again.err) == (2, "acme.json: error: already exists; choose another file with --out\n")
