"""The language server. Only the command `lsp` imports this folder; everything else works without it.

server        requests and timing of the Language Server Protocol; what the editor can apply (renames); when findings are
              published
workspace     findings, hover texts and completions (which keywords and values) of an open schema
navigation    definitions, references, outline and senders at a position
renames       what a rename changes, in which files, and which names are refused
code_actions  which fixes an editor offers: of rules, missing examples, spelling
positions     conversion of editor positions (UTF-16) to pointers
"""
