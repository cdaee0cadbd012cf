"""Sessions that outlive their connection: stores, and the base of agents that use them.

Nothing else in the runtime imports this folder.

base              the interface of a store, its records and errors
sql               a store in a database, in SQL that all databases share
tables            the tables of both databases
leases            the processes that have a session open, in a database
sqlite            SQLite, in a file or in memory, and the running processes of its machine
sqlite_file       SQLite's file, its migrations, and recovery of damaged files
postgres          PostgreSQL, without its driver
postgres_engine   connections to PostgreSQL, by psycopg
postgres_schema   PostgreSQL's migrations, and the table of its processes
pulse             heartbeats of the processes of a database server
engine            differences between the databases, their threads, and retries
contract          the tests that every store must pass
agent             the base of emitted session agents
plan              data about the protocol for that base
registry          the open sessions of a process: opening and closing
host              the prompts of those sessions
open_session      an open session, and the clients that watch it
turns             one running prompt, and its updates, written in batches
undertakings      work that completes even if its caller is cancelled
listing           the directory, title and time of a session; signed cursors of lists
"""
