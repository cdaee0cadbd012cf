# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The hand-written part of every generated package: reading and writing messages, connections, processes."""
