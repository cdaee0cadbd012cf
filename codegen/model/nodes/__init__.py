"""The nodes of a loaded schema, and the traversal of types.

types         `Schema` and the closed set of its types
root          types for the root's keywords: RFDs, requirements, lists, permissions, handles, updates
walk          children, descendants and rewriting of a type
cycles        the nodes of a graph that lead back to themselves
patterns      regular expressions: linear-time ones, and safe matching of the others
capabilities  gates: paths into the advertised capabilities
requirements  the requirements of an RFD, a method or a type
"""
