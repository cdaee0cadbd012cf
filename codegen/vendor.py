"""`vendor`: the package in someone else's source tree: made there, kept up to date, checked. No argument parsing, no printing.

Its manifest remembers what it was made from, so that the directory alone is enough to repeat it:

    a schema      as a path from the directory, where it was not the one that came with the tool
    extensions    as paths from the directory, so that edits of them count, and as text, for when they are not there
    options       as they were given

Only files below the directory that the command ran in are remembered by path: paths to anywhere else mean nothing to
the next person. An extension from elsewhere is remembered by its text alone; a schema from elsewhere has to be named again.
"""

from __future__ import annotations

import keyword
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

import msgspec

from .document.jsonvalue import is_json_object
from .emit.manifest import NAME, Manifest, Memory, RememberedExtension, RememberedSchema, read_manifest
from .emit.write import Change
from .errors import InputError, printable, quoted
from .migration.usages import MARKS
from .pipeline import (
    NO_TESTING,
    ON,
    Say,
    Source,
    default_schema,
    made_from,
    package_changes,
    read_extensions,
    read_lock,
)
from .resources import resource

COMMAND = "acp-codegen vendor DEST"


class Planned(msgspec.Struct, frozen=True):
    """What would have to change in a directory, and why, in words."""

    changes: list[Change]
    causes: tuple[str, ...]
    is_alike: bool = True
    """Whether the package there is of the same kind: one of its own, or one that adds to the same other one."""


def plan(
    dest: Path,
    *,
    schema: Path | None = None,
    extend: Sequence[Path] | None = None,
    stable: bool | None = None,
    on: str | None = None,
    testing: bool | None = None,
    note: Say,
    progress: Say,
) -> Planned:
    """What would have to change in a directory for it to hold the package; nothing is written.

    None for a schema, extensions or an option: as the last time. Raises InputError or SchemaError.
    """
    _check_name(dest)
    manifest = _manifest(dest, needed=extend is None)
    memory = (manifest and manifest.vendored) or Memory()
    if extend is None and manifest is not None and len(manifest.extensions) != len(memory.extensions):
        raise InputError(
            str(dest), "was generated with extensions that its manifest does not list; name them with --extend"
        )
    base, kept_schema = _schema(dest, schema, memory, is_new=manifest is None)
    found, kept_extensions = _remembered(dest, memory, note) if extend is None else _given(dest, extend)
    source = Source(
        name=str(base),
        data=_read(base),
        lock=read_lock(base),
        extensions=found,
        stable=(manifest is not None and "--stable" in manifest.options) if stable is None else stable,
        on=_on(manifest) if on is None else _package(on),
        testing=(manifest is None or NO_TESTING not in manifest.options) if testing is None else testing,
    )
    if source.on and not found:
        raise InputError(str(dest), f"would add nothing to {source.on}; name an extension with --extend")
    kept = Memory(kept_schema, kept_extensions)
    found = package_changes(source, dest, command=COMMAND, kept=kept, note=note, progress=progress)
    causes = tuple(_causes(manifest, made_from(source, kept), found)) if found else ()
    return Planned(found, causes, is_alike=_on(manifest) == source.on)


def note_of(dest: Path, found: Sequence[Change]) -> list[str]:
    """What changes mean for the project that the directory is in, as lines; see `migration`."""
    from .migration.note import migration_note  # noqa: PLC0415

    return migration_note(dest, _project(dest.resolve()), found)


def coverage_hint(dest: Path) -> str:
    """What to add to a project's settings of coverage, so that it leaves the package out; empty where nothing is to be added."""
    import tomllib  # noqa: PLC0415  # only where a package is new

    dest = dest.resolve()
    for root in [parent for parent in dest.parents if any((parent / name).exists() for name in MARKS)][:1]:
        inside = dest.relative_to(root).as_posix()
        try:
            settings: Any = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            settings = {}
        tools = settings.get("tool")
        found: Any = tools.get("coverage") if is_json_object(tools) else None
        ini = [name for name in (".coveragerc", "setup.cfg", "tox.ini") if _mentions_coverage(root / name)]
        if (found or ini) and inside not in (str(found) + "".join(_text(root / name) for name in ini)):
            where = f"`omit` of [tool.coverage.run] in {root.name}/pyproject.toml" if found else f"`omit` in {ini[0]}"
            return f"to leave the package out of coverage, add {inside}/* to {where}"
    return ""


