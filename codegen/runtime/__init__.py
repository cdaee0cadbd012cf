"""The hand-written part of every generated package: reading and writing messages, connections, processes."""
