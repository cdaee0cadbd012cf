"""Run the official SDK's own tests on `acp_compat`, and write the results into docs/from-the-sdk.md.

Run `.venv/bin/python -m scripts.compat_suite [-v]`. It downloads the SDK's source into `.interop`; nothing of it is
committed. With -v, it prints the failures and writes nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.support import official_sdks

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "from-the-sdk.md"
BEGIN, END = "<!-- Written by `python -m scripts.compat_suite`. -->\n", "<!-- The end of the table of tests. -->"
INTERNAL = re.compile(
    r"^\s*(?:from|import) acp(?:\.\w+)*\.(?:_\w+|utils|router|protocol)\b|^from scripts\.|\w\._receive_loop\b",
    re.MULTILINE,
)
"""Uses of what is not part of the SDK's public interface: modules, its own generator, private methods."""
REQUIREMENTS = ("pytest==9.2.0", "pytest-asyncio", "pytest-timeout", "pydantic>=2.13", "msgspec", "uvicorn", "httpx")


def main(*options: str) -> None:
    """Write the table, or print the failures."""
    python = official_sdks.environment(*REQUIREMENTS)
    (site,) = python.parents[1].glob("lib/python*/site-packages")
    (site / "acp_compat.pth").write_text(f"{ROOT}\n")  # also for programs that tests start without the environment
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "sdk")
        shutil.copytree(official_sdks.examples().parent, place)
        for path in (*place.glob("tests/**/*.py"), *place.glob("examples/*.py")):
            path.write_text(_renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
        shutil.rmtree(place / "src")
        report = place / "report.xml"
        command = (
            python,
            "-m",
            "pytest",
            "-q",
            "--tb=line",
            "--timeout=60",
            f"--junitxml={report}",
            "-o",
            "asyncio_mode=auto",
            "--continue-on-collection-errors",
            "tests",
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(place)))}
        ran = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
        if "-v" in options:
            sys.stdout.write(ran.stdout[-20_000:])
        results = _results(report)
        for path in place.glob("tests/**/test_*.py"):
            if "collection failure" in results[path.stem].values():  # its tests did not run
                names = re.findall(r"^\s*(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
                results[path.stem] = dict.fromkeys(names, _missing(ran.stdout, path))
        internal = {path.stem for path in place.glob("tests/**/*.py") if INTERNAL.search(_original(path))}
    table = "".join(_rows(results, internal))
    if "-v" in options:
        sys.stdout.write(table)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{table}{END}{rest.split(END)[1]}", encoding="utf-8")


def _renamed(text: str) -> str:
    """A program that imports the compatibility package."""
    text = re.sub(r"^(\s*)from acp(?=[. ])", r"\1from acp_compat", text, flags=re.MULTILINE)
    text = re.sub(r"^(\s*)import acp$", r"\1import acp_compat as acp", text, flags=re.MULTILINE)
    return re.sub(r"^(\s*)import acp\.", r"\1import acp_compat.", text, flags=re.MULTILINE)


def _original(path: Path) -> str:
    return path.read_text(encoding="utf-8").replace("acp_compat", "acp")


def _missing(output: str, path: Path) -> str:
    """The module that a file could not import."""
    part = output.partition(f"ERROR collecting {'/'.join(path.parts[path.parts.index('tests') :])}")[2]
    found = re.search(r"No module named '(?:acp_compat\.)?([\w.]+)'", part)
    return f"{found[1]} is not offered" if found else "cannot be imported"


def _results(report: Path) -> dict[str, dict[str, str]]:
    """For each file, its tests with what failed; empty for those that pass."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for case in ET.parse(report).getroot().iter("testcase"):  # our own report
        failed = next(
            (each.get("message") or each.tag for each in case if each.tag in ("failure", "error", "skipped")), ""
        )
        path = case.get("classname") or case.get("name") or ""
        found[next((part for part in path.split(".") if part.startswith("test_")), path)][case.get("name") or ""] = (
            failed
        )
    return found


def _rows(results: dict[str, dict[str, str]], internal: set[str]) -> Iterator[str]:
    yield "| tests of the SDK | tests | pass | the others |\n| --- | --- | --- | --- |\n"
    total = passed = 0
    for name, tests in sorted(results.items()):
        if not tests:
            continue
        good = sum(not failed for failed in tests.values())
        if name not in internal:
            total, passed = total + len(tests), passed + good
        shown = (failed.partition(": Command ")[0] for failed in tests.values() if failed)  # without a machine's paths
        reasons = {re.sub(r"[|`\s]+", " ", each)[:60].strip() for each in shown}
        reason = "test internals of the SDK" if name in internal and reasons else "; ".join(sorted(reasons)[:2])
        yield f"| `{name}` | {len(tests)} | {good} | {reason} |\n"
    yield f"| all of the public interface | {total} | {passed} ({passed / max(total, 1):.0%}) | |\n"


if __name__ == "__main__":
    main(*sys.argv[1:])
