"""The rules of `validate`, in the catalogue beside those of `check`: what is found is given by the readers, levels are here.

An error is what JSON, JSON-RPC, the schema or the protocol's text forbids; a warning is what is likely a mistake, or what
the file may not show the reason of; info is what could not be judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..check.rules import RULES as SCHEMA_RULES
from ..findings.finding import Level
from ..findings.rule import Effect, Hit, Rule, table


def _by_the_reader(_: Any) -> Iterator[Hit]:
    """A message is judged where it is read."""
    yield from ()


def _rule(family: str, id_: str, level: Level, purpose: str, instead: str, reasoning: str = "") -> Rule:
    return Rule(
        id=id_,
        family=family,
        effect=Effect.MESSAGE,
        level=level,
        on=object,
        check=_by_the_reader,
        purpose=purpose,
        instead=instead,
        reasoning=reasoning,
    )


_E, _W, _I = Level.error, Level.warning, Level.info

ROWS: tuple[Rule, ...] = (
    # --- text -----------------------------------------------------------------------------------------------------------
    _rule("text", "message-not-json", _E, "A text that should be JSON is not valid JSON.", "write JSON, in UTF-8"),
    _rule(
        "text",
        "line-truncated",
        _W,
        "The last line of a transcript is cut off.",
        "let the program that records it finish, or ignore the last line",
        "Requests that are pending then are not reported as unanswered.",
    ),
    _rule(
        "text",
        "frame-not-json",
        _E,
        "A peer sent a frame that is not valid JSON (`raw`).",
        "send one JSON message a line",
    ),
    _rule(
        "text",
        "key-twice",
        _W,
        "A key appears twice in one object.",
        "keep one of them",
        "JSON does not define which one counts. Most readers take the last, and so does this check.",
    ),
    _rule(
        "text",
        "lone-surrogate",
        _W,
        "A string contains an unpaired surrogate.",
        "cut strings between characters, not between UTF-16 units",
        "It is not valid text. Readers reject it or replace it with U+FFFD. The check assumes U+FFFD.",
    ),
    _rule(
        "text",
        "number-out-of-range",
        _W,
        "A number that does not fit a double, or that has thousands of digits.",
        "send it as a string",
        "Readers reject it or read another number.",
    ),
    _rule(
        "text",
        "nothing-to-validate",
        _W,
        "A file without messages.",
        "name a file that contains messages",
        "A check without messages always passes.",
    ),
    # --- messages -------------------------------------------------------------------------------------------------------
    _rule(
        "messages",
        "envelope-invalid",
        _E,
        "An object that is not a JSON-RPC 2.0 message.",
        "write `jsonrpc`, and `method` with `params`, or `id` with `result` or `error`",
    ),
    _rule(
        "messages",
        "batch",
        _E,
        "A transcript has an array of messages on one line.",
        "send each message as a line of its own",
        'A frame of the protocol is one message. Peers answer a batch with "invalid request".',
    ),
    _rule("messages", "params-invalid", _E, "Params that do not fit the schema.", "send what the schema expects"),
    _rule("messages", "result-invalid", _E, "A result that does not fit the schema.", "send what the schema expects"),
    _rule(
        "messages", "error-invalid", _E, "The error of a response is not an error object.", "send `code` and `message`"
    ),
    _rule(
        "messages",
        "value-invalid",
        _E,
        "A value that does not fit the type that the document names.",
        "correct the value or the type",
    ),
    _rule(
        "messages",
        "method-unknown",
        _E,
        "A method that the schema does not have.",
        "correct the name; a method of your own starts with `_`",
        "Only names that start with `_` are free, and `$/...` notifications may be ignored.",
    ),
    _rule(
        "messages",
        "method-wrong-kind",
        _E,
        "A notification where the method is a request, or the reverse.",
        "send a request with an `id`, a notification without",
    ),
    _rule(
        "messages",
        "property-undeclared",
        _W,
        "A property that the schema does not declare.",
        "correct the name, or put what is your own under `_meta`",
        "JSON Schema allows it, so the message is valid. But nobody reads it, and later versions may use the name.",
    ),
    _rule(
        "messages",
        "integer-with-fraction",
        _W,
        "An integer that is written with a fraction or an exponent.",
        "write it with digits only",
        "JSON Schema calls 1.0 an integer; typed readers reject it.",
    ),
    # --- conversations --------------------------------------------------------------------------------------------------
    _rule(
        "conversation",
        "method-wrong-direction",
        _E,
        "A call to a peer that does not implement the method.",
        "send it to the side that implements it",
    ),
    _rule(
        "conversation",
        "answer-unasked",
        _E,
        "A response without an open request.",
        "answer each request once, with its id",
        "In JSON-RPC, a response has the id of its request. It is a warning if the transcript does not show the "
        "beginning.",
    ),
    _rule(
        "conversation",
        "answer-missing",
        _W,
        "A request that was never answered.",
        "answer every request, with an error if need be",
        "The caller waits forever. If the connection broke off, the peer may have had no time to answer.",
    ),
    _rule(
        "conversation",
        "id-reused",
        _W,
        "A request has the id of another request that is still open.",
        "reuse an id only after the answer",
        "It is unclear to which of the two an answer belongs.",
    ),
    _rule(
        "conversation",
        "before-handshake",
        _E,
        "A message before the connection was opened.",
        "wait for the answer to the opening request",
        "Until then the peers have agreed on neither a version nor capabilities.",
    ),
    _rule(
        "conversation",
        "handshake-missing",
        _W,
        "A transcript without the request that opens a connection.",
        "record from the beginning",
        "The advertised capabilities are unknown, so calls are not checked against them.",
    ),
    _rule(
        "conversation",
        "handshake-repeated",
        _W,
        "A connection is opened a second time.",
        "write each connection to a file of its own",
        "What follows is judged as a new connection.",
    ),
    _rule(
        "conversation",
        "version-mismatch",
        _W,
        "The peers speak different versions, or another version than the schema.",
        "close the connection if the version is not known; validate against the schema of the version",
    ),
    _rule(
        "conversation",
        "not-advertised",
        _E,
        "A call, or a part of a message, whose capability the receiver did not advertise.",
        "check the receiver's capabilities first",
        "A capability that is left out counts as unsupported.",
    ),
    _rule(
        "conversation",
        "session-unknown",
        _W,
        "A session that no earlier message has named.",
        "use the id from the answer to the request that opened the session",
        "Reported once per session, and not while a request that opens one is pending.",
    ),
    _rule(
        "conversation",
        "session-closed",
        _W,
        "A message for a session that was closed or has ended.",
        "stop the session's work before you confirm its end",
        "Nothing may be sent for a closed session until it is opened again. A session that was deleted may still run.",
    ),
    _rule(
        "conversation",
        "cursor-unknown",
        _E,
        "A cursor that no answer on the connection contained.",
        "send the next cursor of an answer unchanged; do not construct, modify or store cursors",
        "Checked only if the record begins with the connection.",
    ),
    _rule(
        "conversation",
        "cursor-of-another-list",
        _W,
        "A cursor is sent with another filter than the request that returned it.",
        "repeat the filter for each page; begin a new list without a cursor",
        "A cursor may be valid only for the list that it came from. The receiver may reject it, or list "
        "something else.",
    ),
    _rule(
        "conversation",
        "filter-ignored",
        _W,
        "A list contains an item that the filter of the request excludes.",
        "list only items that match the filter; `x-lists` says which property is compared",
        "Different spellings of a path count as equal. It is a warning, because links between folders are not "
        "visible here.",
    ),
    _rule(
        "conversation",
        "deleted-listed",
        _E,
        "A deleted session is listed for a request that was sent after the deletion was confirmed.",
        "leave deleted sessions out of lists",
        "A session that was opened again may be listed.",
    ),
    _rule(
        "conversation",
        "session-busy",
        _W,
        "A second request of a kind that a session handles one at a time.",
        "wait for the answer, or cancel the first one",
    ),
    _rule(
        "conversation",
        "interrupt-ignored",
        _E,
        "An interrupted request has another result than `x-interrupt` says.",
        "answer with the result that `x-interrupt` names, or with an error",
        "It is a warning if the peer may have answered before it read the notification, and an error if it had "
        "already answered a request that was sent later.",
    ),
    _rule(
        "conversation",
        "update-unopened",
        _W,
        "An update of an entry that no earlier update created.",
        "first send the update that creates the entry, as `x-update` says",
        "A client that keeps the state has nothing to change. Checked only in sessions that the record shows "
        "from the start.",
    ),
    _rule(
        "conversation",
        "update-reversed",
        _W,
        "A value goes back, although by `x-update` it only moves on.",
        "begin a new entry",
    ),
    # --- documents ------------------------------------------------------------------------------------------------------
    _rule(
        "documents",
        "example-unparsable",
        _I,
        "An example that is not JSON, because of comments or ellipses for instance.",
        "write it out, or mark it as `jsonc`",
        "Readers copy examples, and this one was not validated.",
    ),
    _rule(
        "documents",
        "fence-unclosed",
        _W,
        "A fenced block that never ends.",
        "close it",
        "The rest of the document is read as code.",
    ),
    _rule(
        "documents",
        "type-unknown",
        _W,
        "An info string names a type that the schema does not have.",
        "correct the name",
    ),
)

RULES = table(ROWS)
CATALOGUE: Mapping[str, Rule] = {**SCHEMA_RULES, **RULES}
"""All rules of the tool, by id."""
