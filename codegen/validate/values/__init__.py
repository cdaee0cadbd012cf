"""One JSON value against one definition.

values          the order of checks of one value; undeclared keys, integers written with a fraction
schema          which methods and definitions of a schema validators use; the fast verdict (jsonschema-rs)
closed_schema   the definitions without undeclared keys, for the fast verdict
lenient_schema  the definitions as a lenient peer reads them: which bad values it accepts
errors          the text of each error of a value, and which variant of a union it refers to; caching of errors
gated_parts     the parts of a value that require a capability, and undeclared ones
suggestions     which known name counts as near enough for "did you mean"
notes           a finding of a message before its file is known; the texts of undeclared properties
"""
