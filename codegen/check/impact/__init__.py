"""The impact of a change: severity, evidence and details of findings.

severity        the level of a change from its effect and cost: one table for all rules. A rule's own effect, level or
                cap is in `rules/`
cost            the loss of a receiver that gets a changed message, and who notices
witnesses       the smallest message that shows a break
decoder         whether a package's decoder accepts a message: accepted, dropped or rejected
details         what reports add to a finding: RFD, messages before and after, old places
deprecation     which parts are newly deprecated, and which may be removed because their window ended
gated_removals  when a removal with its capability counts as asked first
replay          `--replay`: which recorded messages count, and why others do not
"""
