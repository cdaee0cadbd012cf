"""The language server. Only the command `lsp` imports this folder; everything else works without it.

server        the Language Server Protocol, with pygls
workspace     an open schema: its findings, hovers and completions; no protocol
navigation    definitions, references, renames and senders of the parts of a schema
code_actions  fixes for findings
positions     positions in a text and pointers in its JSON
"""
