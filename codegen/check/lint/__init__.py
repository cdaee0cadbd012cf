"""Lints: the rules for one schema by itself.

lint             which lints run, on which documents; errors of loading and shaping as findings; reading of examples
generate_errors  which lints of extensions stop `generate` and `vendor`
"""
