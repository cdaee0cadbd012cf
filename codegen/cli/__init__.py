"""The command line: arguments in, text and exit codes out. Each command calls one module outside this folder.

main       the program: all commands; turns errors into messages and exit codes
commands   the kinds of commands and groups: examples, exit codes, time limit, commands of other packages
options    options that several commands share
console    standard output and standard error; the only module that prints
untrusted  --untrusted: a command in a confined child process
generate   `generate`, `vendor`, `new`, `schema`, `openrpc` and `annotate`
check      `check`, `diff`, `changelog`, `compatible`, `rules` and `explain`
bridge     `bridge`
validate   `validate`
author     `examples`, `rfd`, `keywords`, `lsp`, `import-extension` and `migrate`
docs       `docs`
"""
