"""What the protocol requires of agents and clients, as data: `requirements.json` of the package, read when it is asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

from .additions import announced

__all__ = ["Coverage", "Requirement", "requirements"]

FILE = "requirements.json"


class Coverage(Struct, frozen=True, kw_only=True):
    """Where a requirement is tested: example messages (paths below `messages/`), rules of `acp-codegen`, `path::name` of tests and probes."""

    examples: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()


class Requirement(Struct, frozen=True, kw_only=True):
    """A statement that binds agents or clients.

    `id` is `source/name` and stays. `source`: an RFD, at its `stage`, or a vendor's key after a `_` (`stage` is None).
    `level`: must, should or may. `binds`: agent, client or both. `on`: methods, types, and properties (`Type.property`);
    empty where it is about connections as a whole.
    """

    id: str
    source: str
    stage: str | None
    level: str
    binds: str
    on: tuple[str, ...]
    text: str
    covered: Coverage = Coverage()


def requirements() -> Mapping[str, Requirement]:
    """Every requirement by its id: those of the schema, and of the packages that add to this one and are imported."""
    home = (__package__ or "").rpartition(".")[0]
    return {each.id: each for package in (home, *announced()) for each in _of(package)}


@cache
def _of(package: str) -> tuple[Requirement, ...]:
    """The requirements of a package; none where its schema has none."""
    file = files(package).joinpath(FILE)
    if not file.is_file():
        return ()
    return convert(json.loads(file.read_text(encoding="utf-8")), tuple[Requirement, ...])
