# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Conversion of messages between two versions of a protocol. The compiler derives the plan; nothing here has a name of
a protocol.

plan       the nodes of a plan (`Same`, `Use`, `Reject`, ...), which are data; `codegen/bridge/derive` makes them
convert    how a value is converted by each kind of node, and the losses and rejections that it reports
templates  how JSON values are matched and filled with bindings, for the state machines
machines   what happens where behaviour differs: when a request is answered, choices or options, first or whole updates
frames     the frames that a frame becomes; errors for requests without a counterpart
transport  `Bridged`: a handler for peers of another version; the transport that translates
"""
