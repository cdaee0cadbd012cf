"""Constructors for the rows of the rule tables in this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...errors import Fault
from ...findings.rule import RELATED, Became, Check, Effect, Hit, Rule, Text, texts
from ...model.algebra.change_kind import Kind


class Rows:
    """The texts of some rules, and constructors of rows that join them with checks. `findings.rule.texts` has the
    format.
    """

    def __init__(self, written: str) -> None:
        self.texts = texts(written)

    def change(
        self,
        id_: str,
        meaning: Effect | Kind | Mapping[Kind, Effect],
        on: type,
        check: Check | None = None,
        became: Became | None = None,
        where: Callable[[Any], bool] | None = None,
    ) -> Rule:
        """A rule about a change. `meaning`: its effect, or the effect of each relation.

        Without a `check`, the text is the message of every hit; `{p...}` in it is a part of the pair. `where`: a
        condition for pairs.
        """
        related = {meaning: RELATED[meaning]} if isinstance(meaning, Kind) else meaning
        when = {} if isinstance(related, Effect) else related
        text = self.texts[id_]
        effect = related if isinstance(related, Effect) else next(iter(related.values()))
        return text.rule(id_, effect, on, check or _says(text.says, where), when=when, became=became)

    def lint(self, id_: str, on: type, check: Check) -> Rule:
        """A rule about one schema by itself."""
        return self.texts[id_].rule(id_, Effect.LINT, on, check)


def _says(text: str, where: Callable[[Any], bool] | None) -> Check:
    def check_always(pair: Any) -> Iterator[Hit]:
        if where is None or where(pair):
            yield Hit(text.format(p=pair))

    return check_always


def fault_lint(family: str, fault: Fault, on: type, check: Check) -> Rule:
    """A rule for an error of reading or loading, which is found independently of other errors."""
    text = Text(family=family, purpose=fault.purpose, instead=fault.instead, reasoning=fault.reasoning)
    return text.rule(fault.id, Effect.LINT, on, check)
