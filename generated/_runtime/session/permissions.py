# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Responses to permission requests: by policy, by a remembered decision, or by asking.

A response selects one of the offered options. The policy alone chooses only options that decide once. It chooses a
permanent option only if the user has decided so, now or earlier. The first matching row applies:

    a remembered decision    is repeated
    a category of `reject`   is rejected
    a category of `allow`    is allowed, if an option allows it once
    `ask` is given           is called for one request at a time; a permanent answer also decides waiting requests
    otherwise                is rejected

If no option rejects, the response is the one for an interrupted session.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Struct

from ..tasks import waits

Question = TypeVar("Question")
Option = TypeVar("Option")
Category = TypeVar("Category")

Scope: TypeAlias = Literal["session", "object"]


class Asked(Struct, frozen=True, kw_only=True):
    """Attributes of permission requests and responses, and the kinds of options."""

    options: str
    id: str
    kind: str
    subject: str
    category: str
    session: str
    allow: tuple[str, str]
    """The kinds of option that allow once and permanently."""
    reject: tuple[str, str]
    picked: Callable[[Any], Any]
    """Builds the answer that selects an option."""
    interrupted: Callable[[], Any]
    """Builds the answer that selects no option."""
    part: str = ""
    """The part of a session's state that contains the subjects of questions."""
    key: str = ""
    """The attribute of a subject with its key in that part."""


class Policy(Generic[Question, Option, Category]):
    """Policy for permission requests. `allow` and `reject` are categories that are decided without asking. ``ask``
    decides the other requests: it returns an option, or None to reject. `remember`: where permanent decisions about a
    category are remembered: in their session, or in this object. The peer may remember them, too. `states`: the states
    of sessions, to look up a category that a request does not repeat.
    """

    _asked: ClassVar[Asked]

    def __init__(
        self,
        ask: Callable[[Question], Option | Awaitable[Option | None] | None] | None = None,
        *,
        allow: Collection[Category] = (),
        reject: Collection[Category] = (),
        remember: Scope | None = None,
        states: Mapping[Any, Any] | None = None,
    ) -> None:
        if isinstance(allow, str) or isinstance(reject, str):
            raise TypeError("allow and reject must be collections of categories, such as a set, not a string")
        if remember not in (None, "session", "object"):
            raise ValueError(f"remember is {remember!r}, expected 'session', 'object' or None")
        self._ask = ask
        self._allow = frozenset(allow)
        self._reject = frozenset(reject)
        self._remember = remember
        self._states = states
        self._decided: dict[tuple[Any, Any], bool] = {}
        self._one_by_one = asyncio.Lock()

    def forget(self, session: Any = None) -> None:
        """Delete remembered decisions: those of one session, or all."""
        self._decided = {
            key: value for key, value in self._decided.items() if session is not None and key[0] != session
        }

    async def _decide(self, question: Question) -> Any:
        asked = self._asked
        category = self._category(question)
        place = (getattr(question, asked.session) if self._remember == "session" else None, category)
        kinds = self._known(question, place, category)
        if kinds is None and self._ask is not None:
            async with self._one_by_one:
                kinds = self._known(question, place, category)
                if kinds is None:
                    return await self._by_asking(self._ask, question, place)
        option = self._option(question, asked.reject if kinds is None else kinds)
        return asked.interrupted() if option is None else asked.picked(getattr(option, asked.id))

    def _known(self, question: Question, place: tuple[Any, Any], category: Any) -> tuple[str, ...] | None:
        """The kinds of options that may be chosen without asking; None if no allowing option is offered."""
        asked = self._asked
        decided = self._decided.get(place)
        if decided is False or (decided is None and category in self._reject):
            return asked.reject
        allow = asked.allow if decided else asked.allow[:1] if category in self._allow else ()
        return allow if self._option(question, allow) is not None else None

    async def _by_asking(
        self,
        ask: Callable[[Question], Option | Awaitable[Option | None] | None],
        question: Question,
        place: tuple[Any, Any],
    ) -> Any:
        asked = self._asked
        outcome: Any = ask(question)
        option = await outcome if waits(outcome) else outcome
        if option is None:
            option = self._option(question, asked.reject)
            return asked.interrupted() if option is None else asked.picked(getattr(option, asked.id))
        offered = [getattr(each, asked.id) for each in getattr(question, asked.options)]
        if getattr(option, asked.id, UNSET) not in offered:
            raise ValueError(f"ask returned {option!r}, expected one of {', '.join(map(repr, offered))}")
        kind = getattr(option, asked.kind)
        if self._remember is not None and place[1] is not None and kind in (asked.allow[1], asked.reject[1]):
            self._decided[place] = kind == asked.allow[1]
        return asked.picked(getattr(option, asked.id))

    def _option(self, question: Question, kinds: tuple[str, ...]) -> Any:
        """The first offered option of the first matching kind."""
        options = getattr(question, self._asked.options)
        return next((each for kind in kinds for each in options if getattr(each, self._asked.kind) == kind), None)

    def _category(self, question: Question) -> Any:
        """The kind of the tool call that needs permission; None if unknown."""
        asked = self._asked
        subject = getattr(question, asked.subject)
        category = getattr(subject, asked.category, None)
        if not category and self._states is not None and asked.part:
            state = self._states.get(getattr(question, asked.session))
            entry = getattr(state, asked.part, {}).get(getattr(subject, asked.key))
            category = getattr(entry, asked.category, None)
        return category or None
