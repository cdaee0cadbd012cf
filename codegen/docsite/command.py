"""The command `docs`: read the inputs of a site, and plan the changes in its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

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
from ..write.directory import Directory, opened
from ..write.manifest import Manifest, digest, parse_manifest
from .book.cache import MEMORY, Memory, Recalled, parse_memory, wire_digest
from .book.context import Book
from .book.releases import Given, History, history
from .build import fingerprint, pages, pictures_of, render
from .render.html import Html
from .render.mdx import Mdx

MANIFEST = "site.json"
"""Says which files of a folder are the site's, so that no other file is ever removed."""

EXAMPLES = Path("examples", "messages")
GUIDES = "docs"
Say = Callable[[str], None]


class Options(Struct, frozen=True, kw_only=True):
    """What a site is made from. Folders that are None are looked for beside the schema; `base`: where MDX pages will be."""

    schema: Path
    extend: Sequence[Path] = ()
    examples: Path | None = None
    guides: Path | None = None
    releases: Sequence[tuple[str, Path]] = ()
    name: str = "unreleased"
    format: Literal["html", "mdx"] = "html"
    base: str = "/reference"


def planned(options: Options, out: Path, *, note: Say, progress: Say) -> list[Change]:
    """What has to change in a folder for it to hold the site. Nothing is written; raises InputError or SchemaError."""
    source = read_source(options.schema, options.extend)
    with opened(out) as directory:
        known = _known(directory)
        memory = parse_memory(directory.read(MEMORY) if MEMORY in known else None)

        def current(path: str) -> str | None:
            data = directory.read(path) if path in known else None
            return data.decode("utf-8", "surrogateescape") if data is not None and digest(data) == known[path] else None

        progress("loading the schema")
        pictures = pictures_of(_beside(options.schema, options.guides, GUIDES))
        manifest = _manifest(source, options)
        recalled = Recalled(memory, fingerprint() + manifest.generator)
        book = _book(options, source, recalled, note)
        progress("writing pages")
        made = pages(book, frozenset(pictures), recalled)
        writer = Html(book.title, made) if options.format == "html" else Mdx(book.title, made, options.base)
        files, digests = render(writer, made, memory, current)
    files |= {f"guides/{name}": text for name, text in pictures.items()}
    files[MEMORY] = Memory(digests, recalled.kept).text()
    files[MANIFEST] = manifest.text(files)
    return changes(out, files, MANIFEST)


def _known(directory: Directory) -> Mapping[str, str]:
    """The files that an earlier run wrote into a directory: by path the digest."""
    manifest = parse_manifest(directory.read(MANIFEST))
    return manifest.files if manifest is not None else {}


def _manifest(source: Source, options: Options) -> Manifest:
    from msgspec.structs import replace  # noqa: PLC0415

    return replace(made_from(source), options=("docs", options.format))


def _book(options: Options, source: Source, recalled: Recalled, note: Say) -> Book:
    document = source.document()
    if source.extensions:
        check_names(document)
    lock = parse_lock(source.lock, f"{source.name}: its lock")
    annotated, schema, shapes, _ = load_shapes(document, stable=False, bare=False, refuse=refuse, note=note, lock=lock)
    folder = _beside(options.schema, options.examples, EXAMPLES)
    found, unknown = read_examples([folder], schema) if folder is not None else ([], [])
    for name in unknown:
        note(f"{name}: is not an example of a method of this schema, and is left out")
    return Book(
        annotated,
        schema,
        shapes,
        examples=found,
        guides=_guides(_beside(options.schema, options.guides, GUIDES)),
        history=_history(options, source, recalled),
    )


def _beside(schema: Path, given: Path | None, usual: Path | str) -> Path | None:
    """A folder that was given, which must be there, or the usual one beside the schema, if there is one."""
    if given is not None:
        if not given.is_dir():
            raise InputError(str(given), "is not a directory")
        return given
    found = schema.parent / usual
    return found if found.is_dir() else None


def _guides(folder: Path | None) -> dict[str, str]:
    if folder is None:
        return {}
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.md")):
        try:
            found[path.stem] = read_bytes(path).decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise InputError(str(path), "is not UTF-8; save it as UTF-8") from None
    return found


def _history(options: Options, source: Source, recalled: Recalled) -> History:
    """The releases that were given, and after them this schema, unless it is the last of them."""
    given: list[Given] = []
    texts: list[bytes] = []
    for name, path in options.releases:
        if not is_release(name) or name in (each.name for each in given):
            problem = (
                "is given twice"
                if is_release(name)
                else "is not the name of a release: use letters, digits and . _ + / -"
            )
            raise InputError(name, problem)
        texts.append(read_bytes(path))
        lock = parse_lock(read_lock(path), f"{path}: its lock")
        given.append(Given(name, parse(texts[-1], str(path)), lock, digest(texts[-1])))
    if given and (texts[-1] != source.data or source.extensions):
        if options.name in (each.name for each in given):
            raise InputError(options.name, "is the name of a release; choose another --name for this schema")
        document, lock = source.document(), parse_lock(source.lock, f"{source.name}: its lock")
        given.append(Given(options.name, document, lock, wire_digest(document.value)))
    return history(given, read_ledger(None, options.schema, RULES, lambda _: False), recalled)
