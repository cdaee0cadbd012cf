"""Programs on top of a generated package (`acp_generated`), a folder for each.

browse/      `acp-browse`: the session browser
probe/       `acp-codegen probe`: conformance tests of an agent or a client
relay/       `acp-codegen expose`, `connect` and `chaos`: agents over the network, and simulated bad networks
trace/       `acp-codegen trace`: record and replay the frames between an editor and an agent
codegen_api  the modules of `acp_codegen` that these programs use

A folder registers its command as an entry point of the group ``acp_codegen.commands`` and imports no other folder.
Deleting one breaks nothing else.
"""
