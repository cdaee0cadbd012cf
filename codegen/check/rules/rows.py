"""How the tables of rules in this folder write their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import Fault
from ...findings.finding import Level
from ...findings.rule import RELATED, Became, Check, Effect, Hit, Rule
from ...model.kind import Kind


def change(
    family: str,
    id_: str,
    meaning: Effect | Kind | Mapping[Kind, Effect],
    on: type,
    check: Check | str,
    purpose: str,
    reasoning: str,
    instead: str,
    mirror: str | None = None,
    *,
    became: Became | None = None,
) -> Rule:
    """A rule about a change. `meaning`: its effect, or the relations that it is about, each with the effect that it has.

    `check` may be a text, which then is the message of every hit; `{p...}` in it is a part of the pair.
    """
    when = {meaning: RELATED[meaning]} if isinstance(meaning, Kind) else {} if isinstance(meaning, Effect) else meaning
    return Rule(
        id=id_,
        family=family,
        effect=meaning if isinstance(meaning, Effect) else next(iter(when.values())),
        when=when,
        became=became,
        on=on,
        check=_says(check) if isinstance(check, str) else check,
        purpose=purpose,
        reasoning=reasoning,
        instead=instead,
        mirror=mirror,
    )


def _says(text: str) -> Check:
    def check_always(pair: Any) -> Iterator[Hit]:
        yield Hit(message=text.format(p=pair))

    return check_always


def lint(
    family: str, id_: str, level: Level, on: type, check: Check, purpose: str, instead: str, reasoning: str = ""
) -> Rule:
    """A rule about one schema by itself."""
    return Rule(
        id=id_,
        family=family,
        effect=Effect.LINT,
        level=level,
        on=on,
        check=check,
        purpose=purpose,
        instead=instead,
        reasoning=reasoning,
    )


def fault_lint(family: str, fault: Fault, on: type, check: Check) -> Rule:
    """A rule that finds what reading or loading refuses too, wherever else the schema is wrong."""
    return lint(family, fault.id, Level.error, on, check, fault.purpose, fault.instead, fault.reasoning)


def silent(_: object) -> Iterator[Hit]:
    """The check of a rule whose findings are made elsewhere."""
    yield from ()
