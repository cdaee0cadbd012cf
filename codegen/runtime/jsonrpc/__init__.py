"""JSON-RPC 2.0, without I/O.

parser     bytes to messages and faults, and the limits of a frame
recovery   the readable parts of a malformed message or error
encoder    messages to bytes
"""
