"""The public functions of the package.

connect    `connect` and `dial`: schemes of an address, defaults for sockets (open 20 s, close 2 s, keepalive 20 s)
serve      `serve`, `asgi`, `run_server`: schemes, limits and socket files of servers; the check of first bytes
listening  admission to a listening socket: number of network connections, idle ones (20 s), which is closed first
host       a running server until a signal: the line that says where it serves, the errors for a port in use and for
           options without effect
process    `serve_stdio` and `spawn`: inherited environment variables, signals; `transport/child` applies `grace`
versions   which version of the protocol a connection gets, if a program has several packages
remote     what a package passes to networking, the version of that interface, and the error if `acp-remote` is missing
"""
