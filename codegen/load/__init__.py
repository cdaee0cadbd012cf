"""The loader: from a schema document to the model. Every keyword is either understood or an error at its place.

schema        the whole document: definitions, methods and root; call `load`
root          the keywords of the root, `x-requirements` among them
methods       the methods, from the definitions of their params and results
types         one JSON Schema node to one `Type`
nodes         the keywords of a node, checked for its kind of type
objects       properties, required ones, undeclared ones, and `not`
unions        constants, enumerations and unions
scalars       numbers and strings with their bounds
updates       the keyword `x-update`
tolerance     the nearest wider type for parts of published files that cannot be typed exactly
"""
