"""A program between an editor and an agent: every byte goes on unchanged, every frame is written down, and a judge reads along.

cli                  arguments and exit codes
pump                 bytes from one pipe into another, and the frames that they were
secrets              what a frame must not leave on a disk
record               frames into a transcript, which is the only thing that the other parts know
follow               a transcript that is read while it is written: frames and findings, in this terminal or in a file
replay, differences  the client's side of a transcript played again, and what the agent did otherwise
"""
