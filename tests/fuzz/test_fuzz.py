"""Each fuzzing target, from examples on: a fixed number of runs, or FUZZ_SECONDS seconds, as in CI."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TARGETS = {
    "frames": ("examples/messages/**/*.json", 30_000),
    "codec": ("examples/messages/client/session/update/*.json", 400_000),
    "overlay": ("examples/extensions/*.json", 28_000),
    "validate": ("tests/codegen/validate/rules/*/*.ndjson", 60_000),
}
"""The first inputs and the number of runs. The first two take 15 s of processor time, the others a minute."""

pytestmark = [
    pytest.mark.environment,
    pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris does not install on this platform"),
]


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_that_anyone_can_send_does_harm(target: str, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    seeds, runs = TARGETS[target]
    for number, seed in enumerate(sorted(ROOT.glob(seeds))):
        (corpus / str(number)).write_bytes(seed.read_bytes())
    assert any(corpus.iterdir())
    seconds = os.environ.get("FUZZ_SECONDS")
    length = f"-max_total_time={int(seconds)}" if seconds else f"-runs={runs}"
    options = [length, "-seed=20", "-max_len=8192", f"-artifact_prefix={tmp_path}/", str(corpus)]
    command = [sys.executable, "-m", "tests.fuzz", target, *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-3000:]
    assert "Done " in ran.stderr
