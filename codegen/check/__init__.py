"""The checker of schemas: the commands `check`, `diff`, `changelog`, `compatible`, `rules`, `explain` and `rfd`.

command     `check` and `diff`, step by step
changelog   what changed from release to release
compatible  what peers of each two versions lose
inputs      the two sides of a comparison, loaded
baseline    the schema that `check` compares with
git         earlier texts of files, from git
live        breaks for peers of older live releases
releases    the tags of the repository: live releases, and the windows of deprecations
engine      findings of two loaded schemas: comparison, severity and rules combined
compare/    two schemas side by side: every pair of parts that differs
rules/      the rule table, a small function per rule
parts/      the parts of schemas that rules receive, and helpers that rules share
impact/     the severity of a change, its witness, and replayed traffic
fleet/      what an edit breaks for released programs and SDKs
lint/       the rules for one schema by itself
rfd/        RFDs: status, skeletons, examples
completion  the effect of completing an RFD
fixes       the fix of each rule that has a single remedy
"""
