"""One JSON value against one definition.

values          notes about a value: the fast verdict first, then the exact errors
schema          a schema as validators need it: methods, validity, errors
closed_schema   the definitions without undeclared keys, for the fast verdict (jsonschema-rs)
lenient_schema  the definitions as a tolerant peer reads them; discriminators by node
errors          the exact errors of an invalid value (jsonschema), cached
gated_parts     the gated and undeclared parts that a value uses
suggestions     the nearest known name
notes           notes: messages without their place in a file
"""
