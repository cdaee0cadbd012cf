# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Conversion of messages between two versions of a protocol. The compiler derives the plan; nothing here has a name of
a protocol.

plan       the nodes of a plan (`Same`, `Use`, `Reject`, ...), which are data; `codegen/bridge/derive` makes them
convert    how a value is converted by each kind of node, and the losses and rejections that it reports
patch      the patch between two texts
templates  how JSON values are matched and filled with bindings, for the state machines
state      the state of a machine in a connection, and tables that forget their oldest entry
entries    updates that create an entry first, or have it whole
contents   contents of entries: whole, and as text where the old version lacks a kind
local      requests that only the old version has, for a handler beside the agent
machines   when a request is answered, choices or options; the states of all machines
frames     the frames that a frame becomes; errors for requests without a counterpart
transport  `Bridged`: a handler for peers of another version; the transport that translates
"""
