"""The command `migrate`: move programs from another SDK's package to a generated one.

files              programs on disk: read, compared, written whole or not at all
rewrite            a program's text to its text for a generated package (libcst)
rename_table       the other SDK's names, read from `official.toml`
connection_fields  the attributes in which a class keeps its connection
value_origin       whether a value certainly comes from the other SDK
expressions        the expressions of a moved program
"""
