"""The hand-written part of every generated package, the same bytes for every schema.

A module imports only its own folder and those below it in this list:

    entrypoints  blocking  testing  strategies   connect, serve, spawn, run; synchronous calls; test doubles
    stores                                       sessions that outlive their connection
    reconnect                                    reopen a lost connection and its sessions
    session                                      state, handles, permissions
    connection                                   requests, handlers, ordering, negotiation
    bridge                                       messages of one version as messages of another
    transport                                    one message in, one message out: streams, stdio, child processes
    jsonrpc                                      bytes to messages and back, without I/O
    codec                                        JSON to typed objects and back
    schema                                       method table, node tables, capabilities
    errors  tasks                                the tree of errors; tasks, workers and threads

A package has a copy of it, or uses the distribution `acp-runtime`, which several packages can share in one process.
"""

INTERFACE_VERSION: int = 1
"""The version of the interface between packages and an installed runtime. Incompatible changes increment it."""
