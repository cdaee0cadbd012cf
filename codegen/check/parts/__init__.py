"""The arguments of rules, and helpers that several rules share.

pairs             the kinds of pairs that compatibility rules receive, and their fields
schemas           what lints receive: one schema, raw and loaded, with its examples
side              one of the two schemas of a comparison, and facts derived from it: which definitions are unchanged
stages            which parts belong to an RFD in progress, were withdrawn or moved between stages
reserved          which removed names may not be reused (`x-reserved`)
promotion         the earlier schema as released peers know it: without parts that became stable since
defaults          the default value that an absent property means, with the defaults below it
missing_examples  which example messages a schema lacks: their paths and contents
texts             sentences with MUST in the texts of RFDs
phrases           words for types, owners and variants in messages of `check`
"""
