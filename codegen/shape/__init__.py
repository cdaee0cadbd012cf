"""Shapes: the Python classes and aliases that a schema becomes. No text is written here.

shapes        the result of shaping: `Record`, `Leaf`, `Choice`, `Alias`, and the fields of each
shaping       which definitions become classes, unions or aliases, and how inline types are extracted; call `shape`
native        which types msgspec decodes exactly as the schema requires; all others become markers
naming        Python names of properties and labels of variants; errors of impossible or clashing names
covariance    which arrays of a class are annotated as `Sequence`; `emit/type_hints` decides it for parameters
tolerance     published files: which definitions become "any value" because no class is possible
nodes         the node tables for the decoder, as data
error_codes   the error codes that a schema lists, and their Python names
method_table  the rows of the method table: Python names, gates, stages; clashes, invalid sides and gates
package       a schema, its shapes and all tables as one object, the input of `emit`
public        the public names of a package that come from no schema type, with their modules; required releases of
              other distributions
"""
