"""A connection to one peer, with both roles.

connection        builds the parts of a connection; defaults of its options; typed calls; when it is busy (`busy`)
lifecycle         the order of events at the end of a connection: how long `close()` waits (2 s), `linger`, reasons
options           names, documentation and checks of a connection's options; the error for a missing part (`part`)
extensions        how extension packages join one connection, and the clashes that are errors
outbound          checks before sending, ids, `call_timeout`, cancellation, log of slow calls (60 s), end of pending
                  calls, also by errors without an id
inbound           reading: when it pauses and when the connection closes, by each limit of `Limits`
dispatcher        the response of each request; rejected malformed frames and repeated ids; the log of the peer's errors
router            the handler of a method; errors for unknown and early ones; decoding; the answer to the handshake
subscriptions     in which order handler and subscribers of a session get a notification
ordering          when a notification or a response waits for earlier ones: the lanes of sessions
negotiation       version and capabilities that the handshake gives, filled-in values, messages that a closed gate
                  forbids
idempotency       names of the `_meta` fields for idempotency keys and positions
handlers          `Peer`: hooks and the current session; errors for handlers that could never be called
open_sessions     states of the sessions, when each ends, callbacks at the end
session_requests  what opening, closing and occupying requests do, on both sides: refused and delayed ones
session_work      how work in a session is interrupted, and how long its handlers have (5 s)
silence           when a silent peer counts as lost (`keepalive`), when a call times out (`silence_timeout`)
leniency          the log of dropped bad values, once per place
update_stream     the updates of one call as an iterator: its buffer, and its end
telemetry         spans and attributes of OpenTelemetry; the form of a transcript's lines
"""
