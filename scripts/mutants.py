"""How many planted faults the tests catch: `python -m scripts.mutants [PACKAGE ...] [--sample N] [--seed N]`, which is `make mutants`.

mutmut plants the faults and runs the tests that reach each of them. Of every package the same N mutants are drawn each time;
another `--seed` draws others, and `--sample 0` takes them all, which takes hours. Survivors are printed: `.venv/bin/mutmut show NAME` says
what each one changes.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MUTMUT = Path(sys.executable).with_name("mutmut")
SEED = 20
CAUGHT = "killed", "timeout", "suspicious", "caught by type check", "segfault"
"""What mutmut says of a fault that was caught; a test that does not end caught it, too."""


def package_of(mutant: str) -> str:
    """`codegen.model.naming.wire_names.x_snake__mutmut_1` is one of model, `generated._runtime.connection.ordering...` one of the runtime."""
    top, package, *_ = mutant.split(".")
    return "runtime" if top == "generated" else package


def outcomes() -> dict[str, str]:
    """Every mutant with what became of it."""
    ran = subprocess.run([MUTMUT, "results", "--all", "true"], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = (line.strip().rpartition(": ") for line in ran.stdout.splitlines() if "__mutmut_" in line)
    return {name: outcome for name, _, outcome in lines}


def drawn(mutants: Iterable[str], packages: Sequence[str], size: int, seed: int) -> list[str]:
    """The mutants that are looked at: of each package the same ones every time that the seed is the same."""
    by_package: defaultdict[str, list[str]] = defaultdict(list)
    for mutant in sorted(mutants):
        by_package[package_of(mutant)].append(mutant)
    chosen = (names for package, names in by_package.items() if not packages or package in packages)
    return [
        name
        for names in chosen
        for name in (random.Random(seed).sample(names, min(size, len(names))) if size else names)
    ]


def main() -> int:
    """Plant, run, count; exit code 1 where a package is below its goal."""
    parser = argparse.ArgumentParser(prog="python -m scripts.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", help="document, model, findings, check, validate, runtime")
    parser.add_argument("--sample", type=int, default=60, help="mutants of each package; 0: all (default: 60)")
    parser.add_argument("--goal", type=float, default=90.0, help="percentage that has to be caught (default: 90)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"another one draws other mutants (default: {SEED})")
    asked = parser.parse_args()
    # A name that no mutant has: mutmut plants all of them and finds out which tests reach which, and runs none.
    subprocess.run([MUTMUT, "run", "--max-children", "2", "none"], cwd=ROOT, capture_output=True, check=False)
    names = drawn(outcomes(), asked.packages, asked.sample, asked.seed)
    if not names:
        sys.exit("no mutants: run `.venv/bin/mutmut run none` to see why")
    subprocess.run([MUTMUT, "run", "--max-children", "2", *names], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    found = outcomes()
    by_package: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        by_package[package_of(name)].append(name)
    scores: dict[str, float] = {}
    for package, members in by_package.items():
        survivors = [name for name in members if found[name] not in CAUGHT]
        scores[package] = 100 * (len(members) - len(survivors)) / len(members)
        print(f"{package}: {scores[package]:.1f}% of {len(members)} caught")
        for name in survivors:
            print(f"    {found[name]}: {name}")
    print(json.dumps(scores))
    return int(min(scores.values()) < asked.goal)


if __name__ == "__main__":
    sys.exit(main())
