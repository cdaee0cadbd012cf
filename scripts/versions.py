"""The requirements of our distributions for each other, derived from the version in pyproject.toml and written where they are needed.

To release another version, change it there and in CHANGELOG.md, then run `make generate`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
HOLDERS = (
    "pyproject.toml",
    "wheels/compat/pyproject.toml",
    "wheels/package/pyproject.toml",
    "wheels/runtime/pyproject.toml",
    "codegen/runtime/entrypoints/remote.py",
    "codegen/shape/public.py",
)
"""The files with such requirements."""
_REQUIREMENT = re.compile(r'"(acp-(?:generated|remote|runtime))((?:\[\w+\])?)(==|>=)[^"]*"')


def requirements(tool: str, protocol: int) -> Mapping[tuple[str, str], str]:
    """The specifiers by distribution and operator: exactly this release, or all with the same interface.

    The package's version is the protocol's number and the tool's version. A range begins with a pre-release if the tool is one,
    because `>=0.2` excludes `0.2rc1`.
    """
    version = Version(tool)
    major, minor = version.release[:2] if len(version.release) > 1 else (*version.release, 0)
    first = str(version) if version.is_prerelease else f"{major}.{minor}"
    package = f"{protocol}.{first}"
    return {
        ("acp-generated", "=="): f"=={protocol}.{version}",
        ("acp-generated", ">="): f">={package},<{protocol}.{major}.{minor + 1}",
        **{(name, ">="): f">={first},<{major}.{minor + 1}" for name in ("acp-remote", "acp-runtime")},
    }


def derived(files: Mapping[str, str], protocol: int) -> dict[str, str]:
    """The texts of files with the requirements that follow from the version in pyproject.toml."""
    found = requirements(tomllib.loads(files["pyproject.toml"])["project"]["version"], protocol)

    def pinned(match: re.Match[str]) -> str:
        name, extra, operator = match.groups()
        return f'"{name}{extra}{found[name, operator]}"'

    return {path: _REQUIREMENT.sub(pinned, text) for path, text in files.items()}


def protocol_version() -> int:
    """The number of the protocol's version, from schema.json."""
    number: int = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))["x-handshake"]["versionNumber"]
    return number


def main() -> None:
    """Write the files that differ."""
    files = {path: (ROOT / path).read_text(encoding="utf-8") for path in HOLDERS}
    for path, text in derived(files, protocol_version()).items():
        if text != files[path]:
            (ROOT / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
