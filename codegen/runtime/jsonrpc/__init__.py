"""JSON-RPC 2.0, without I/O.

parser    bytes to messages and faults: code and text of faults, batches, default frame limit (32 MiB), memory estimate
recovery  which parts of a malformed message or error are still used
encoder   the bytes of each kind of message: order of fields, line end
"""
