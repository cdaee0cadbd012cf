"""Findings: the parts that `check`, `diff` and `validate` share, from the rule table to the report.

finding          the fields of a finding, levels and losses; `file:line:column` as text (`Place`)
rule             the form of a rule's row, its text block with the level, and the list of effects; the rules are in
                 `check/rules/`
cascades         which findings are dropped or folded because others explain them; grouping of repeated ones
suppressions     settings of check in pyproject.toml: suppressions, patterns of release tags, minimum deprecation
accepted_breaks  the form of accepted-breaks.toml, and when an accepted break counts
audience         the released peers that a finding affects, and the version bump it requires
verdict          whether a comparison passes, and the exit codes 0, 1 and 3
traffic          counts of replayed messages, as text and JSON
report           the text, JSON lines and GitHub annotations of findings: which lines, the place in the baseline,
                 colours, order
sarif            fields and levels of SARIF, and which files it refers to
review           sections, groups and counts of the reviewer's report, as data
templates        which template of `templates/report/` a format uses, and its filters
"""
