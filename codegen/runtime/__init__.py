"""The hand-written part of every generated package, the same bytes for every schema.

A module imports only its own folder and those below it in this list:

    blocking     synchronous connections: how calls run in the event loop's thread, `^C`, and the wait at the end (2 s)
    testing      `memory`, `pair` and `scripted`: peers for tests in one process; emitted is `templates/testing.py.jinja2`
    strategies   which values the Hypothesis strategies generate: depth, lengths, ranges of numbers
    entrypoints  connect, serve, spawn, run
    stores       sessions that outlive their connection
    reconnect    reopen a lost connection and its sessions
    session      state, handles, permissions
    connection   requests, handlers, ordering, negotiation
    bridge       messages of one version as messages of another
    transport    one message in, one message out: streams, stdio, child processes
    jsonrpc      bytes to messages and back, without I/O
    codec        JSON to typed objects and back
    schema       method table, node tables, capabilities
    errors       the classes of a connection's errors, their codes (`MESSAGES`) and the sentence that each class builds
    tasks        how tasks, workers and threads start, wait and end; fairness between them

A package has a copy of it, or uses the distribution `acp-runtime`, which several packages can share in one process.
"""

INTERFACE_VERSION: int = 1
"""The version of the interface between packages and an installed runtime. Incompatible changes increment it."""
