"""The life cycle of sessions as a state machine: sequences of actions, and a model that predicts their results.

model     what is known of the sessions of one connection
ledger    the agent's messages, against the model: permissions, tools, handles, files
reopened  a session that is opened again: its turns and its settings
actions   the actions, when each is possible, and what must follow
search    sequences to play, and the shortest that still fails
"""
