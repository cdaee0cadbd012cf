# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Connections that are reopened when they are lost.

connection   a connection that reopens itself, for its callers one connection
backoff      growing delays between attempts
supervisor   opens, watches and reopens one connection after the other, with backoff
sessions     which sessions to restore on a new connection, and how
"""
