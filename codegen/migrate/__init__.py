"""The command `migrate`: move programs from another SDK's package to a generated one.

files              which programs are read and written, and the order of the steps
inference          types of expressions, and type errors (mypy)
survey             the classes that connections get, and the sides that all programs implement
rewrite            what is rewritten in a program, and the remarks on the rest
handlers           handlers and calls of own handlers
absent             attributes that may be absent
discriminators     reads of discriminators
context            what the four above know about each node
rename_table       the form of official.toml
connection_fields  the attributes in which a class keeps its connection
expressions        the expressions that replace moved ones, and the import
verify             checks of a result
official.toml      the other SDK's names, calls and constants with ours; add rows by hand
"""
