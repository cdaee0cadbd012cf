"""A few seconds of each fuzzing target, from the example messages and transcripts on. Longer: `python -m tests.fuzz TARGET`."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 5
SEEDS = {
    "frames": "examples/messages/**/*.json",
    "codec": "examples/messages/client/session/update/*.json",
    "overlay": "examples/extensions/*.json",
    "validate": "tests/codegen/validate/rules/*/*.ndjson",
}

pytestmark = [
    pytest.mark.environment,
    pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris does not install on this platform"),
]


@pytest.mark.parametrize("target", SEEDS)
def test_nothing_that_anyone_can_send_does_harm(target: str, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(sorted(ROOT.glob(SEEDS[target]))):
        (corpus / str(number)).write_bytes(seed.read_bytes())
    assert any(corpus.iterdir())
    options = [f"-max_total_time={SECONDS}", "-seed=20", "-max_len=8192", f"-artifact_prefix={tmp_path}/", str(corpus)]
    command = [sys.executable, "-m", "tests.fuzz", target, *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-3000:]
    assert "Done " in ran.stderr
