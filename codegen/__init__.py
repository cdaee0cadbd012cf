"""The compiler: from schema.json to a typed Python package, and the tools that check schemas and messages.

__main__          `python -m codegen`
pipeline          the stages of `generate`: read, load, shape, render, plan the changes
cli/              the command line
document/         schema documents: JSON with places, extensions, annotations
load/             from a document to the model
model/            the model: nodes, and pure functions over them
shape/            the Python classes that a schema becomes
emit/             the text of every file of a package
publish/          a schema for other tools
formatting/       formatting of emitted Python
write/            the output directory
findings/         findings, rules and reports
check/            checks of schemas
catalogue         all rules, for `rules` and `explain`
validate/         checks of messages
resolve           `vendor --resolve`: the inputs of both branches of a merge
vendor            `vendor`: a package in another source tree
upgrade/          the effect of a new package version on a project
scaffold          `new`: a project from a starter
annotate          `annotate`: annotation documents for published files
import_extension  `import-extension`: a vendor's schema as an extension document
bridge/           `bridge`: messages of one version as messages of another
migrate/          `migrate`: programs moved from another SDK
docsite/          `docs`: the documentation site
lsp/              `lsp`: the language server
contracts         the names of the runtime that the compiler reads
runtime/          the hand-written part of every generated package
errors            errors that a user can cause
diagnostics       the table of all errors in a document, each a rule of `check`
limits            the table of limits for documents
confine           restrictions that a process puts on itself
time_limit        the time limits of read-only commands
escape            untrusted text made safe for terminals, logs and Markdown
resources         the project's data files, in a checkout and in a wheel
"""
