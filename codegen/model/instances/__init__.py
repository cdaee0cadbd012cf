"""JSON values of the types of a schema: minimal ones, samples, and example messages.

samples           values at the edges of scalar types
minimal           the smallest value of a type, or the smallest that contains a given value
coverage          the parts of a schema that a message covers
example_messages  messages that cover the parts that no other message covers
"""
