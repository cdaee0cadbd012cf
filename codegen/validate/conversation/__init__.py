"""Messages in their order: each against the schema, and against the messages before it.

conversation   matching of responses, order of messages, limits on pending requests; call `Conversation`
envelopes      errors of the JSON-RPC envelope: version, ids, kinds of messages
method_lookup  errors of method names: unknown, wrong direction, misspelt
negotiation    messages that the negotiated capabilities or version do not allow
sessions       messages about unknown, closed or busy sessions, and results of interrupted requests
updates        updates of unknown entries, and values that go back
pagination     errors of lists: cursors, filters, deleted sessions
fast_path      which frequent notifications skip the full check
"""
