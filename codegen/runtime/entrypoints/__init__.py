"""The public functions of the package.

connect    connect to an address
serve      serve agents at an address
listening  admission to a listening socket: the number of network connections, and the closing of idle ones
host       a running server: until a signal arrives, then a graceful shutdown
process    serve on the standard streams, spawn an agent, handle signals
versions   several versions of the protocol in one program; the opening request selects one
remote     the interface to networking, which is in the distribution `acp-remote`
"""
