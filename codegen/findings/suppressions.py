"""Settings of `check`, in `pyproject.toml` or a similar file: suppressed findings, and facts about releases.

    [tool.acp-codegen.check]
    suppress = [
        { rule = "union-untagged", pointer = "/$defs/Server", reason = "published so" },
    ]
    releases = "v*"
    minimum-deprecation = "90 days"

In a pointer, `*` matches any one step, and `**` any number of them. A finding that prevents the generation of a
package cannot be suppressed.

`releases` is a pattern for tags, of which the ten newest count, or a table of tags, each with the last day on which it is live:
`{ "v1.4.0" = "2027-06-30" }`. `minimum-deprecation` is the time before a deprecated part may be removed, in days or
releases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal, cast

from msgspec import Struct

from ..diagnostics import FAULTS
from ..document.json_types import is_json_array, is_json_object
from ..document.positions import lines_of
from ..document.read import read_bytes
from ..errors import InputError, printable, quoted, suggested
from .finding import Finding, Place


class Suppression(Struct, frozen=True, kw_only=True):
    """One entry of the list; `index` counts from 0."""

    rule: str
    pointer: str
    reason: str
    index: int

    def matches(self, finding: Finding) -> bool:
        """Return whether it matches a finding."""
        return self.rule == finding.id and leads_to(self.pointer, finding.pointer)


def leads_to(pattern: str, pointer: str) -> bool:
    """Return whether a pattern with `*` and `**` matches a pointer."""
    return re.fullmatch(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), pointer) is not None


class Config:
    """The suppressions of a file, whether each was used, and the settings about releases."""

    def __init__(
        self, path: Path | None, text: bytes, suppressions: Sequence[Suppression], policy: Policy | None = None
    ) -> None:
        self.path, self.text, self.suppressions = path, text, tuple(suppressions)
        self.policy = policy or Policy()
        self.used: set[int] = set()
        self.judged: set[str] | None = None
        """The rules that ran; None for all."""

    def excuses(self, finding: Finding) -> bool:
        """Return whether a suppression matches a finding."""
        return any(s.matches(finding) for s in self.suppressions)

    def keep(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that are not suppressed."""
        kept: list[Finding] = []
        for finding in findings:
            matching = [s.index for s in self.suppressions if s.matches(finding)]
            self.used.update(matching)
            if not matching:
                kept.append(finding)
        return kept

    def unused(self) -> list[Suppression]:
        """The unused suppressions of rules that ran."""
        return [
            s for s in self.suppressions if s.index not in self.used and (self.judged is None or s.rule in self.judged)
        ]

    def place(self, index: int) -> Place:
        """The position of an entry."""
        line, column = entry_places(self.text, len(self.suppressions))[index]
        return Place(str(self.path), line, column)


_TOKENS = (
    r"""(?P<header>^[ \t]*\[\[[^\n]*\bNAME\b[^\n]*\]\])|(?P<list>^[^\n#"']*\bNAME\s*=\s*\[)"""
    r"""|(?P<skip>\"{3}.*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*)|(?P<open>\{)|(?P<close>\})"""
)


def entry_places(text: bytes, count: int, name: str = "suppress") -> list[tuple[int, int]]:
    """Line and column of each entry of a list. TOML libraries do not report positions, so this searches the text.
    Entries that it does not find get the beginning of the file.
    """
    decoded = text.decode(errors="replace")
    found: list[tuple[int, int]] = []
    depth, within = 0, False
    for token in re.finditer(_TOKENS.replace("NAME", name), decoded, re.DOTALL | re.MULTILINE):
        kind, start = token.lastgroup, token.start()
        if kind == "list":
            within = True
        depth += {"open": 1, "close": -1}.get(kind or "", 0)
        if kind == "header" or (within and kind == "open" and depth == 1):
            start = token.end() - len(token.group().lstrip())
            line = decoded.count("\n", 0, start) + 1
            found.append((line, start - decoded.rfind("\n", 0, start)))
    return [*found, *[(1, 1)] * count][:count]


def read_config(path: Path | None, schema: Path, known: Mapping[str, object]) -> Config:
    """The suppressions in a file, or in the pyproject.toml beside the schema; raises CodegenError."""
    found = path or schema.parent / "pyproject.toml"
    if path is None and not found.is_file():
        return Config(None, b"", ())
    text = read_bytes(found)
    table = _table(parse_toml(text, found), found, "tool", "acp-codegen", "check")
    for key in table:
        if key not in ("suppress", *KEYS):
            raise InputError(str(found), f"[tool.acp-codegen.check] has the unknown setting {quoted(key)}")
    entries = table.get("suppress", [])
    if not is_json_array(entries):
        raise InputError(str(found), "`suppress` must be a list")
    places = entry_places(text, len(entries))
    named = [f"{found}:{':'.join(map(str, places[index]))}" for index in range(len(entries))]
    suppressions = [_entry(entry, index, named[index], known) for index, entry in enumerate(entries)]
    return Config(found, text, suppressions, read_policy(table, str(found)))


