"""`acp-codegen probe`: is this agent, or this client, sound?

requirement   what is required, with stable ids           sheet     what became of each requirement
link, home    a peer, started in a clean home             network   what it can reach, and tried to (apart)
talk          one connection: send, wait, keep every frame
judge         each frame against the schema               material  messages from examples and generated ones
cases/        what is tried, a module for each family     run       the order of it, in bounded time
report        what is printed                             accepted  failures that are known
ending        a run that a signal ends
"""
