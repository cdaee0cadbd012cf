"""A connection to one peer, both roles on it.

connection        the connection, from its beginning to its end
lifecycle         how it begins, and how it ends
options           the options of a connection, and their check
extensions        the packages that add methods to the connection's own
outbound          messages to the peer, their check, and requests that are pending
inbound           messages from the peer, and flow control
dispatcher        handlers at work: requests are answered, notifications queued
router            from a method to its handler
subscriptions     handlers of notifications, and who subscribes to them
ordering          one lane for each session: notifications keep their order, also with the responses around them
negotiation       the handshake and what both sides negotiated in it
idempotency       keys of requests that are carried out once, and places of updates
handlers          the base of every implementer, its current session, and the check of its handlers
open_sessions     the open sessions, their ends, and what is open in them
session_requests  messages that open, close or occupy a session, on both sides
session_work      what is under way in sessions, and how it is ended
silence           calls in sessions of which nothing is heard are given up
leniency          bad values that were left out of messages, logged once for each place
update_stream     updates of one request as an asynchronous iterator
telemetry         OpenTelemetry and transcripts
"""
