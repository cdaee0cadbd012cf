"""Upgrades of a vendored package: the effect of a new version on the programs that use it (`vendor --plan`).

interface     what counts as the interface of a package: names, attributes, signatures, gates
api_diff      the changes of an interface that affect programs, and renames it recognises
usages        which lines of a project use a package; skipped folders, most files
note          the text and order of the migration note of `vendor --plan`
renamed.toml  names and modules of the runtime that have moved, with their new places; add a row by hand
"""
