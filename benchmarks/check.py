"""How long `check` and `diff` take, as multiples of starting Python and importing msgspec. Run: python benchmarks/check.py"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
START = [sys.executable, "-c", "import msgspec"]
CASES = {
    "check, no findings": [sys.executable, "-m", "codegen", "check"],
    "diff, two equal schemas": [sys.executable, "-m", "codegen", "diff", "schema.json", "schema.json"],
}
UPSTREAM = ROOT.parent / "shared" / "upstream"
if UPSTREAM.is_dir():
    files = [str(UPSTREAM / release / "schema.unstable.json") for release in ("v1.21.0", "current")]
    CASES["diff, two releases"] = [sys.executable, "-m", "codegen", "diff", *files]


def seconds(command: list[str], runs: int = 7) -> float:
    """The best of some runs: what the machine does besides only ever adds."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(  # our own command line
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        )
        best = min(best, time.perf_counter() - start)
    return best


if __name__ == "__main__":
    base = seconds(START)
    print(f"{'python, import msgspec':<28} {base:6.3f} s")
    for name, command in CASES.items():
        taken = seconds(command)
        print(f"{name:<28} {taken:6.3f} s  {taken / base:5.1f} x  {taken - base:+6.3f} s")
