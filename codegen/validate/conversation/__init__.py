"""Messages in their order: each against the schema, and against the messages before it.

conversation   one message after the other: call `Conversation`
envelopes      the JSON-RPC envelope
method_lookup  a method name and a direction to a row of the method table
negotiation    the capabilities that the peers negotiated
sessions       known, closed and busy sessions; results of cancelled requests
updates        updates against the state that earlier ones built
pagination     lists: cursors, filters, deleted sessions
fast_path      the quick check of the most frequent messages
"""
