"""Sessions: objects for them, their state and what they hold.

state           the state of a session, built from its updates
streamed        entries of a state to which pieces are appended, tables of what messages do to a state
replay          the messages that rebuild a state, its JSON form
agent_session   the base of a session as its agent holds it
client_session  the base of a session as its client holds it, and how it is opened and left
subscription    the updates of a session as an asynchronous iterator: those of a turn, and all
paging          lists that come page by page
handles         handles on what a peer holds, entries that this side creates
permissions     policies that answer a request for permission
"""
