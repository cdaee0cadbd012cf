"""The command `migrate`: move programs from another SDK's package to a generated one.

files              which programs are read and written, and checks before writing
rewrite            what is rewritten in a program, and the remarks on the rest
rename_table       the form of official.toml
connection_fields  the attributes in which a class keeps its connection
value_origin       whether a value certainly comes from the other SDK
expressions        the expressions that replace moved ones, and the import
official.toml      the other SDK's names, calls and constants with ours; add rows by hand
"""
