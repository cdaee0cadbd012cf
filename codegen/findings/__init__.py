"""Findings: the parts that `check`, `diff` and `validate` share, from the rule table to the report.

finding          a finding: rule, level, place, example
rule             rules as table rows, and the effects of a change
cascades         the table of findings that explain other findings, and grouping of like ones
suppressions     accepted findings and facts about releases, from `pyproject.toml`
accepted_breaks  accepted breaking changes, from `accepted-breaks.toml`
audience         the released peers that a finding affects, and the version number it requires
verdict          the outcome of a comparison: pass, fail, or not compared
traffic          the outcome of replayed traffic
report           findings as text, JSON lines and GitHub annotations
sarif            findings as SARIF
review           the reviewer's report as data
templates        reports as documents: Markdown, HTML, JUnit
"""
