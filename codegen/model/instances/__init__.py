"""JSON values of the types of a schema: minimal ones, samples, and example messages.

samples           candidate values of scalar types: numbers near bounds, strings, formats, matches of patterns
minimal           the smallest value of a type, and the smallest that contains a given value
coverage          which parts of a schema (properties, nulls, variants, values) a message covers
example_messages  proposed example messages for parts without one, and the texts in them
"""
