"""The compiler: from schema.json to a typed Python package, and the tools that check schemas and messages.

__main__          the start of `python -m codegen`; everything else is in `cli/main`
pipeline          stages in order (`generate`), their inputs, default schema and names lock; which documents `--stable`,
                  `--bare` and extensions give
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
catalogue         texts of the commands `rules` and `explain`, and the words for levels; order of docs/rules.md, which
                  is never edited by hand
validate/         checks of messages
resolve           `vendor --resolve`: the result of combining both branches' manifest and names lock
vendor            `vendor`: checks of DEST and of a base (`--on`), inputs that the manifest stores, chosen parts and
                  runtime, messages; states of files are in `write/diff`
upgrade/          the effect of a new package version on a project
scaffold          `new`: the starters it copies, the names it replaces in them, and its checks of the target folder
annotate          `annotate`: which keywords an annotation document adds, and the prerequisites (`x-requires`) of each
                  action
import_extension  `import-extension`: what is kept, renamed or dropped of a vendor's schema
bridge/           `bridge`: messages of one version as messages of another
migrate/          `migrate`: programs moved from another SDK
docsite/          `docs`: the documentation site
lsp/              `lsp`: the language server
contracts         the list of runtime names that the compiler may use; its only import of the runtime
runtime/          the hand-written part of every generated package
errors            the classes of user errors and their form (`file:line:column: error: ...`); the code that raises an
                  error has its text
diagnostics       id, purpose, reason and default fix of each error in a document; the code that raises it has the
                  message
limits            name, number and advice of every limit on documents and commands, and the variable that raises them;
                  `document/`, `load/` and `model/naming/` enforce them
confine           `--untrusted`: the forbidden system calls and writes, and the limits on memory and stack
time_limit        the end of a command that takes too long, and its message; the seconds are in `limits`
escape            which characters of untrusted text are removed or escaped, by output: terminal, log, JSON, Markdown
resources         the places of data files, templates and runtime modules, in a checkout and in a wheel; settings of
                  Jinja
"""
