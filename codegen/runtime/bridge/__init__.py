"""Conversion of messages between two versions of a protocol. The compiler derives the plan; nothing here has a name of
a protocol.

plan      the nodes of a plan, which are data
convert   one value by a node: the converted value and its losses, or everything that cannot be converted
"""
