"""The command `docs`: read the inputs of a site, and plan the changes in its folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..check.lint.generate_errors import refuse
from ..check.lint.lint import read_examples
from ..check.rules import RULES
from ..document.extend import check_names
from ..document.read import parse, read_bytes
from ..errors import InputError
from ..findings.accepted_breaks import is_release, read_ledger
from ..model.naming.lock import parse_lock
from ..pipeline import Source, load_shapes, made_from, read_lock, read_source
from ..write.diff import Change, changes
from .book import Book
from .generator import build
from .guides import guide_pages, home_page, read_guides
from .pages import navigation, reference
from .releases import Given, History, history

MANIFEST = "site.json"
"""The file that lists the files of the site, so that other files in the folder are never removed."""

EXAMPLES = Path("examples", "messages")
GUIDES = "docs"
Say = Callable[[str], None]


class Options(Struct, frozen=True, kw_only=True):
    """The inputs of a site. Folders that are None are searched beside the schema. `edit`: the URL of the guides'
    sources.
    """

    schema: Path
    extend: Sequence[Path] = ()
    examples: Path | None = None
    guides: Path | None = None
    releases: Sequence[tuple[str, Path]] = ()
    name: str = "unreleased"
    edit: str = ""


def planned(options: Options, out: Path, *, note: Say, progress: Say) -> list[Change]:
    """The changes that bring a folder up to date with the site. Nothing is written. Raises InputError or SchemaError."""
    source = read_source(options.schema, options.extend)
    guides = read_guides(_beside(options.schema, options.guides, GUIDES))
    progress("loading the schema")
    book = _book(options, source, note)
    progress("writing pages")
    pages = {**guide_pages(guides, options.edit), **reference(book, home_page(guides))}
    progress("building the site")
    about = book.document.value.get("description")
    files = build(book.title, about if isinstance(about, str) else "", pages, navigation(book, guides))
    files[MANIFEST] = replace(made_from(source), options=("docs",)).text(files)
    return changes(out, files, MANIFEST)


def _book(options: Options, source: Source, note: Say) -> Book:
    document = source.document()
    if source.extensions:
        check_names(document)
    lock = parse_lock(source.lock, f"{source.name}: its lock")
    annotated, schema, shapes, _ = load_shapes(document, stable=False, bare=False, refuse=refuse, note=note, lock=lock)
    folder = _beside(options.schema, options.examples, EXAMPLES)
    found, unknown = read_examples([folder], schema) if folder is not None else ([], [])
    for name in unknown:
        note(f"{name}: skipped: it is not an example of a method of this schema")
    return Book(annotated, schema, shapes, found, _history(options, source))


def _beside(schema: Path, given: Path | None, usual: Path | str) -> Path | None:
    """A given folder, which must exist, or the default one beside the schema if it exists."""
    if given is not None:
        if not given.is_dir():
            raise InputError(str(given), "is not a directory")
        return given
    found = schema.parent / usual
    return found if found.is_dir() else None


def _history(options: Options, source: Source) -> History:
    """The given releases, followed by this schema unless it is the last of them."""
    given: list[Given] = []
    texts: list[bytes] = []
    for name, path in options.releases:
        if not is_release(name) or name in (each.name for each in given):
            problem = (
                "is given twice"
                if is_release(name)
                else "is not a valid release name: use letters, digits and . _ + / -"
            )
            raise InputError(name, problem)
        texts.append(read_bytes(path))
        lock = parse_lock(read_lock(path), f"{path}: its lock")
        given.append(Given(name, parse(texts[-1], str(path)), lock))
    if given and (texts[-1] != source.data or source.extensions):
        if options.name in (each.name for each in given):
            raise InputError(options.name, "is already the name of a release; choose another --name for this schema")
        document, lock = source.document(), parse_lock(source.lock, f"{source.name}: its lock")
        given.append(Given(options.name, document, lock))
    return history(given, read_ledger(None, options.schema, RULES, lambda _: False))
