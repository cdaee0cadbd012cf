"""`vendor`: create, update and check the package in another project's source tree. No argument parsing, no printing.

The package's manifest stores the inputs, so a later run needs only the directory:

    schema        a relative path, unless it is the schema of the tool
    extensions    relative paths, so that later edits count; and the texts, in case the files are missing
    options       as given
    parts         the parts beside the core; a package over another one has the parts of its base
    runtime       whether it is installed; a package over another one uses the runtime of its base

Paths are stored only for files below the current directory, because other paths are meaningless to other users. An
extension from elsewhere is stored only as text. A schema from elsewhere must be named in each run.
"""

from __future__ import annotations

import keyword
import os
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

import msgspec

from .document.json_types import is_json_object
from .emit.parts import ALL, INSTALLED, PARTS, in_order, parse_parts, part_of, with_needed
from .errors import InputError, printable, quoted
from .pipeline import (
    ON,
    Refuse,
    Say,
    Source,
    default_schema,
    generate,
    made_from,
    read_extensions,
    read_lock,
)
from .resources import resource
from .shape.public import RUNTIME, RUNTIME_REQUIREMENT
from .upgrade.note import PartChoice
from .upgrade.usages import MARKS
from .write.conflicts import ADVICE, branches
from .write.diff import Change
from .write.manifest import (
    NAME,
    Manifest,
    Memory,
    RememberedExtension,
    RememberedSchema,
    check_base,
    find_base,
    read_manifest,
    unreadable,
    with_line_feeds,
)

COMMAND = "acp-codegen vendor DEST"
_NO_TESTING = "--no-testing"
"""An option in manifests that predate the choice of parts."""
_NEVER_STUBS = tuple(f"{module}.py" for module in PARTS["client"].modules)
"""Modules that earlier versions wrote only in full. For modules of other parts, they wrote a stub that raised an
error.
"""


class Planned(msgspec.Struct, frozen=True):
    """The changes that a directory needs, with their reasons."""

    changes: list[Change]
    causes: tuple[str, ...]
    is_alike: bool = True
    """True if the existing package is of the same kind: complete, or over the same base package."""
    parts: PartChoice = PartChoice()


def plan(
    dest: Path,
    *,
    schema: Path | None = None,
    extend: Sequence[Path] | None = None,
    stable: bool | None = None,
    on: str | None = None,
    add_parts: Sequence[str] = (),
    drop_parts: Sequence[str] = (),
    installed: bool | None = None,
    resolve: bool = False,
    refuse: Refuse,
    note: Say,
    progress: Say,
) -> Planned:
    """Plan the changes that a directory needs to contain the package. Nothing is written.

    None for a schema, extensions or an option: as in the previous run. `add_parts` and `drop_parts` are command-line
    values and change the parts of the previous run. `resolve`: the directory has the conflicts of a merge; the inputs
    of both branches count. Raises InputError or SchemaError.
    """
    _check_name(dest)
    both = None
    if resolve:
        from .resolve import resolved  # noqa: PLC0415

        has_options = any(option is not None for option in (stable, on, installed))
        both = resolved(dest, note, has_schema=schema is not None, has_options=has_options)
    manifest = both[0] if both else _manifest(dest, needed=extend is None)
    memory = (manifest and manifest.vendored) or Memory()
    if extend is None and manifest is not None and len(manifest.extensions) != len(memory.extensions):
        raise InputError(
            str(dest), "was generated with extensions that its manifest does not list; pass them with --extend"
        )
    base, kept_schema = _schema(dest, schema, memory, is_new=manifest is None)
    found, kept_extensions = _remembered(dest, memory, note) if extend is None else _given(dest, extend)
    onto = _on(manifest) if on is None else _package(on)
    base_manifest = find_base(dest, onto) if onto else None
    if below := _on(base_manifest):
        problem = f"would extend {onto}, which itself extends {below}; pass {below} to --on"
        raise InputError(str(dest), f"{problem} (several packages over one base work together)")
    parts = chosen_parts(dest, manifest, onto, base_manifest, add_parts, drop_parts, note)
    source = Source(
        name=str(base),
        data=_read(base),
        lock=read_lock(base),
        extensions=found,
        stable=(manifest is not None and "--stable" in manifest.options) if stable is None else stable,
        on=onto,
        parts=parts.now,
        implied=parts.implied,
        installed=_installed(dest, manifest, onto, base_manifest, installed, note),
    )
    if source.on and not found:
        raise InputError(str(dest), f"would add nothing to {source.on}; pass an extension with --extend")
    if base_manifest is not None:
        check_base(dest, onto, base_manifest, source.name, source.data, stable=source.stable)
    kept = Memory(kept_schema, kept_extensions)
    found = generate(source, dest, command=COMMAND, kept=kept, both=both, refuse=refuse, note=note, progress=progress)
    made = {part_of(change.path) for change in found}
    for part in source.parts:
        if PARTS[part].modules and part not in parts.before and part not in made:
            note(f"{dest}: the part {part} is empty for this schema")
    causes = tuple(_causes(manifest, made_from(source, kept), found)) if found else ()
    return Planned(found, causes, is_alike=_on(manifest) == source.on, parts=parts)


