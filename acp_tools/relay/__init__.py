"""Commands for agents on a network: `expose` serves any agent, `connect` reaches a remote agent, and `chaos` simulates
a bad network.

cli      arguments and exit codes
expose   a server that starts an agent process for each connection
reaper   a process that ends agents which `expose` has left behind
connect  our standard streams connected to a remote agent
chaos    a proxy with the faults of bad networks, for users and for tests
"""
