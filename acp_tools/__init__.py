"""Programs that play the protocol, a folder for each, on the package `acp_generated`.

A folder registers its command as an entry point of the group ``acp_codegen.commands`` and imports no other folder's; without it the
rest is whole.
"""
