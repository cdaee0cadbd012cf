"""A schema as documents for other tools.

Modules:

    published_schema  valid JSON Schema with the JSON-RPC envelopes
    openrpc           the method table as an OpenRPC document
"""
