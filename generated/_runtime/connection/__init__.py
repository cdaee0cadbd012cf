# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A connection to one peer, with both roles.

connection        builds the parts of a connection, and applies the defaults of its options; typed calls go through it
lifecycle         the order of events at the end of a connection: how long `close()` waits (2 s), `linger`, reasons
options           names, documentation and checks of the options of a connection; the error for a part that a package
                  lacks (`part`)
extensions        how extension packages join one connection, and the clashes that are errors
outbound          checks before sending, ids, `call_timeout`, cancellation of calls, the log of slow calls (60 s), when
                  pending calls fail
inbound           reading: when it pauses and when the connection closes, by each limit of `Limits`
dispatcher        the response of each request and error; rejected malformed frames and repeated ids; the log of the
                  peer's errors
router            the handler of a method, errors for unknown, unadvertised and early ones, decoding of params and
                  results, the answer to the handshake
subscriptions     in which order handler and subscribers of a session get a notification
ordering          when a notification or a response waits for earlier ones: the lanes of sessions
negotiation       which version and capabilities the handshake gives, values that it fills in, and which messages a
                  closed gate forbids
idempotency       names of the `_meta` fields for idempotency keys and positions
handlers          `Peer`: hooks and the current session; errors for handlers that could never be called
open_sessions     states of the sessions, when each ends, callbacks at the end
session_requests  what opening, closing and occupying requests do, on both sides: refused and delayed ones
session_work      how work in a session is interrupted, and how long its handlers have (5 s)
silence           when a silent peer counts as lost (`keepalive`), and when a call in a silent session times out
                  (`silence_timeout`)
leniency          the log of dropped bad values, once per place
update_stream     the updates of one call as an iterator: its buffer, and its end
telemetry         spans and attributes of OpenTelemetry; the form of a transcript's lines
"""
