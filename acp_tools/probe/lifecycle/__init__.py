"""The life cycle of sessions as a state machine: sequences of actions, and a model that predicts their results.

model     the predicted state of the sessions of one connection: turns, settings, cancellations, ends
ledger    checks of the agent's messages against the model: permissions, tools, handles, files
reopened  checks of a session that is opened again: its turns, settings and context
lists     checks of session lists: pages and filters
actions   the actions, when each is possible, and what must follow
search    which sequences are played, their length and number, and how a failing one is shortened
"""
