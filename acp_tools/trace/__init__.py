"""A program between an editor and an agent. It relays every byte unchanged, records every frame, and validates the
record meanwhile.

cli         arguments and exit codes
proxy       the agent, started with our streams as its own, and the pumps between them
redaction   secrets removed from frames
secrets     secrets found in a text: rules as data, and contexts
recorder    frames into a transcript, on a thread
transcript  a recorded transcript, read again
follow      a transcript shown while it is written, with findings
player      one side of a transcript, played again
replay      the client's side, played to an agent and compared
mock        one side as a fake agent or client
share       a copy for others: structure and types
diff        differences between two recordings
"""
