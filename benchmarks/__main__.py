"""`make bench`: measure the rows, print the table; a full run also writes the results, the report and the plot."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from . import environments, report
from .machine import described
from .measure import result, sample
from .model import Setting
from .rows import rows
from .workers import workers

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".venv-bench"
QUICK_ROUNDS = 3


def main() -> int:
    """Returns the exit code: 0 however fast things were."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", default=[""], help="beginnings of row ids: decode, pipe/updates, ...")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds, without the slow rows")
    parser.add_argument("--fresh", action="store_true", help="make the peers' environments anew, with newest versions")
    parser.add_argument("--list", action="store_true", help="say which rows there are")
    parser.add_argument("--report", action="store_true", help="write plots and documents again from results.json")
    options = parser.parse_args()
    if options.report:
        environments.make(ROOT, FOLDER, {"plot"}, fresh=False)
        report.show(ROOT, environments.python(FOLDER / "plot"))
        return 0
    selected = [row for row in rows(tuple(options.rows)) if not (options.quick and row.slow)]
    if options.list or not selected:
        print("\n".join(f"{row.id:<28} {row.what}" for row in rows()))
        return 0 if selected else 2
    names = set(environments.ENVIRONMENTS)
    environments.make(ROOT, FOLDER, names, fresh=options.fresh)
    start = time.monotonic()
    measured = []
    with tempfile.TemporaryDirectory() as scratch, workers(ROOT, FOLDER) as worker:
        setting = Setting(ROOT, FOLDER, Path(scratch), worker)
        for row in selected:
            print(row.id, file=sys.stderr, flush=True)
            rounds = min(row.rounds, QUICK_ROUNDS) if options.quick else row.rounds
            measured.append(result(row, sample(row, setting, rounds)))
    results = {
        **described(),
        "versions": environments.versions(FOLDER, names),
        "seconds": round(time.monotonic() - start),
        "rows": measured,
    }
    print(report.plain(results))
    if options.quick or options.rows != [""]:
        print("a part or a quick look: nothing written", file=sys.stderr)
    else:
        report.write(results, ROOT, environments.python(FOLDER / "plot"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
