"""Results of a validation.

rules    id, level and text of every rule of `validate`; the reader that finds a problem has its message
summary  the counts that `validate` prints at the end: by method, invalid, unparsable
"""
