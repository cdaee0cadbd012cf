"""A schema as documents for other tools.

Modules:

    published_schema   `schema print`: the JSON-RPC envelopes, and the keywords of ours that are removed
    normalised_schema  `schema print --normalised`: the form that docs/normalised.md describes, and its version
    openrpc            `openrpc`: the OpenRPC form of methods, params and results
"""
