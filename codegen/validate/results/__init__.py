"""Results of a validation.

rules    the rules of `validate`, in the catalogue beside those of `check`
summary  counts: messages by method, invalid ones, unparsable ones
"""
