# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Sessions: objects for them, their state and what they hold.

state            how an update changes the state of a session: values, entries, patches
streamed         entries to which pieces are appended, repeated prompts, and the form of the tables that drive `state`
replay           the messages that rebuild a state, and its JSON form
agent_session    the base of `AgentSession`: decisions, content from strings, keys of entries
client_session   the base of `ClientSession`: opening, leaving and ending a session
subscription     the updates of a session as iterators: of one turn, and of all; their buffers
paging           lists that come page by page, and the end at a repeated cursor
handles          when a handle is released or killed, and when an entry of this side is sent
permissions      which option a permission policy selects
tunnel           start, end and answers of the servers that a client offers, directly or by URL
tunnel_sessions  an agent's sessions with these servers, and the notifications that reach them
"""
