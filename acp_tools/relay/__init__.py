"""Commands for agents on a network: `expose` serves any agent, `connect` reaches a remote agent, `chain` puts
proxies before an agent, and `chaos` simulates a bad network.

cli      options, help and checks of `expose`, `connect`, `chain` and `chaos`
expose   a server with an agent process per connection; how each end ends the other
service  what surrounds the server: limits of the machine, files of tokens, log lines, the first start of the command
reaper   when and how agents that `expose` left behind are ended
connect  standard streams connected to a remote agent; reconnection is in `acp_remote/reconnecting`
chain    routes of messages between an editor, proxies and an agent
chaos    `Faults` and `FaultProxy`: what each fault does to a connection; `chaos -- COMMAND`: pipes to a command, and
         their end
"""
