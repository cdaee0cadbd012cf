"""Shapes: the Python classes and aliases that a schema becomes. No text is written here.

shapes        the types: `Record`, `Leaf`, `Choice`, `Alias`, `Shapes`
shaping       from a `Schema` to `Shapes`
native        the types that msgspec decodes exactly as the schema requires
naming        Python names of classes and properties, and clashes of names
covariance    the arrays that are annotated as `Sequence`
tolerance     shapes of published files, where an unusable definition may be any value
nodes         node tables for the decoder, as data
error_codes   error codes of the schema, and their messages
method_table  the rows of the method table
package       a schema, its shapes and all tables: what `emit` writes a package from
public        public names of the emitted package that no type of the schema makes
"""
