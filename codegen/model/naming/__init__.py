"""Python names for the parts of a schema, and the lock that keeps them from release to release.

wire_names  the rule from a name on the wire to a Python name: words, snake and Pascal case, reserved names
settle      the name of every definition and method: the lock's first, longer names after a clash; call `settle`
rename      replacement of definition names in a schema, and class names for definitions with invalid names
lock        the form of names.lock.json, merging of two locks, and detection of renamed definitions (old class stays as
            alias)
inline      class names for objects and unions that a property declares inline (owner + property, `Item`, `Value`)
leaves      which variants of nested unions merge into one class; conflicts of their constants
variants    the name of each variant's class, rule by rule; enforces the limits on variants and properties
"""
