"""The cases: each module has `STEPS`, coroutines that take a `Probe` and write their observations into its results.

handshake        cases of the handshake and of protocol versions
methods          cases of every advertised method, with valid and invalid params, and of unadvertised ones
turns            cases of sessions and prompt turns: opening, permissions, cancelling
settings         cases of modes and options of a session
session_list     cases of pages, cursors and filters of the session list
stored_sessions  cases of resume, fork, close and delete; `lifecycle/` tests load
login            cases of agents that need a login
metadata         cases of archive, status and titles of sessions; login status
framing          cases of malformed and unusual frames; the frames are in `malformed`
robustness       cases of floods, slow reading, deep and huge frames, a kill; their sizes
shutdown         cases of the end of the agent, and the processes it leaves behind
"""
