"""JSON to typed objects and back.

codec            `encode`, `decode` and typed `_meta`: when msgspec decides alone, and the meaning of lenient and strict
readers          decoding in Python of records, lists, enumerations: leniency, undeclared fields, the path in an error
values           decoding of scalars and unions: the selected variant or `UnknownVariant`, the text of errors
payloads         missing and invalid params and results; the check before sending, and the variable that turns it off
bases            base classes of the types; ImportError for pydantic in a package without that part
pydantic         the pydantic-core and JSON Schemas of the types
pydantic_models  base classes of the pydantic models: `MISSING`, lenient reading
"""
