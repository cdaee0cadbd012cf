"""Upgrades of a vendored package: the effect of a new version on the programs that use it (`vendor --plan`).

interface  the public interface of a package, read from its text
api_diff   the effects of one interface replacing another
usages     the places where a project uses the package
note       the migration note as text, and the effects of choosing other parts
"""
