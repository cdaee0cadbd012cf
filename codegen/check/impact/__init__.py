"""The impact of a change: severity, evidence and details of findings.

severity        the table from a change and its cost to a level
cost            what is lost, and who notices
witnesses       the smallest message that shows a break
decoder         the answer of a package's decoder to a message
details         additions for reviewers: RFD, messages before and after, old places
deprecation     deprecated parts, and parts whose window has ended
gated_removals  parts that were removed together with their capability
replay          recorded messages against the new schema
"""
