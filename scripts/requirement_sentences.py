"""List sentences with MUST, SHOULD or MAY of a specification that no statement of x-requirements covers.

    python scripts/requirement_sentences.py FILE-OR-FOLDER...

A statement covers a sentence if it has the sentence's level or a stronger one, and half of the words of either. What words cannot
decide is in requirement_sentences.toml: the beginning of a sentence, and the statement that covers it, or why none has to.
Lower-case words count too, except "may". Exits with 1 if a sentence is left.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_ROOT = Path(__file__).parents[1]
_LEVELS = {"must": 2, "shall": 2, "required": 2, "should": 1, "recommended": 1, "may": 0, "optional": 0}
_MODAL = re.compile(r"\b(MUST|SHALL|REQUIRED|SHOULD|RECOMMENDED|MAY|OPTIONAL|[Mm]ust|[Ss]hould)\b")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"(-])|\s-\s(?=[A-Z])")
_WORD = re.compile(r"[A-Za-z][A-Za-z/]+")
_COMMON = frozenset(
    "a an the and or of to in on for with by as at is are be been it its this that these those not no if when which any all from"
    " can will has have do does only also than then into must should may shall required".split()
)
_ENOUGH = 0.5


class Sentence(NamedTuple):
    """A sentence, where it is, and how binding it is."""

    file: str
    line: int
    level: int
    text: str


class Statement(NamedTuple):
    """A statement of x-requirements."""

    id: str
    level: int
    words: frozenset[str]


def sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of a text with such a word; a list item, a paragraph or a row of a table ends one."""
    paragraph: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        begins = re.match(r"\s*(?:[-*|#>]|\d+\.)\s*", line)
        fenced ^= line.lstrip().startswith("```")
        if fenced or begins or not line.strip():
            yield from _of(paragraph, path)
            paragraph = []
        if not fenced and line.strip() and not line.lstrip().startswith("```"):
            paragraph.append((number, line[begins.end() :] if begins else line))
    yield from _of(paragraph, path)


def _of(paragraph: list[tuple[int, str]], path: Path) -> Iterator[Sentence]:
    whole = " ".join(text.strip() for _, text in paragraph)
    for sentence in _END.split(whole):
        modals = _MODAL.findall(sentence)
        if modals:
            begin = " ".join(sentence.split())[:20]
            line = next((number for number, text in paragraph if begin[:12] in text), paragraph[0][0])
            yield Sentence(
                path.name, line, max(_LEVELS[m.lower()] for m in modals), " ".join(sentence.split()).strip("* ")
            )


def words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, without endings."""
    found = (word.lower() for word in _WORD.findall(text))
    return frozenset(re.sub(r"(?:ing|ed|es|s)$", "", word) for word in found if word not in _COMMON)


def statements(schema: Path) -> list[Statement]:
    """The statements of a schema."""
    table = json.loads(schema.read_text(encoding="utf-8"))["x-requirements"]
    return [
        Statement(f"{source}/{name}", _LEVELS[row["level"]], words(row["text"]))
        for source, rows in table.items()
        for name, row in rows.items()
    ]


def nearest(sentence: Sentence, known: Iterable[Statement]) -> tuple[float, str]:
    """The statement with the most words in common, and the part of the shorter one's words."""
    own = words(sentence.text)
    scores = [
        (len(own & s.words) / max(min(len(own), len(s.words)), 4), s.id) for s in known if s.level >= sentence.level
    ]
    return max(scores, default=(0.0, ""))


def uncovered(
    paths: Iterable[Path], known: list[Statement], decided: dict[str, str]
) -> Iterator[tuple[Sentence, float, str]]:
    """The sentences that nothing covers, with the nearest statement."""
    for path in paths:
        for sentence in sentences(path):
            score, id_ = nearest(sentence, known)
            if score < _ENOUGH and not any(sentence.text.startswith(begin) for begin in decided):
                yield sentence, score, id_


def main(arguments: list[str]) -> int:
    """Print what is left."""
    files = [
        file
        for name in arguments
        for file in (sorted(Path(name).rglob("*.*")) if Path(name).is_dir() else [Path(name)])
    ]
    decided = tomllib.loads((Path(__file__).with_suffix(".toml")).read_text(encoding="utf-8"))["covered"]
    known = statements(_ROOT / "schema.json")
    wrong = [id_ for id_ in decided.values() if "/" in id_ and " " not in id_ and id_ not in {s.id for s in known}]
    if wrong:
        print(f"requirement_sentences.toml names no statement: {', '.join(wrong)}", file=sys.stderr)
        return 2
    left = list(uncovered(files, known, decided))
    for sentence, score, id_ in left:
        level = {2: "MUST", 1: "SHOULD", 0: "MAY"}[sentence.level]
        print(
            f"{sentence.file}:{sentence.line}: {level}: {sentence.text}\n    nearest: {id_ or 'none'} ({score:.0%} of the words)"
        )
    total = sum(1 for file in files for _ in sentences(file))
    print(f"{total} sentences, {len(left)} that no statement covers")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
