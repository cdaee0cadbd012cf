"""Two commands for editors and agents that know only standard streams: `expose` serves any agent, `connect` reaches a remote one.

cli      arguments and exit codes
expose   a server that starts an agent process for each connection
reaper   a process that ends agents which `expose` has left behind
connect  our standard streams connected to a remote agent
"""
