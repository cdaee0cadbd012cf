"""Schema documents: files read into JSON, with the file, line and column of every part.

read         JSON from a file; `Document` finds the line and column of each node
json_parser  the strict JSON parser, which notes duplicate keys and other deviations
yaml_parser  the subset of YAML that is equivalent to JSON
json_types   type guards for JSON objects and arrays
positions    the index from byte offsets to lines and columns
keywords     the tables of keywords that a schema may use, and where
vocabulary   the meaning of each `x-` keyword, and a JSON Schema of all of them
walk         the one traversal of a schema document as JSON
validators   JSON Schema validators that open no other document
count_limits  the check of a document against `codegen.limits`
overlay      the parser of extension documents
jsonpath     the JSONPath targets of an extension's actions
merge        one action of an extension, applied to a document
provenance   JSON values that remember the file of each part
extend       all extensions, applied to a schema
annotations  gates, handshake and the like, added to published files from `codegen/annotations/`
projection   the stable projection: the schema without unfinished RFDs
text_edit    insertions into a JSON text that keep the rest as it is written
"""