def _mentions_coverage(path: Path) -> bool:
    return (path.name == ".coveragerc" and path.exists()) or "[coverage:run]" in _text(path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _causes(before: Manifest | None, after: Manifest, found: Sequence[Change]) -> Iterator[str]:
    """Why a package is not what it should be: what it was made from has changed, or what is there."""
    if before is None:
        return
    if before.generator != after.generator:
        yield "another version of the tool wrote the package"
    if before.schema != after.schema:
        yield "the schema has changed"
    if before.extensions != after.extensions:
        yield "the extensions have changed"
    if (before.options, before.names) != (after.options, after.names):
        yield "the options or the lock of names have changed"
    if edited(found):
        yield "somebody edited it by hand"
    gone = [change.path for change in found if change.state == "missing" and change.path in before.files]
    if gone:
        yield "somebody deleted files"


def edited(found: Sequence[Change]) -> list[Change]:
    """The changes that would undo what somebody wrote by hand."""
    return [change for change in found if change.state == "edited by hand"]


def _check_name(dest: Path) -> None:
    name = Path(os.path.abspath(dest)).name  # `resolve` would follow a link to another name
    if not name.isidentifier() or keyword.iskeyword(name):
        raise InputError(str(dest), f"{name!r} is not a valid Python package name")


def _on(manifest: Manifest | None) -> str:
    """The package to which that of a manifest adds; empty where it holds everything."""
    names = [option.removeprefix(ON) for option in (manifest.options if manifest else ()) if option.startswith(ON)]
    return _package(names[0]) if names else ""


def _package(name: str) -> str:
    if name and not all(part.isidentifier() and not keyword.iskeyword(part) for part in name.split(".")):
        raise InputError("--on", f"{name!r} is not a valid import name of a package")
    return name


def _manifest(dest: Path, *, needed: bool) -> Manifest | None:
    manifest = read_manifest(dest)
    if manifest is None and needed and (dest / NAME).exists():
        problem = "is not a readable manifest; restore it, or name the extensions again (--extend, --no-extend)"
        raise InputError(str(dest / NAME), problem)
    return manifest


# --- the schema ------------------------------------------------------------------------------------------------------


def _schema(dest: Path, given: Path | None, memory: Memory, *, is_new: bool) -> tuple[Path, RememberedSchema | None]:
    """The schema to use, and how it is remembered."""
    ours = resource("schema.json")
    if given is None and not is_new:
        if memory.schema is None:
            return ours, None
        if memory.schema.path is None:
            problem = (
                "was generated from a schema outside the working directory of that run; name the schema with --schema"
            )
            raise InputError(str(dest), problem)
        return _from(dest, memory.schema.path), memory.schema
    path = given or default_schema()
    return path, None if path.resolve() == ours.resolve() else RememberedSchema(_path(path, dest))


def _read(path: Path) -> bytes:
    from .document.read import read_bytes  # noqa: PLC0415  # as everywhere: what only some runs need is imported late

    return read_bytes(path)


# --- extensions ------------------------------------------------------------------------------------------------------


def _given(dest: Path, paths: Sequence[Path]) -> tuple[Any, tuple[RememberedExtension, ...]]:
    found = read_extensions(paths)
    kept = tuple(
        RememberedExtension(path.name, _path(path, dest), extension.document.text.decode())
        for path, extension in zip(paths, found, strict=True)
    )
    return found, kept


def _remembered(dest: Path, memory: Memory, note: Say) -> tuple[Any, tuple[RememberedExtension, ...]]:
    from .document.overlay import parse_extension  # noqa: PLC0415

    found: list[Any] = []
    kept: list[RememberedExtension] = []
    for extension in memory.extensions:
        path = None if extension.path is None else _within(dest, extension.path)
        if path is not None and path.exists():
            (read,) = read_extensions([path])
            extension = msgspec.structs.replace(extension, text=read.document.text.decode())  # noqa: PLW2901
        else:
            if extension.path is not None:
                why = "outside the project" if path is None else "not there"
                at = printable(str(path or extension.path))
                note(f"{at}: {why}; using its previous text, kept in {NAME}")
            read = parse_extension(extension.text.encode(), extension.name)
        found.append(read)
        kept.append(extension)
    return tuple(found), tuple(kept)


# --- paths -----------------------------------------------------------------------------------------------------------


def _path(file: Path, dest: Path) -> str | None:
    """A file's path from the directory, with slashes; None for one that is not below the working directory."""
    here, target, start = Path.cwd().resolve(), file.resolve(), dest.resolve()
    if not target.is_relative_to(here) or not start.is_relative_to(here):
        return None
    return way(start, target)


def way(start: PurePath, target: PurePath) -> str | None:
    """The path from a directory to a file, with slashes on every system; None where no path leads there, as to another drive."""
    for up, parent in enumerate((start, *start.parents)):
        if target.is_relative_to(parent):
            return "/".join((*[".."] * up, *target.relative_to(parent).parts))
    return None


def _from(dest: Path, path: str) -> Path:
    """A remembered path as it is from here; raises InputError where it leaves the project, as no path of ours does."""
    found = _within(dest, path)
    if found is None:
        problem = f"remembers {quoted(path)}, which is not in the project; name the schema with --schema"
        raise InputError(str(dest / NAME), problem)
    return found


def _within(dest: Path, path: str) -> Path | None:
    """A remembered path as it is from here; None where it leaves the project."""
    found = Path(os.path.normpath(dest / path))
    inside = path.isprintable() and found.resolve().is_relative_to(_project(dest.resolve()))
    return found if inside else None


def _project(dest: Path) -> Path:
    """Where the project of a directory begins: the repository, or the working directory, whichever is wider."""
    parents = [parent for parent in dest.parents if parent == Path.cwd().resolve() or (parent / ".git").exists()]
    marked = [parent for parent in dest.parents if any((parent / name).exists() for name in MARKS)]
    return (parents or marked or [dest])[-1]
