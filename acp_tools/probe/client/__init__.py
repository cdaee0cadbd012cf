"""`probe --client`: the probe plays the agent and tests a client.

runner          the order of the scenarios
scenarios       the agent's behaviour in each scenario
scripted_agent  the agent that the probe plays
sessions        judge the client's sessions and lists
launch          starts the client, with a stand-in for the agent or on its standard streams
"""
