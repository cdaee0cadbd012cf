"""The command line: arguments in, text and exit codes out. Each command calls one module outside this folder.

main       the groups' modules, errors as messages and exit code 2, completion, the welcome text
commands   groups of commands and their help; examples and exit codes in help; entry points of other packages
options    options that several commands share, with their help texts
console    standard output and standard error, progress, colour; the only module that prints
untrusted  `--untrusted`: the confined child process, its time and exit code
generate   options and messages of `generate`, `vendor`, `new`, `schema`, `openrpc` and `annotate`
check      options, formats and exit codes of `check`, `diff`, `changelog`, `compatible`, `rules` and `explain`
bridge     options, exclusive formats and exit codes of `bridge`
validate   options of `validate`
author     options and messages of `examples`, `rfd`, `keywords`, `lsp`, `import-extension`, `migrate` and `merge-lock`
docs       options of `docs`
"""
