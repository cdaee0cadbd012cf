"""The handlers of the client: the browser's answers to the agent.

handlers   the client itself: updates, permissions, files, terminals
questions  questions to the user, one at a time
files      files inside the session's directory
terminals  commands that the agent runs
"""
