"""Questions about a whole schema that more than one consumer asks.

updates      the meaning of `x-updates` and `x-update` for the state of a session, and errors in them
root_checks  errors of root keywords that name missing parts: handshake, cancellation, ordering, sessions, lists,
             remote, trace
helpers      errors of the root keywords for permissions and handles
leniency     when a leniency keyword of a property has an effect on a receiver
relation     the values that one of two types writes and the other rejects, with an example
"""
