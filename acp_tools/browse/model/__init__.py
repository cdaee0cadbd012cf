"""Sessions and frames as pure data.

frames        kinds and partners of frames; how many are kept
history       which session a frame changes: opening, loading, ends of turns, answers; unknown sessions
session       entries of a conversation, settings and state; how many are kept
session_list  the pages of the session list as one list; the end of endless lists
filter        matching of typed letters, and the orders of the list
log           the agent's standard error and other messages; how much is kept
export        the list as JSON, a conversation as Markdown
"""
