"""The command line: arguments in, text and exit codes out. Each command calls one module outside this folder.

main              the program: runs a command, turns errors into messages and exit codes
options           argument types and options that several commands share
console           standard output and standard error; the only module that prints
generate          `generate`, `vendor`, `schema`, `openrpc`, `annotate` and `new`
check             `check`, `diff`, `changelog`, `rules` and `explain`
validate          `validate`
author            `examples`, `rfd`, `keywords`, `lsp` and `migrate`
import_extension  `import-extension`
docs              `docs`
plugins           commands of other packages, from entry points
"""
