"""Sessions and frames as pure data.

frames        the frames of a connection, and which response belongs to which request
history       all sessions, as the frames describe them
session       one session: its conversation, settings and state
session_list  the pages of the session list as one list
filter        the filter of a list, and its order
log           the agent's standard error and other messages
export        the list as JSON, a conversation as Markdown
"""
