"""The rules of `validate`. Other modules detect the problems; this table has their levels and texts.

An error is a violation of JSON, JSON-RPC, the schema or the protocol's text. A warning is a likely mistake, or a
problem whose cause may be outside the file. Info marks a part that could not be checked.
"""

from __future__ import annotations

from ...findings.rule import Effect, silent, table, texts

_TEXTS = texts(
    """
# text

message-not-json (error)
    A text that should be JSON is not valid JSON.
    Instead: write JSON, in UTF-8

line-truncated (warning)
    The last line of a transcript is cut off.
    Why: Requests that are pending then are not reported as unanswered.
    Instead: let the program that records it finish, or ignore the last line

frame-not-json (error)
    A peer sent a frame that is not valid JSON (`raw`).
    Instead: send one JSON message a line

key-twice (warning)
    A key appears twice in one object.
    Why: JSON does not define which one counts. Most readers take the last, and so does this check.
    Instead: keep one of them

lone-surrogate (warning)
    A string contains an unpaired surrogate.
    Why: It is not valid text. Readers reject it or replace it with U+FFFD. The check assumes U+FFFD.
    Instead: cut strings between characters, not between UTF-16 units

number-out-of-range (warning)
    A number that does not fit a double, or that has thousands of digits.
    Why: Readers reject it or read another number.
    Instead: send it as a string

nothing-to-validate (warning)
    A file without messages.
    Why: A check without messages always passes.
    Instead: specify a file that contains messages

# messages

envelope-invalid (error)
    An object that is not a JSON-RPC 2.0 message.
    Instead: write `jsonrpc`, and `method` with `params`, or `id` with `result` or `error`

batch (error)
    A transcript has an array of messages on one line.
    Why: A frame of the protocol is one message. Peers answer a batch with "invalid request".
    Instead: send each message as a line of its own

params-invalid (error)
    Params that are not valid against the schema.
    Instead: correct the values that the finding names

result-invalid (error)
    A result that is not valid against the schema.
    Instead: correct the values that the finding names

error-invalid (error)
    The error of a response is not an error object.
    Instead: send `code` and `message`

value-invalid (error)
    A value that does not conform to the type that the document names.
    Instead: correct the value or the type

method-unknown (error)
    A method that the schema does not have.
    Why: Only names that start with `_` are free to use. Unknown `$/...` notifications may be ignored.
    Instead: correct the name; a method of your own starts with `_`

method-wrong-kind (error)
    A notification where the method is a request, or the reverse.
    Instead: send a request with an `id`, a notification without

property-undeclared (warning)
    A property that the schema does not declare.
    Why: JSON Schema allows it, so the message is valid. But nobody reads it, and later versions may use the name.
    Instead: correct the name, or put your own property under `_meta`

integer-with-fraction (warning)
    An integer that is written with a fraction or an exponent.
    Why: JSON Schema calls 1.0 an integer; typed readers reject it.
    Instead: write it with digits only

# conversation

method-wrong-direction (error)
    A call to a peer that does not implement the method.
    Instead: send it to the side that implements it

answer-unasked (error)
    A response without a pending request.
    Why: In JSON-RPC, a response has the id of its request. It is a warning if the transcript does not show the
    beginning.
    Instead: answer each request once, with its id

answer-missing (warning)
    A request that was never answered.
    Why: The caller waits forever. If the connection broke off, the peer may have had no time to answer.
    Instead: answer every request, if necessary with an error

id-reused (warning)
    A request has the id of another pending request.
    Why: It is then unclear which request a response answers.
    Instead: reuse an id only after the response

before-handshake (error)
    A message before the connection was opened.
    Why: Until then, the peers have not agreed on a version and capabilities.
    Instead: wait for the response to the opening request

handshake-missing (warning)
    A transcript without the request that opens a connection.
    Why: The advertised capabilities are unknown, so calls are not checked against them.
    Instead: record from the beginning

handshake-repeated (warning)
    A connection is opened a second time.
    Why: The following messages count as a new connection.
    Instead: write each connection to a separate file

version-mismatch (warning)
    The peers speak different versions, or another version than the schema.
    Instead: close the connection if you do not support the version; validate against the schema of that version

not-advertised (error)
    A call, or a part of a message, whose capability the receiver did not advertise.
    Why: An omitted capability counts as unsupported.
    Instead: check the receiver's capabilities first

session-unknown (warning)
    A session that no earlier message has named.
    Why: This is reported once per session, but not while a request that opens a session is pending.
    Instead: use the id from the response to the request that opened the session

session-unopened (warning)
    A request for work in a session that was listed, but not opened.
    Why: Listing does not open a session. This is checked once per session, if the record begins with the connection.
    Instead: first reopen the session

session-closed (warning)
    A message for a session that was closed or has ended.
    Why: Nothing may be sent for a closed session until it is opened again. A session that was deleted may still run.
    Instead: stop the session's work before you confirm its end

cursor-unknown (error)
    A cursor that no response on the connection contained.
    Why: Checked only if the record begins with the connection.
    Instead: send the next cursor of a response unchanged; do not construct, modify or store cursors

cursor-of-another-list (warning)
    A cursor is sent with a filter that differs from the filter of its list.
    Why: A cursor may be valid only for the list that it came from. The receiver may reject it, or list something else.
    Instead: repeat the filter for each page; begin a new list without a cursor

filter-ignored (warning)
    A list contains an item that the filter of the request excludes.
    Why: Different spellings of a path count as equal. It is a warning, because the check cannot see links between
    folders.
    Instead: list only items that match the filter; `x-lists` names the compared property

deleted-listed (error)
    A deleted session is listed for a request that was sent after the deletion was confirmed.
    Why: A session that was opened again may be listed.
    Instead: leave deleted sessions out of lists

entry-repeated (warning)
    A list shows a session twice: on one page, or on a later page of the same list.
    Why: A client that joins the pages shows it twice. The list probably also skips other entries.
    Instead: let a cursor refer to a position that is stable while sessions are added and removed

time-invalid (warning)
    The time of an entry of a list is not in ISO 8601.
    Instead: write times as 2025-10-29T14:22:15Z

path-relative (error)
    A request that opens or lists sessions has a relative path.
    Why: The peer has another working directory, perhaps on another machine.
    Instead: make the path absolute before you send it; `x-sessions` lists the properties

session-not-new (error)
    A request that opens a new session from another has the id of that other session in its result.
    Why: Every later request then affects both sessions.
    Instead: give the new session an id of its own

deletion-rejected (warning)
    The deletion of a session that does not exist is rejected.
    Why: The session was deleted, as the client wanted. A client repeats a deletion if the first response was lost.
    Instead: answer with a result

session-busy (warning)
    A second request of a kind that a session handles one at a time.
    Instead: wait for the response, or cancel the first request

interrupt-ignored (error)
    An interrupted request has a result other than the one in `x-interrupt`.
    Why: It is a warning if the peer may have answered before it read the notification, and an error if it had already
    answered a request that was sent later.
    Instead: answer with the result in `x-interrupt`, or with an error

update-unopened (warning)
    An update of an entry that no earlier update created.
    Why: A client that keeps the state has no entry to change. This is checked only in sessions that begin in
    the record.
    Instead: first send the update that creates the entry (see `x-update`)

update-reversed (warning)
    A value moves back, although `x-update` allows only forward steps.
    Instead: begin a new entry

# documents

example-unparsable (info)
    An example that is not JSON, for instance because of comments or ellipses.
    Why: Readers copy examples, and this one was not validated.
    Instead: write complete JSON, or mark the block as `jsonc`

fence-unclosed (warning)
    A fenced block that never ends.
    Why: The rest of the document is read as code.
    Instead: close it

type-unknown (warning)
    An info string names a type that the schema does not have.
    Instead: correct the name
"""
)

RULES = table(
    tuple(text.rule(id_, Effect.MESSAGE, object, silent) for id_, text in _TEXTS.items())
)  # a message is judged where it is read
