"""The language server. Only the command `lsp` imports this folder; everything else works without it.

server        requests, notifications and timing of the Language Server Protocol; when findings are published
workspace     findings, hover texts and completions (which keywords and values) of an open schema
navigation    definitions, references, outline and senders at a position
renames       what a rename changes, in which files, and when it is refused
code_actions  which fixes an editor offers: of rules, missing examples, spelling
positions     conversion of editor positions (UTF-16) to pointers
"""
