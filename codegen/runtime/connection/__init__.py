"""A connection to one peer, with both roles.

connection        the connection, from its beginning to its end
lifecycle         the start and the end of a connection
options           the options of a connection, and their validation
extensions        extension packages that add methods to a connection
outbound          messages to the peer, their check, and pending requests
inbound           messages from the peer, and flow control
dispatcher        runs handlers: answers requests, queues notifications
router            finds the handler of a method
subscriptions     handlers of notifications, and their subscribers
ordering          a lane per session, which keeps notifications and responses in order
negotiation       the handshake and the negotiated terms
idempotency       keys of requests that are handled once, and positions of updates
handlers          the base class of implementers, the current session, and the check of handlers
open_sessions     the open sessions, their ends, and the work in progress in them
session_requests  messages that open, close or occupy a session, on both sides
session_work      work in progress in sessions, and its end
silence           timeouts of calls in silent sessions, and pings
leniency          logs bad values that were dropped, once per place
update_stream     the updates of one request as an asynchronous iterator
telemetry         OpenTelemetry and transcripts
"""
