"""The nodes of a loaded schema, and the traversal of types.

types         the nodes and their fields: `Schema`, `Method`, `Definition`, and the closed set of types
root          the nodes of root keywords: RFDs, requirements, permissions, handles, lists, updates
walk          the one traversal of types: children, descendants, rewriting; a new type begins here
cycles        the nodes of a graph that lead back to themselves
patterns      which regular expressions run in linear time in Python, and how the others are matched safely
capabilities  which capability paths exist on a side, and the JSON that advertises a gate
requirements  which requirements apply to an RFD, a method or a type
"""
