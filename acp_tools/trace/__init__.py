"""A program between an editor and an agent: it relays every byte unchanged, records every frame, and validates as it reads.

cli         arguments and exit codes
proxy       the agent, started with our streams as its own
pump        bytes from one pipe to another, and the frames in them
redaction   secrets removed from frames
recorder    frames into a transcript, on a thread
transcript  a recorded transcript, read again
follow      a transcript shown while it is written, with findings
replay      the client's side of a transcript, sent again
diff        differences between two recordings
"""
