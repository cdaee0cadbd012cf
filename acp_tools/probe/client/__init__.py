"""`probe --client`: the probe plays the agent, and sees what a client makes of it.

launch     starts the client, which starts our stand-in or speaks on its own standard streams
stage      the agent that is played      scenarios  what it does to the client     run  the order of it
"""
