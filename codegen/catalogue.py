"""Catalogue of all rules, for the commands `rules` and `explain` and for docs/rules.md. Test fixtures serve as
examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Final

from .check.rules import RULES as SCHEMA_RULES
from .errors import CodegenError, printable, suggested
from .findings.rule import Effect, Rule
from .resources import resource
from .validate.results.rules import RULES as MESSAGE_RULES

RULES: Mapping[str, Rule] = {**SCHEMA_RULES, **MESSAGE_RULES}
"""All rules of `check`, `diff` and `validate`, by id."""

_COLUMNS: Final = 120
_WHO = {
    Effect.NARROWS: (
        "No capability can gate that. It is a warning if every receiver is lenient there, or if the type is open.",
        "new {receiver}s reading from released {sender}s",
    ),
    Effect.WIDENS: (
        (
            "Info if the type is open, or if a new capability of the receiver gates it. A warning if every use "
            "is lenient. Otherwise an error, even if only notifications carry it, because they are lost silently."
        ),
        "released {receiver}s reading from new {sender}s",
    ),
    Effect.OMITS: (
        "A warning if every receiver is lenient there, otherwise an error.",
        "released {receiver}s reading from new {sender}s",
    ),
    Effect.SHIFTS: (
        "Some values were removed and others added. A warning if every receiver is lenient there, otherwise an error.",
        "released {receiver}s and new {sender}s, and new {receiver}s and released {sender}s",
    ),
    Effect.BREAKS: (
        "The older peer misunderstands the newer one.",
        "released {receiver}s and new {sender}s, and new {receiver}s and released {sender}s",
    ),
    Effect.DROPS: (
        "Nothing fails, but meaning is lost: a warning, or an error in the request that opens a connection.",
        "new {receiver}s reading from released {sender}s",
    ),
    Effect.ADDS: ("Nobody is affected.", ""),
    Effect.SOURCE: ("The messages are the same, but programs that use the generated package must change.", ""),
    Effect.LINT: ("The rule checks one schema by itself.", ""),
    Effect.MESSAGE: ("The rule checks messages against their schema: `validate`.", ""),
}
_LEVELS = {
    Effect.NARROWS: "error",
    Effect.WIDENS: "E(g)",
    Effect.OMITS: "error",
    Effect.SHIFTS: "error",
    Effect.BREAKS: "error",
    Effect.DROPS: "warning",
    Effect.ADDS: "info",
    Effect.SOURCE: "warning",
}


def level(rule: Rule) -> str:
    """The level of a rule in a list. E(g): the level depends on receivers and gates."""
    return _LEVELS.get(rule.effect) or rule.level.name


def listing() -> str:
    """All rules, by category and family, as text."""
    width = max(len(id_) for id_ in RULES)
    lines: list[str] = []
    for category in ("wire", "source", "lint", "message"):
        lines += ["", f"{category}:"] if lines else [f"{category}:"]
        lines += [
            f"  {rule.id:<{width}}  {level(rule):<7}  {rule.purpose}"
            for rule in RULES.values()
            if rule.category.value == category
        ]
    lines += ["", "E(g): error, unless the receiver is open, lenient or gated. `explain RULE` shows the details."]
    return "\n".join(lines) + "\n"


def page() -> str:
    """The rule table as the page docs/rules.md."""
    lines = [
        "# The rules of `check`, `diff` and `validate`",
        "",
        "<!-- Written by `python -m codegen.catalogue`. -->",
        "",
        "In a clone, `acp-codegen explain RULE` shows an example of each rule.",
        "",
        "The level E(g) means an error, unless something protects old receivers. It is info if the type is open, or if a new",
        "capability of the receiver gates the change. It is a warning if the receiver is lenient there.",
        "",
        "Changes in parts of an RFD in progress count as info, unless `--unstable` is given. When the RFD is completed, all its",
        "parts count as new in the stable protocol.",
        "",
        "Published files do not mention RFDs. If only one of two files has RFDs, they apply to the other one, too. Two published",
        "files are compared without changes, including all unstable parts.",
    ]
    for title, category in (("The wire", "wire"), ("Source", "source"), ("Lints", "lint"), ("Messages", "message")):
        lines += ["", f"## {title}"]
        for rule in RULES.values():
            if rule.category.value == category:
                lines += ["", f"### {rule.id}", ""]
                lines += wrap(f"**{level(rule)}**: {rule.purpose} {rule.reasoning}", _COLUMNS, break_on_hyphens=False)
                lines += ["", *wrap(f"*Advice*: {rule.instead}", _COLUMNS, break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def explanation(id_: str) -> str:
    """Explain a rule: its purpose, its reason, the affected peers, and an example."""
    rule = RULES.get(id_)
    if rule is None:
        raise CodegenError(f"error: unknown rule {printable(id_)}{suggested(id_, RULES)} (`rules` lists them)")
    lines = [f"{rule.id} ({rule.category.value}, {level(rule)})", "", rule.purpose]
    if rule.reasoning:
        lines += ["", rule.reasoning]
    text, affected = consequences(rule)
    lines += ["", text]
    if affected:
        lines += [""] + [f"  {each}" for each in affected]
    lines += ["", f"instead: {rule.instead}"]
    shown = example_of(rule)
    lines += ["", "example:" if shown else f"example: {_examples(rule)}/{rule.id} in the repository of acp-codegen"]
    lines += [f"    {line}" if line else "" for line in shown]
    return "\n".join(lines) + "\n"


def consequences(rule: Rule) -> tuple[str, list[str]]:
    """The severity of a broken rule, and the affected peers, by direction."""
    text, who = _WHO[rule.effect]
    ways = (("client", "agent"), ("agent", "client")) if who else ()
    return text, [
        f"{sender} to {receiver}: {who.format(sender=sender, receiver=receiver)}" for sender, receiver in ways
    ]


def example_of(rule: Rule) -> list[str]:
    """The test fixture that triggers a rule, with an explanation, line by line."""
    directory = resource(_examples(rule)) / rule.id
    if not directory.is_dir():
        return []
    return list(_messages(directory) if rule.id in MESSAGE_RULES else _example(directory, rule))


def _examples(rule: Rule) -> str:
    """The folder of the repository with examples of such rules. The wheel does not contain it."""
    return "tests/codegen/validate/rules" if rule.id in MESSAGE_RULES else "tests/rules"


def _example(directory: Path, rule: Rule) -> Iterator[str]:
    """The fixture that triggers the rule: its edit or, for a lint, the reported lines."""
    before = directory / "before.json"
    if before.is_file():
        from difflib import unified_diff  # noqa: PLC0415

        old, after = _lines(before), _lines(directory / "after.json")
        changes = unified_diff(old, after, "before.json", "after.json", lineterm="", n=4)
        yield from changes
    for line in (line for line in _lines(directory / "expected") if not line.startswith(" ")):
        place, _, rest = line.partition(" ")
        *file, row, column = place.split(":")
        if not rest.partition(" ")[0].endswith(f"[{rule.id}]"):
            continue
        name = file[0] if file else "after.json"
        if not before.is_file():
            text = _lines(directory / name)
            for number in range(max(1, int(row) - 3), min(len(text), int(row) + 3) + 1):
                yield f"{'>' if number == int(row) else ' '} {text[number - 1]}"
        yield f"{name}:{row}:{column} {rest}"


def _messages(directory: Path) -> Iterator[str]:
    """The messages that trigger a rule of `validate`, with its findings."""
    files = {file.name: file for file in directory.iterdir() if file.name.startswith("trips.")}
    for name in sorted(files):
        yield from (*_lines(files[name]), "")
    yield from _lines(directory / "expected")


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    import sys

    sys.stdout.write(page())
