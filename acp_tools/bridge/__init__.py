"""Two commands for editors and agents that know standard streams alone: one serves any agent, the other stands for a remote one.

cli       arguments and exit codes
expose    a process for each connection behind an endpoint
keeper    ends the processes that the former has left behind
connect   our standard streams are the remote agent's
"""
