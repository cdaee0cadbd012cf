"""`probe --client`: the probe plays the agent and tests a client.

runner          the order of the scenarios
scenarios       the agent's behaviour in each scenario
scene           one start of a client, as scenarios see it
resources       files, terminals, and updates in an unusual order
scripted_agent  the agent that the probe plays
sessions        judge the client's sessions and lists
launch          starts the client, with a stand-in for the agent or on its standard streams
"""
