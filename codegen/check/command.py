"""What the commands `check` and `diff` do, step by step. No argument parsing, no printing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..document.annotations import annotated
from ..document.read import Document, parse, read_bytes
from ..errors import InputError, SchemaError, printable
from ..findings.explained import explained
from ..findings.finding import Finding, Level
from ..findings.grouping import grouped
from ..findings.rule import Effect
from ..findings.suppressions import Config, read_config
from ..load.schema import load
from ..model.types import Schema
from ..pipeline import extended, read_extensions
from .inputs import judged, read_side, sides
from .lint import lint, refused
from .rules import RULES
from .side import Side

Say = Callable[[str], None]
EXAMPLES = Path("examples", "messages")


def compare_files(old: Path, new: Path, *, unstable: bool) -> tuple[list[Finding], list[Side]]:
    """The findings of `diff`, and both sides."""
    before, after = sides(read_side(old), read_side(new))
    return grouped(explained(judged(before, after, unstable=unstable))), [before, after]


def check(
    path: Path,
    *,
    extend: Sequence[Path] = (),
    against: str | None = None,
    config: Path | None = None,
    unstable: bool = False,
    note: Say,
) -> tuple[list[Finding], dict[str, bytes]]:
    """The findings of `check`, and the texts they stand in by name."""
    settings = read_config(config, path, RULES)
    text = read_bytes(path)
    try:
        document = annotated(extended(parse(text, str(path)), read_extensions(extend)))
    except SchemaError as error:
        return settings.keep(explained(refused(error))), {str(path): text}
    schema = _load(document)
    base = _base(path, extend, against, note)
    base = annotated(base) if base is not None else None
    old = _earlier(base, document, schema, note)
    found = lint(document, schema, base=old, examples=_examples(path, extend))
    if base is not None and old is not None and not isinstance(schema, SchemaError):
        if old is not schema:
            found += judged(Side(base, old), Side(document, schema), unstable=unstable)
    else:
        settings.judged = {rule.id for rule in RULES.values() if rule.effect is Effect.LINT}
    # A schema that does not load was not judged, so nothing is known of what would suppress something.
    whole = isinstance(schema, Schema)
    kept = [*grouped(settings.keep(explained(found, settings.excuses))), *(_unused(settings) if whole else [])]
    texts = {document.name: document.text}
    if settings.path is not None:
        texts[str(settings.path)] = settings.text
    return sorted(kept, key=Finding.order), texts


def _examples(path: Path, extend: Sequence[Path]) -> list[Path]:
    """Where example messages are: beside the schema, and beside each extension in a directory of its name."""
    return [path.parent / EXAMPLES, *(extension.with_suffix("") / "messages" for extension in extend)]


def _load(document: Document) -> Schema | SchemaError:
    try:
        schema, _ = load(document)
    except SchemaError as error:
        return error
    return schema


def _earlier(base: Document | None, document: Document, schema: Schema | SchemaError, note: Say) -> Schema | None:
    """The schema to compare with; one that cannot be read is no reason not to judge the new one."""
    if base is None:
        return None
    if base.text == document.text and base.value == document.value and isinstance(schema, Schema):
        return schema
    found = _load(base)
    if isinstance(found, SchemaError):
        note(f"nothing to compare with, only lints: {found}")
        return None
    return found


def _unused(config: Config) -> list[Finding]:
    rule = RULES["suppression-unused"]
    return [
        Finding(
            id=rule.id,
            level=rule.level,
            category=rule.category,
            pointer=f"/tool/acp-codegen/check/suppress/{hit.pointer}",
            place=config.place(int(hit.pointer or 0)),
            message=hit.message,
            instead=rule.instead,
        )
        for hit in rule.check(config)
    ]


def _base(path: Path, extend: Sequence[Path], against: str | None, note: Say) -> Document | None:
    """The document to compare with; None where there is none, which is then said."""
    if against == "":
        raise InputError("--against", "names nothing to compare with")
    if (
        against is not None
        and (Path(against).exists() or "/" in against.partition(":")[0])
        and not _is_revision(path, against)
    ):
        return extended(parse(read_bytes(against), against), read_extensions(extend))
    from .git import Repository  # noqa: PLC0415  # only where git is asked

    repository = Repository.around(path.parent)
    inside = repository.path(path) if repository is not None else None
    if against is not None:
        if repository is None:
            raise InputError(against, "is no file, and the schema is in no git repository")
        revision, colon, other = against.partition(":")
        if not colon and inside is None:
            raise InputError(against, f"names no path, and {printable(str(path))} is not in the repository")
        return _at(repository, revision, other if colon else inside or "", extend)
    if repository is None:
        note("there is no git repository here, so there is nothing to compare with: only lints (see --against)")
        return None
    if inside is None:
        note(f"{printable(str(path))} is not in the repository: only lints (see --against)")
        return None
    revision_or_none = repository.base(inside, note)
    if revision_or_none is None or not repository.has(revision_or_none, inside):
        note(f"no commit to compare with has {printable(inside)}: only lints (see --against)")
        return None
    return _at(repository, revision_or_none, inside, extend)


def _is_revision(path: Path, against: str) -> bool:
    """Whether a text with a slash is a branch and no file."""
    if Path(against).exists():
        return False
    from .git import Repository  # noqa: PLC0415

    repository = Repository.around(path.parent)
    return repository is not None


def _at(repository: object, revision: str, inside: str, extend: Sequence[Path]) -> Document:
    """The schema in a revision, with the extensions as they were there."""
    from .git import Repository  # noqa: PLC0415

    assert isinstance(repository, Repository)
    document = parse(repository.show(revision, inside), f"{revision}:{inside}")
    paths = [(path, repository.path(path)) for path in extend]
    kept = [(path, name) for path, name in paths if name is not None and repository.has(revision, name)]
    if not kept:
        return document
    from ..document.extend import extend as apply  # noqa: PLC0415
    from ..document.overlay import parse_extension  # noqa: PLC0415

    extensions = [parse_extension(repository.show(revision, n), f"{revision}:{n}") for _, n in kept]
    return apply(document, tuple(extensions))


def failed(findings: Sequence[Finding], level: str) -> bool:
    """Whether any finding is as bad as what makes the command fail."""
    return any(finding.level >= Level[level] for finding in findings)
