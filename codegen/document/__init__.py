"""Schema documents: files read into JSON, with the file, line and column of every part.

read          strict reading of a JSON file, its size and depth; line and column of each node (`Document`); errors of
              JSON Pointers
json_parser   the deviations from strict JSON that are reported instead of rejected, for `validate` and the probe
yaml_parser   the accepted subset of YAML: scalars, rejected anchors and tags
json_types    type guards for JSON objects and arrays
positions     line and column of a byte, and the bytes of a value: the index behind every place
keywords      tables of the keywords that are allowed, by place; names of RFD stages and levels. Their values are in
              `vocabulary`
vocabulary    the form of each `x-` keyword's value, and its meaning as editors show it
walk          which values in a schema are schemas, maps of schemas, references or data: the one traversal of JSON
validators    settings of jsonschema validators: they open no other document
count_limits  enforces the limits on definitions, methods and chains of references; the numbers are in `codegen/limits`
overlay       the form of an extension document and its actions, and errors in it
jsonpath      the JSONPath syntax that an action's target may use, and suggestions for targets without a match
merge         what an action may add, change or remove, and conflicts of two extensions
provenance    JSON values that store the source document of each part
extend        the order in which extensions apply, and which file an error of the result is reported in
annotations   which annotation document and actions apply to a published file; the documents are in
              `codegen/annotations/`
projection    what `--stable` removes: unfinished RFDs, and parts that nothing else uses
text_edit     text edits for fixes: place and indentation of an inserted, replaced or removed property
"""
