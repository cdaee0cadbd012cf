# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The schema at run time: data that the emitted modules fill in.

definitions    rows of the method table, keywords of the protocol, nodes of the node tables
registry       the node tables by type, packages that add types, the protocol's requirements
capabilities   paths in capabilities, how they are advertised, which parts of a message require one
"""
