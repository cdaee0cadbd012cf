"""Transports: one message in, one message out.

base     the interface `Transport`, its implementation on two byte streams, the class of callers
stdio    the standard streams as a transport: redirection of file descriptors 0 and 1
child    child processes: start, streams closed early, the steps of their end (stdin closed, terminated, killed)
options  names and documentation of HTTP and WebSocket options; `acp_remote/` applies the defaults where it reads them
limits   `Limits` with its defaults; `jsonrpc/parser`, `channel`, `connection/inbound`, `connection/dispatcher` enforce
         it
channel  batches, buffer sizes at which senders wait, the limit on sent frames, the frame hook
"""
