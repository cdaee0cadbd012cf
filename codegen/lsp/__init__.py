"""The language server. Only the command `lsp` imports this folder; everything else works without it.

server        the Language Server Protocol, with pygls
workspace     an open schema: its findings, hovers and completions; no protocol
navigation    names in a schema: their definitions, references and senders
renames       renames in all files of a schema
code_actions  fixes for findings
positions     positions in a text and pointers in its JSON
"""
