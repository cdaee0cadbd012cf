"""The arguments of rules, and helpers that several rules share.

pairs             an old part beside its counterpart, for compatibility rules
schemas           one schema, raw and loaded, for lints
side              one of the two schemas of a comparison
stages            the parts that belong to an unfinished RFD
reserved          the names that releases had and nobody may reuse
promotion         the earlier schema as released peers know it
defaults          the meaning of an absent property
missing_examples  the example messages that a schema lacks
texts             the texts of RFDs, and their sentences with MUST
phrases           types and parts in words, for messages
"""
