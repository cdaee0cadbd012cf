"""The checker of schemas: the commands `check`, `diff`, `changelog`, `compatible`, `rules`, `explain` and `rfd`.

command     `check` and `diff` step by step: which comparisons and filters run, in which order; example folders; `--fix`
changelog   `changelog`: the releases that are compared, and the steps between them
compatible  `compatible`: the losses between peers of each two versions, as a table or JSON
inputs      loading of both sides; annotations that one side takes from the other; what is not compared (parts that
            do not load, long chains)
baseline    the baseline by `--against` (file, revision) or by default, with or without the extension; the gap.
            `git` finds the usual commit
git         the usual baseline commit: HEAD, the start of the branch or the first parent; every run of git and its
            errors
live        `check` against older live releases: which are compared, and the findings that they add
releases    which tags are live releases, how many, and when a deprecation window has ended
engine      from pairs and rules to findings: circumstances of a change, direction, level now and at completion
compare/    two schemas side by side: every pair of parts that differs
rules/      the rule table, a small function per rule
parts/      the arguments of rules, and helpers that rules share
impact/     the severity of a change, its witness, and replayed traffic
fleet/      the effect of an edit on released programs and SDKs
lint/       the rules for one schema by itself
rfd/        RFDs: status, skeletons, examples
completion  findings at the completion of an RFD in progress, for released peers
fixes       the fix of each rule with a single remedy (`FIXES`), for `check --fix` and editors
"""