def note_of(dest: Path, found: Planned) -> list[str]:
    """The effects of the changes on the project that contains the directory, as lines; see `upgrade`."""
    from .upgrade.note import migration_note  # noqa: PLC0415

    return migration_note(dest, _project(dest.resolve()), found.changes, found.parts)


def coverage_hint(dest: Path) -> str:
    """The coverage setting that omits the package; empty if none is needed."""
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
            return f"to exclude the package from coverage, add {inside}/* to {where}"
    return ""


def _mentions_coverage(path: Path) -> bool:
    return (path.name == ".coveragerc" and path.exists()) or "[coverage:run]" in _text(path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _causes(before: Manifest | None, after: Manifest, found: Sequence[Change]) -> Iterator[str]:
    """The reasons why a package is out of date: its sources or its files have changed."""
    if before is None:
        return
    if before.generator != after.generator:
        yield "another version of the tool wrote the package"
    if before.schema != after.schema:
        yield "the schema has changed"
    if before.extensions != after.extensions:
        yield "the extensions have changed"
    if (_recorded_parts(before), before.implied) != (after.parts, after.implied):
        yield "the parts of the package have changed"
    if ({*before.options} - {_NO_TESTING}, before.names) != ({*after.options}, after.names):
        yield "the options or the names lock have changed"
    if edited(found):
        yield "files were edited by hand"
    gone = [change.path for change in found if change.state == "missing" and change.path in before.files]
    if gone:
        yield "somebody deleted files"


def edited(found: Sequence[Change]) -> list[Change]:
    """The changes that would undo manual edits."""
    return [change for change in found if change.state == "edited by hand"]


def _check_name(dest: Path) -> None:
    place = Path(os.path.abspath(dest))  # `resolve` would follow a link to another name
    if not _is_importable(place.name):
        hint = f"; write the path with slashes: {str(dest).replace(chr(92), '/')}" if "\\" in place.name else ""
        raise InputError(str(dest), f"{place.name!r} is not a valid Python package name{hint}")
    if place.parent in (Path.cwd(), Path.cwd() / "src") and place.name in {*sys.stdlib_module_names, "msgspec"}:
        raise InputError(str(dest), f"would hide the module {place.name} from this project; choose another name")
    folded = place.name.casefold()
    names = [path.name for path in sorted(place.parent.glob("*")) if path.name.casefold() == folded]
    if other := next((name for name in names if name != place.name), None):
        problem = f"differs only in case from {other}, and some systems do not distinguish them"
        raise InputError(str(dest), f"{problem}; write {other}, or rename that directory first")


def _is_importable(name: str) -> bool:
    """Return whether `import` finds a module of this name. Python normalises identifiers."""
    return name.isidentifier() and not keyword.iskeyword(name) and name == unicodedata.normalize("NFKC", name)


def _on(manifest: Manifest | None) -> str:
    """The base package in a manifest; empty for a complete package."""
    names = [option.removeprefix(ON) for option in (manifest.options if manifest else ()) if option.startswith(ON)]
    return _package(names[0]) if names else ""


def _package(name: str) -> str:
    if name and not all(map(_is_importable, name.split("."))):
        raise InputError("--on", f"{name!r} is not a valid import name of a package")
    return name


def _manifest(dest: Path, *, needed: bool) -> Manifest | None:
    manifest = read_manifest(dest)
    if manifest is None and needed and (dest / NAME).exists():
        problem = unreadable(_read(dest / NAME))
        problem += "; restore it, or pass the extensions again (--extend, --no-extend)"
        if branches(_read(dest / NAME)):
            problem = ADVICE
        raise InputError(str(dest / NAME), problem)
    return manifest


def _installed(
    dest: Path, manifest: Manifest | None, on: str, base: Manifest | None, given: bool | None, note: Say
) -> bool:
    """Return whether a package uses an installed runtime: like its base package, as given, or as before. Raises
    InputError.
    """
    before = manifest is not None and INSTALLED in manifest.options
    if base is not None:
        its = INSTALLED in base.options
        if given not in (None, its):
            raise InputError(
                str(dest),
                f"uses the runtime of {on}, which is {'installed' if its else 'copied'}; choose the runtime there",
            )
        return its
    found = before if given is None else given
    if found and not before:
        note(f"{dest}: uses an installed runtime; add {RUNTIME_REQUIREMENT} to the dependencies of the project")
    return found


# --- parts -----------------------------------------------------------------------------------------------------------


def chosen_parts(
    dest: Path,
    manifest: Manifest | None,
    on: str,
    there: Manifest | None,
    added: Sequence[str],
    dropped: Sequence[str],
    note: Say,
) -> PartChoice:
    """The parts of a package before and after. `there`: the manifest of the base package. Raises InputError."""
    before = _recorded_parts(manifest)
    base = None if there is None else in_order(_recorded_parts(there))
    add, drop = parse_parts("--with", added), parse_parts("--without", dropped, {**dict.fromkeys((*ALL, *before))})
    if both := sorted(add & drop):
        raise InputError(str(dest), f"--with and --without both name {both[0]}")
    unknown = [part for part in before if part not in ALL and part not in drop]
    if unknown:
        problem = (
            f"has the part {quoted(unknown[0])}, which is unknown to this version of the tool; update the tool, or "
            f"remove the part: --without {quoted(unknown[0])}"
        )
        raise InputError(str(dest / NAME), problem)
    if base is not None:
        if drop or add - {*base}:
            wrong = in_order(drop or add - {*base})
            problem = f"has the parts of {on} ({', '.join(base) or 'none'}); choose {', '.join(wrong)} there, then run this again"
            raise InputError(str(dest), problem)
        return PartChoice(before, base)
    if on and not add:
        note(f"{dest}: cannot find {on} from here; list its parts with --with")
    asked = {*before} - {*(manifest.implied if manifest is not None else ())} | add
    now = with_needed(asked - drop)
    if kept := [part for part in now if part in drop]:
        needing = in_order([part for part in now if kept[0] in PARTS[part].needs])
        problem = f"lacks the part {kept[0]}, which {' and '.join(needing)} need{'s' * (len(needing) == 1)}"
        raise InputError("--without", f"{problem}; remove all of them: --without {','.join([*kept, *needing])}")
    is_first = manifest is not None and manifest.parts is None
    if now and not added and not dropped and manifest is not None and not is_first:
        note(f"{dest}: keeps its parts, {', '.join(now)} (--with adds parts, --without removes them)")
    is_first_choice = is_first and bool(before) and not added and not dropped
    return PartChoice(before, now, in_order({*now} - asked), is_first_choice)


def _recorded_parts(manifest: Manifest | None) -> tuple[str, ...]:
    """The parts that a package had. For manifests of earlier tool versions, they are derived from its files."""
    if manifest is None:
        return ()
    if manifest.parts is None:
        return in_order({*map(part_of, manifest.files)})
    found = {part_of(path) for path in manifest.files if path.startswith(RUNTIME) or path in _NEVER_STUBS}
    return (*manifest.parts, *in_order(found - {*manifest.parts}))


# --- the schema ------------------------------------------------------------------------------------------------------


def _schema(dest: Path, given: Path | None, memory: Memory, *, is_new: bool) -> tuple[Path, RememberedSchema | None]:
    """The schema to use, and the reference to store."""
    ours = resource("schema.json")
    if given is None and not is_new:
        if memory.schema is None:
            return ours, None
        if memory.schema.path is None:
            problem = (
                "was generated from a schema outside the working directory of that run; pass the schema with --schema"
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
        RememberedExtension(path.name, _path(path, dest), _remembered_text(extension))
        for path, extension in zip(paths, found, strict=True)
    )
    return found, kept


def _remembered_text(extension: Any) -> str:
    return with_line_feeds(extension.document.text).decode()


def _remembered(dest: Path, memory: Memory, note: Say) -> tuple[Any, tuple[RememberedExtension, ...]]:
    from .document.overlay import parse_extension  # noqa: PLC0415

    found: list[Any] = []
    kept: list[RememberedExtension] = []
    for extension in memory.extensions:
        path = None if extension.path is None else _within(dest, extension.path)
        if path is not None and path.exists():
            (read,) = read_extensions([path])
            extension = msgspec.structs.replace(extension, text=_remembered_text(read))  # noqa: PLW2901
        else:
            if extension.path is not None:
                why = "outside the project" if path is None else "not there"
                at = printable(str(path or extension.path))
                note(f"{at}: {why}; using the previous text from {NAME}")
            read = parse_extension(extension.text.encode(), extension.name)
        found.append(read)
        kept.append(extension)
    return tuple(found), tuple(kept)


# --- paths -----------------------------------------------------------------------------------------------------------


def _path(file: Path, dest: Path) -> str | None:
    """A file's path relative to the directory, with slashes; None if it is not below the working directory."""
    here, target, start = Path.cwd().resolve(), file.resolve(), dest.resolve()
    if not target.is_relative_to(here) or not start.is_relative_to(here):
        return None
    return way(start, target)


def way(start: PurePath, target: PurePath) -> str | None:
    """The path from a directory to a file, with slashes; None if there is none, for instance to another drive."""
    for up, parent in enumerate((start, *start.parents)):
        if target.is_relative_to(parent):
            return "/".join((*[".."] * up, *target.relative_to(parent).parts))
    return None


def _from(dest: Path, path: str) -> Path:
    """A stored path, relative to the current directory. Raises InputError if it leaves the project."""
    found = _within(dest, path)
    if found is None:
        problem = f"refers to {quoted(path)}, which is not in the project; pass the schema with --schema"
        raise InputError(str(dest / NAME), problem)
    return found


def _within(dest: Path, path: str) -> Path | None:
    """A stored path relative to the current directory; None if it leaves the project."""
    found = Path(os.path.normpath(dest / path))
    inside = path.isprintable() and found.resolve().is_relative_to(_project(dest.resolve()))
    return found if inside else None


def _project(dest: Path) -> Path:
    """The root of a directory's project: the repository or the working directory, whichever is wider."""
    parents = [parent for parent in dest.parents if parent == Path.cwd().resolve() or (parent / ".git").exists()]
    marked = [parent for parent in dest.parents if any((parent / name).exists() for name in MARKS)]
    return (parents or marked or [dest])[-1]
