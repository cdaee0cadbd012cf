# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Sessions that outlive their connection: stores, and the base of agents that use them.

Nothing else in the runtime imports this folder.

base              the interface of a store, its records and errors
sql               a store in a database, in the SQL that the databases share
tables            the tables of both databases
leases            which processes have a session open, in a database
sqlite            SQLite, in a file or in memory, and which processes of its machine live
sqlite_file       SQLite's file, its migrations, and what can be read of a damaged one
postgres          PostgreSQL, without its driver
postgres_engine   connections to PostgreSQL, by psycopg
postgres_schema   PostgreSQL's migrations, and the table of its processes
pulse             which processes of a database server live
engine            what differs between the databases, their threads, and repeated attempts
contract          the tests that every store passes
agent             the base of emitted session agents
plan              what that base must know of a protocol
registry          the open sessions of a process: how they open and close
host              the prompts of those sessions
open_session      an open session, and the clients that watch it
turns             one running prompt, and its updates, written in batches
undertakings      work that is brought to its end
listing           the directory, title and time of a session; signed cursors of lists
"""
