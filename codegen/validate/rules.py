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
    _rule("text", "message-not-json", _E, "A text that should be JSON is none.", "write JSON, in UTF-8"),
    _rule(
        "text",
        "line-truncated",
        _W,
        "The last line of a transcript ends before its message does.",
        "let the program that writes it end, or take the last line for lost",
        "Requests that are open at that point are not told as unanswered.",
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
        "JSON leaves open which one counts; most readers take the last, and so does this verdict.",
    ),
    _rule(
        "text",
        "lone-surrogate",
        _W,
        "A string holds half of a surrogate pair.",
        "cut strings between characters, not between UTF-16 units",
        "It is not text; readers refuse it or put U+FFFD in its place. The verdict is about the latter.",
    ),
    _rule(
        "text",
        "number-out-of-range",
        _W,
        "A number that no double holds, or of thousands of digits.",
        "send it as a string",
        "Readers refuse it or read another number.",
    ),
    _rule(
        "text",
        "nothing-to-validate",
        _W,
        "A file without a message.",
        "name a file that has some",
        "A check that looks at nothing passes for ever.",
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
        "A frame of the protocol is one message; peers answer a batch with invalid-request.",
    ),
    _rule("messages", "params-invalid", _E, "Params that do not fit the schema.", "send what the schema expects"),
    _rule("messages", "result-invalid", _E, "A result that does not fit the schema.", "send what the schema expects"),
    _rule(
        "messages", "error-invalid", _E, "The error of a response is not an error object.", "send `code` and `message`"
    ),
    _rule(
        "messages", "value-invalid", _E, "A value that is not of the type that the document names.", "correct either"
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
        "JSON Schema admits it, so the verdict stands; but nobody reads it, and all names are kept for later versions.",
    ),
    _rule(
        "messages",
        "integer-with-fraction",
        _W,
        "An integer that is written with a fraction or an exponent.",
        "write it with digits alone",
        "JSON Schema calls 1.0 an integer; typed readers refuse it.",
    ),
    # --- conversations --------------------------------------------------------------------------------------------------
    _rule(
        "conversation",
        "method-wrong-direction",
        _E,
        "A peer is called that does not implement the method.",
        "send it to the side that implements it",
    ),
    _rule(
        "conversation",
        "answer-unasked",
        _E,
        "A response to no open request.",
        "answer each request once, with its id",
        "JSON-RPC: the id of a response is that of its request. A warning where the transcript does not show the beginning.",
    ),
    _rule(
        "conversation",
        "answer-missing",
        _W,
        "A request that was never answered.",
        "answer every request, with an error if need be",
        "The caller waits for ever. Where the connection broke off there may have been no time left.",
    ),
    _rule(
        "conversation",
        "id-reused",
        _W,
        "A request has the id of one that is still open.",
        "use an id again only after the answer",
        "Which of the two an answer belongs to cannot be told.",
    ),
    _rule(
        "conversation",
        "before-handshake",
        _E,
        "A message before the connection was opened.",
        "wait for the answer of the opening request",
        "Until then no version and no capability is agreed upon.",
    ),
    _rule(
        "conversation",
        "handshake-missing",
        _W,
        "A transcript without the request that opens a connection.",
        "record from the beginning",
        "What was advertised is not known, so calls are not compared with it.",
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
        "The peers do not speak the same version, or not that of the schema.",
        "close the connection if the version is not known; validate against the schema of the version",
    ),
    _rule(
        "conversation",
        "not-advertised",
        _E,
        "A call, or a part of a call or an answer, that the receiver did not advertise.",
        "look at the receiver's capabilities first",
        "A capability that is left out is unsupported.",
    ),
    _rule(
        "conversation",
        "session-unknown",
        _W,
        "A session that no message has named before.",
        "use the id that the answer to the opening request gave",
        "Told once for each session, and not while a request that opens one waits for its answer.",
    ),
    _rule(
        "conversation",
        "session-closed",
        _W,
        "A message for a session that was closed or has ended.",
        "stop what a session does before its end is confirmed",
        "A session that was deleted may still run. Until it is opened again, nothing is sent for one that was closed.",
    ),
    _rule(
        "conversation",
        "cursor-unknown",
        _E,
        "A cursor that no answer of the connection gave.",
        "send the next cursor of an answer as it is; do not make, change or keep cursors",
        "Judged where the record begins with the connection.",
    ),
    _rule(
        "conversation",
        "cursor-of-another-list",
        _W,
        "A cursor is sent with another filter than the request that it came from.",
        "repeat the filter for each page; begin a new list without a cursor",
        "A cursor may point into the list that it was made for. The receiver may refuse it, or list something else.",
    ),
    _rule(
        "conversation",
        "filter-ignored",
        _W,
        "An item of a list that the filter of the request excludes.",
        "list only what fits the filter; `x-lists` says which property is compared",
        "Spellings of one path are the same. Links between folders cannot be seen here, so it is a warning.",
    ),
    _rule(
        "conversation",
        "deleted-listed",
        _E,
        "A session that was deleted is listed by a request that came after the deletion was confirmed.",
        "leave deleted sessions out of lists",
        "A session that was opened again since may be listed again.",
    ),
    _rule(
        "conversation",
        "session-busy",
        _W,
        "A second request of a kind of which a session takes one at a time.",
        "wait for the answer, or cancel the first one",
    ),
    _rule(
        "conversation",
        "interrupt-ignored",
        _E,
        "A request that a notification ended has another result than `x-interrupt` says.",
        "answer with the result that says so, or with an error",
        "The answer may have been sent before the notification was read: a warning, unless the peer had by then answered a "
        "request that was sent after the notification.",
    ),
    _rule(
        "conversation",
        "update-unopened",
        _W,
        "An update of an entry that nothing began in the session.",
        "send first what `x-update` says creates it",
        "A client that keeps the state has nothing to change. Judged in sessions that were new in the record.",
    ),
    _rule(
        "conversation",
        "update-reversed",
        _W,
        "A value of an entry that only moves on, by `x-update`, and goes back.",
        "begin a new entry",
    ),
    # --- documents ------------------------------------------------------------------------------------------------------
    _rule(
        "documents",
        "example-unparsable",
        _I,
        "An example with comments or ellipses, or otherwise no JSON.",
        "write it out, or mark it as `jsonc`",
        "Readers copy examples; this one was not judged.",
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
