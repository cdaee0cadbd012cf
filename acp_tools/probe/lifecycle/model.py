"""A model of the sessions of one connection: prompts, settings, cancellations and ends."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from msgspec import Struct, ValidationError, field

import acp_generated as acp

from ..cases.settings import id_of
from ..cases.turns import OF_A_TURN
from ..json_types import objects, one_object
from ..messages import Answer, Message


class Turn(Struct):
    """A prompt. `mark`: a unique part of its text. `cancels`: number of cancellations."""

    mark: str
    text: str
    answer: Answer
    since: int
    cancels: int = 0
    judged: bool = False


class Session(Struct):
    """A session that was opened."""

    id: str
    cwd: str
    state: dict[str, Any]
    """The response that opened it."""
    marks: set[str] = field(default_factory=set[str])
    """The texts that it may contain: from its own turns and those of the session that it was forked from."""
    turns: list[Turn] = field(default_factory=list[Turn])
    before: list[Turn] = field(default_factory=list[Turn])
    """The turns of the session that it was forked from."""
    told: list[Message] = field(default_factory=list[Message])
    """The updates of its turns."""
    title: str | None = None
    """The latest title that the agent reported."""
    updated: str | None = None
    """The latest time that the agent reported."""
    mode: str | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    recalls: list[bool] = field(default_factory=list[bool])
    """For each turn but the first: whether the agent's text repeats an earlier prompt."""
    opener: str = ""
    """The method that has reopened it since its latest turn; empty for none."""
    open: bool = True
    deleted: bool = False
    forked: bool = False

    def settle(self, told: dict[str, Any]) -> None:
        """Take the settings of a response or of an update. An agent may change them by itself, and says so."""
        self.mode = told.get("currentModeId", one_object(told.get("modes")).get("currentModeId", self.mode))
        self.title = told.get("title", self.title)
        self.updated = told.get("updatedAt", self.updated)
        for option in objects(told.get("configOptions")):
            self.options[str(id_of(option))] = option.get("currentValue")

    @property
    def running(self) -> Turn | None:
        """The turn whose end was not checked yet."""
        return self.turns[-1] if self.turns and not self.turns[-1].judged else None

    @property
    def done(self) -> list[Turn]:
        """The turns that a replay must contain."""
        return [turn for turn in (*self.before, *self.turns) if turn.answer.ok and not turn.cancels]

    @property
    def works(self) -> bool:
        """Return whether one of its turns succeeded."""
        return any(turn.answer.ok and not turn.cancels for turn in self.turns)

    @property
    def whole(self) -> bool:
        """Return whether all of its turns ended without cancellation."""
        return not self.forked and all(
            turn.answer.ok and not turn.cancels and not turn.answer.late for turn in self.turns
        )


class Model(Struct):
    """All sessions, in the order of their opening."""

    sessions: list[Session] = field(default_factory=list[Session])

    @property
    def remembers(self) -> bool:
        """Return whether the agent's answers repeat earlier prompts, every time so far."""
        recalls = [recall for session in self.sessions for recall in session.recalls]
        return len(recalls) > 1 and all(recalls)

    def named(self, id_: Any) -> Session | None:
        """The session with an id."""
        return next((session for session in self.sessions if session.id == id_), None)


def of_a_turn(messages: list[Message], session: str) -> list[Message]:
    """The updates of a session that belong to its conversation."""
    return [m for m in messages if m.session == session and m.kind in OF_A_TURN]


def conversation(updates: list[Message]) -> tuple[str, dict[str, tuple[str, str]]]:
    """The agent's text without spaces, and the title and status of each tool call, as a client's state contains them."""
    state = acp.SessionState()
    for update in updates:
        # The probe reports frames that break the schema by themselves.
        with suppress(ValidationError):
            state.apply(acp.decode(acp.SessionNotification, json.dumps(update.params).encode()))
    said = "".join(entry.text for entry in state.messages if entry.kind == "agent_message_chunk")
    tools = {id_: (str(call.title), str(call.status or "pending")) for id_, call in state.tool_calls.items()}
    return "".join(said.split()), tools
