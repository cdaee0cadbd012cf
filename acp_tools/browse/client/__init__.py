"""The handlers of the client: the browser's answers to the agent.

handlers   the client's answers: updates, permissions, which capabilities it has
questions  questions to the user, one at a time
files      which files an agent may read or write, their largest size, errors
terminals  commands of an agent: working directory, kept output (1 MiB), status, killing
"""
