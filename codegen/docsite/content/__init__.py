"""Facts about the schema, in words and blocks, for all pages.

descriptions  types and properties in words
usage         users and senders of a type
messages      example messages as they are on the wire
python        handlers and calls of a method in Python
requirements  requirements as blocks
"""