def parse_toml(text: bytes, path: Path) -> dict[str, Any]:
    """The value of a TOML file; raises InputError."""
    import tomllib  # noqa: PLC0415  # only where there is something to read

    try:
        return tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problem, _, where = str(error).partition(" (at ")
        end = error.start if isinstance(error, UnicodeDecodeError) else len(text.rstrip())
        line, column = re.findall(r"\d+", where) or lines_of(text).at(end)
        raise InputError(f"{path}:{line}:{column}", f"is not valid TOML: {printable(problem)}") from None
    except RecursionError:
        raise InputError(str(path), "is nested too deeply") from None


def _table(value: Any, path: Path, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key, {})
        if not is_json_object(value):
            raise InputError(str(path), f"`{key}` must be a table")
    return dict(value)


def check_entry(
    entry: Mapping[str, Any], keys: Sequence[str], known: Mapping[str, object], place: str, which: str
) -> None:
    """Raise InputError for an entry with missing keys or an unknown rule."""
    for key in keys:
        if not entry.get(key, "").strip():
            raise InputError(place, f"{which} has no {key}")
    if entry["rule"] not in known:
        raise InputError(place, f"{which}: unknown rule {quoted(entry['rule'])}{suggested(entry['rule'], known)}")


def check_pointer(pointer: str, place: str, which: str) -> None:
    """Raise InputError for an invalid pointer."""
    if not pointer.startswith(("/", "*")):
        text = f"{quoted(pointer)} is not a valid JSON pointer; expected a pointer that begins with `/`, as in reports"
        raise InputError(place, f"{which}: {text}")


def _entry(entry: Any, index: int, place: str, known: Mapping[str, object]) -> Suppression:
    which = f"suppression {index + 1}"
    if not is_json_object(entry) or not all(isinstance(value, str) for value in entry.values()):
        raise InputError(place, f"{which} must be a table of strings: rule, pointer, reason")
    if set(entry) - {"rule", "pointer", "reason"}:
        extra = min(set(entry) - {"rule", "pointer", "reason"})
        raise InputError(place, f"{which} has the unknown setting {quoted(extra)}; expected rule, pointer, reason")
    check_entry(entry, ("rule", "pointer", "reason"), known, place, which)
    if any(fault.id == entry["rule"] for fault in FAULTS):
        text = f"{which}: {entry['rule']} cannot be suppressed, because it prevents the generation of a package"
        raise InputError(place, text)
    if entry["rule"] == "suppression-unused":
        raise InputError(place, f"{which}: an unused suppression cannot be suppressed; remove it")
    check_pointer(entry["pointer"], place, which)
    return Suppression(**entry, index=index)


KEYS = ("releases", "minimum-deprecation")


class Policy(Struct, frozen=True, kw_only=True):
    """The settings. `live`: the last day of each tag; None for the newest tags of the pattern."""

    pattern: str = "v*"
    live: Mapping[str, date] | None = None
    minimum: int = 90
    unit: Literal["days", "releases"] = "days"

    def __str__(self) -> str:
        return f"{self.minimum} {self.unit[: -1 if self.minimum == 1 else None]}"


def read_policy(table: Mapping[str, Any], place: str) -> Policy:
    """Read the policy from a table of settings. Raises InputError."""
    releases = table.get("releases", Policy().pattern)
    period = re.fullmatch(r"(\d{1,4}) (day|release)s?", str(table.get("minimum-deprecation", Policy())))
    if period is None:
        raise InputError(place, '`minimum-deprecation` must be a period like "90 days" or "2 releases"')
    if isinstance(releases, str) and releases:
        live, pattern = None, releases
    elif is_json_object(releases):
        live, pattern = {name: _day(day, name, place) for name, day in releases.items()}, Policy().pattern
    else:
        raise InputError(place, '`releases` must be a pattern for tags ("v*") or a table of tags and days')
    unit = cast("Literal['days', 'releases']", f"{period[2]}s")
    return Policy(pattern=pattern, live=live, minimum=int(period[1]), unit=unit)


def _day(value: object, name: str, place: str) -> date:
    try:
        return value if type(value) is date else date.fromisoformat(str(value))
    except ValueError:
        text = f"`releases`: {name} must have a day like 2027-06-30, found {quoted(value)}"
        raise InputError(place, text) from None
