"""Write the playground into a directory, by default `site/playground`.

The runtime is npm's package `pyodide`; PyPI has the wheels. The page loads only files beside it, so serve the directory:
`python -m http.server --directory site`, then open `/playground/`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYODIDE = "314.0.7"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PLATFORM = "--platform pyemscripten_2026_0_wasm32 --python-version 314 --implementation cp --abi cp314"
"""Of that Pyodide, as pip names it."""
PACKAGES = ("msgspec", "jsonschema", "jsonschema-specifications", "referencing", "attrs")
"""What `validate` and `diff` need. rpds-py, which jsonschema needs, has no wheel for Pyodide: see `rpds`."""


def main(out: Path) -> None:
    """Write all files of the page."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("the playground needs npm, which gets Pyodide")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _run(npm, "pack", "--silent", f"pyodide@{PYODIDE}", "--pack-destination", folder)
        with tarfile.open(home / f"pyodide-{PYODIDE}.tgz") as archive:
            for name in RUNTIME:
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                (out / name).write_bytes(member.read())
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
        wheels = [f"{name}=={_pinned(name)}" for name in PACKAGES]
        _run(*pip, "download", "--no-deps", "--only-binary=:all:", *PLATFORM.split(), "--dest", folder, *wheels)
        _run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, str(ROOT))
        _bundle(sorted(home.glob("*.whl")), out / "packages.zip")
    for page in sorted((Path(__file__).parent / "page").iterdir()):
        shutil.copyfile(page, out / page.name)
    shutil.copyfile(ROOT / "schema.json", out / "schema.json")


def _bundle(wheels: list[Path], target: Path) -> None:
    """Put the modules of all wheels into one archive."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if not name.startswith("acp_tools/"):
                        bundle.writestr(name, archive.read(name))
        for name in ("rpds", "play"):
            bundle.write(Path(__file__).with_name(f"{name}.py"), f"{name}.py")


def _pinned(name: str) -> str:
    found = re.search(
        rf"^{re.escape(name)}==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None, f"constraints.txt has no {name}"
    return found[1]


def _run(*command: str) -> None:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"{' '.join(command[:4])} failed: {ran.stderr.strip()[-1000:]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site" / "playground")
