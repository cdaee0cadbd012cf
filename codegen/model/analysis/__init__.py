"""Questions about a whole schema that more than one consumer asks.

updates      the effect of messages on the state of a session
root_checks  references of the root's keywords that do not exist: handshake, cancellation, ordering, sessions
helpers      the same for permissions and handles
leniency     the effect of the leniency keywords of a property
relation     the values that only one of two types accepts, with an example
"""
