"""Transports: one message in, one message out.

base      the interface of a transport, and its implementation on two byte streams
stdio     the standard streams as the transport of one connection
child     child processes
options   options of clients and servers over HTTP and WebSocket
limits    how much a peer may make a connection hold
channel   reading and writing on one transport: batches, room, limits, hooks
"""
