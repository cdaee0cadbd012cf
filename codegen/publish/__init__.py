"""A schema as documents for other tools.

Modules:

    published_schema   valid JSON Schema with the JSON-RPC envelopes
    normalised_schema  every type resolved and named, for code generators of other languages
    openrpc            the method table as an OpenRPC document
"""
