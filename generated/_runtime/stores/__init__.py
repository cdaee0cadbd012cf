# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Sessions that outlive their connection: stores, and the base of agents that use them.

Nothing else in the runtime imports this folder.

base             the interface of a store, its invariants, records and errors; how long keys are remembered
sql              the statements of both databases: how sessions, turns and updates are written and read, and the order
                 of a history
tables           the CREATE statements of both databases; append a step for a change, released ones stay
leases           which process has a session open, and requests to it, in a database
sqlite           the statements that only SQLite has; whether a process of the machine lives; the store in memory
sqlite_file      opening, settings and migrations of SQLite's file; what is read of a damaged one
postgres         `PostgresStore`, assembled; its statements are in `sql`, its connections in `postgres_engine`
postgres_engine  connections and settings of PostgreSQL, errors that are retried, statements that only it has
postgres_schema  PostgreSQL's schema name, migrations (breaking or not) and the table of processes
pulse            the heartbeat interval of processes on a database server, and when one counts as dead
engine           threads of a database, retries and their pauses; the interface that hides database differences
contract         the tests that every store must pass
agent            `SessionAgent` without the protocol: handlers, hooks, page size, delay of writes (0.5 s), errors that a
                 client gets
plan             the form of the protocol's data for `agent`; `emit/session_agent` fills it in
registry         how sessions open, close and end in a process; replay of the history to a client; its times
host             when a prompt may begin, and the updates of sessions
open_session     which clients watch an open session, and what each gets
turns            batches of updates (64, 1 MiB), when they are written, and how a cancelled turn ends
undertakings     work that completes even if its caller is cancelled
listing          directory, title and time of a session; form, signature and lifetime of cursors
"""
