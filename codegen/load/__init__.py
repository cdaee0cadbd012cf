"""The loader: from a schema document to the model. Every keyword is either understood or an error at its place.

schema     the order of loading, skipped envelopes, and the errors of a document as a whole; call `load`
root       reads the keywords of the root (`x-requirements` and RFDs among them); errors in their values and targets
methods    which definitions become methods: side, kind, params, result, earlier names; errors of pairs
types      the type that one JSON Schema node becomes, and rejected combinations of keywords
nodes      which keywords a node may have by its kind; errors for unknown, misplaced or misspelt keywords
objects    properties, required ones, undeclared ones, and the accepted forms of `not` beside them
unions     constants, enumerations, unions (also a `not` that excludes values of other variants) and `x-name`;
           enforces the limits on listed values
scalars    numbers, strings and their bounds; patterns that are rejected
updates    the form of the keyword `x-update` of a property or a variant
tolerance  the wider type that a part of a published file gets if it cannot be typed exactly
"""
