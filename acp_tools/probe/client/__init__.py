"""`probe --client`: the probe plays the agent and tests a client.

runner          the requirements of clients, the run of the scenarios and its time limit
scenarios       order of the scenarios, the agent's behaviour in each, and the requirements it decides
scene           one start of a client, as scenarios see it
resources       checks of files, terminals, and updates in an unusual order
scripted_agent  the responses of the agent that the probe plays
sessions        checks of a client's session ids and list cursors
launch          how a client starts, with a stand-in for the agent or on its standard streams
"""
