"""The model of a schema: frozen nodes, and pure functions over them. No JSON, no files, no Python source.

nodes/      the node types, and the traversal of types
algebra/    operations on types: intersection, identity, bounds, normal form, discriminators
naming/     Python names for definitions, variants and methods, and the lock that keeps them
instances/  JSON values of types: minimal values, samples, example messages
analysis/   questions about a whole schema: relations of types, updates, checks of the root
"""
