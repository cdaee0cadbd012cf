"""The cases: each module has `STEPS`, coroutines that take a `Probe` and write their observations into its results.

handshake        the `initialize` request and protocol versions
methods          every advertised method, with valid and invalid params
turns            sessions and prompt turns: opening, permissions, cancelling
settings         modes and options of a session
session_list     pages, cursors and filters of the session list
stored_sessions  load, resume, fork, close, delete
login            agents that need a login
metadata         archive, status and titles of sessions; login status
framing          malformed frames, and unusual valid ones
robustness       floods, slow reading, deep and huge frames, a kill
shutdown         the end of the agent, and the processes it leaves behind
"""
