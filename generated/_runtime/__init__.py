# Generated: part of every package, the same for every schema. Do not edit.
"""The hand-written part of every generated package: reading and writing messages, connections, processes."""
