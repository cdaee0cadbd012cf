"""Lints: the rules for one schema by itself.

lint             findings of one schema: call `lint`
generate_errors  the lints of extensions that stop `generate` and `vendor`
"""
