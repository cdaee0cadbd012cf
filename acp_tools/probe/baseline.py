"""Known failures: a baseline that a run has written, and a hand-written list of expected failures with reasons."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .codegen_api import InputError
from .json_types import is_json_array, is_json_object, one_object
from .results import Result, Sheet, Status

_BASELINE = "acp-codegen probe baseline"


def read_expected(path: Path) -> dict[str, str]:
    """Read expected failures from a TOML file with tables `[[expected]]`, each with `id` and `reason`. Raises
    InputError for anything else.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("expected", [])
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"is not valid TOML: {error}") from None
    reasons: dict[str, str] = {}
    entries: list[Any] = found if is_json_array(found) else [found]
    for index, entry in enumerate(entries, 1):
        if not (
            is_json_object(entry)
            and set(entry) == {"id", "reason"}
            and all(isinstance(v, str) and v.strip() for v in entry.values())
        ):
            raise InputError(str(path), f"entry {index} of `expected` must have an id and a reason, both texts")
        reasons[entry["id"]] = entry["reason"]
    return reasons


def read_baseline(path: Path) -> dict[str, str]:
    """The failures of an earlier run. Raises InputError if the file is not a baseline."""
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        found = None
    failures = one_object(found).get("failures") if one_object(found).get("kind") == _BASELINE else None
    if not is_json_array(failures) or not all(isinstance(id_, str) for id_ in failures):
        raise InputError(str(path), "is not a baseline; --write-baseline writes one")
    return dict.fromkeys(failures, "it is in the baseline")


def baseline(sheet: Sheet) -> str:
    """The baseline of a run."""
    failures = [result.requirement.id for result in sheet.of(Status.FAIL)]
    return json.dumps({"kind": _BASELINE, "failures": failures}, indent=1) + "\n"


def unknown(reasons: Mapping[str, str], sheet: Sheet, known: Sequence[str]) -> list[str]:
    """Ids without a requirement."""
    families = ("served/", "answered/", "params/")
    return [id_ for id_ in reasons if id_ not in sheet.results and id_ not in known and not id_.startswith(families)]


def stale(reasons: Mapping[str, str], sheet: Sheet) -> list[str]:
    """Expected failures that now pass."""
    return [id_ for id_ in reasons if id_ in sheet.results and sheet.results[id_].status is Status.PASS]


def surprising(results: Sequence[Result], reasons: Mapping[str, str]) -> list[Result]:
    """Unexpected failures."""
    return [result for result in results if result.requirement.id not in reasons]
