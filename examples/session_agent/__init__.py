"""A reference agent with the whole session life: new, load, resume, list, fork, close, delete, and what surrounds them.

Start it with `python -m examples.session_agent [--store PLACE]`; an editor, or any other ACP client, talks to its
standard streams. Its model is a script that works offline; put your own in place of `model.py` and the rest stays as
it is:

    agent.py       the handlers: one object for each connection
    host.py        what the process holds: open sessions, turns under way, who watches what
    session.py     one open session
    news.py        what clients are reported without having asked
    turns.py       one prompt, from admission to the answer that ends it; cancelled at any moment
    undertakings.py   what is brought to its end, even if whoever waits for it is cancelled
    stage.py       what a model can do to its client while it answers
    journal.py     a stage that writes down what it shows
    model.py       the offline model
    brain.py       what answers the prompts of a session, and how a session ends
    isolate.py     sessions as subprocesses: worker.py is what runs in one, relay.py passes on what it shows and asks
    errors.py      what can be wrong with a request, and how the client is reported
    identity.py    the ways to log in, and whose sessions are whose
    settings.py    modes and configuration options, as data
    workspace.py   what is checked of the paths, servers and content that a client sends
    titles.py      titles and times
    store.py       sessions in a database: every operation one transaction
    engine.py      the databases that there are: sqlite.py and postgres.py hold what differs between them
    rows.py        a session as it is stored
    salvage.py     what can still be read of a file that is damaged
    places.py      when two paths name one directory
    leases.py      which agent has a session open; errands.py: what the others wish of it
    database.py    SQLite's file: tables, migrations, pragmas; postgres_schema.py: a server's
    pulse.py       which agents of a database server live
    thread.py      the threads in which the store runs, so that the event loop never waits for a disk
    cursors.py     opaque, tamper-evident cursors
    owners.py      which process a turn belongs to, and whether it still lives
    upkeep.py      sessions that nobody touches, and deleted ones whose time is over
    serve.py       stdio, or a socket that many clients share

Only the standard library and the vendored `acp` package (msgspec) are needed; for PostgreSQL psycopg, too.
"""

__version__ = "1.0.0"
