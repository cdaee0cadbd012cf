"""Queries of a schema's requirements: by RFD, method or type, and all of them as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from .capabilities import fields
from .root import Requirement
from .types import Method, Reference, Schema


def of_source(schema: Schema, source: str) -> tuple[Requirement, ...]:
    """The requirements of an RFD, or of a vendor (its key after a `_`)."""
    return tuple(each for each in schema.requirements if each.source == source)


def uncovered(schema: Schema, source: str) -> tuple[str, ...]:
    """The requirements of an RFD or a vendor without tests."""
    return tuple(each.id.partition("/")[2] for each in of_source(schema, source) if each.covered.empty)


def about_method(schema: Schema, method: Method) -> tuple[Requirement, ...]:
    """The requirements that name a method, its params or its result, or a property of these."""
    subjects = {method.path, method.params, method.result}
    return tuple(each for each in schema.requirements if any(_subject(name) in subjects for name in each.on))


def about_definition(schema: Schema, name: str) -> tuple[Requirement, ...]:
    """The requirements that name a definition or one of its properties."""
    return tuple(each for each in schema.requirements if any(_subject(on) == name for on in each.on))


def in_force(schema: Schema, requirement: Requirement) -> bool:
    """Return whether peers must meet a requirement today: its RFD is completed, or it is a vendor's."""
    rfd = (schema.rfds or {}).get(requirement.source)
    return rfd is None or rfd.stable


def dangling(schema: Schema, requirement: Requirement) -> Iterator[str]:
    """The missing parts of the schema that a requirement names."""
    paths = {method.path for method in schema.methods}
    for name in requirement.on:
        if name in paths or name in schema.definitions:
            continue
        owner, _, member = name.rpartition(".")
        if owner not in schema.definitions or member not in {f.name for f in fields(schema, Reference(owner))}:
            yield name


def as_data(schema: Schema, requirement: Requirement) -> dict[str, Any]:
    """A requirement as JSON: `id`, `source`, `stage`, `level`, `binds`, `on`, `text`, `covered`; `stage` is null for a
    vendor's.
    """
    rfd = (schema.rfds or {}).get(requirement.source)
    covered = {kind: list(names) for kind, names in asdict(requirement.covered).items() if names}
    return {
        "id": requirement.id,
        "source": requirement.source,
        "stage": rfd.stage if rfd is not None else None,
        "level": requirement.level,
        "binds": requirement.binds,
        "on": list(requirement.on),
        "text": requirement.text,
        "covered": covered,
    }


def _subject(name: str) -> str:
    """The method or definition that an entry of `on` names."""
    return name if "/" in name else name.partition(".")[0]
