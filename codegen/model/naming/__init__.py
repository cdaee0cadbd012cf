"""Python names for the parts of a schema, and the lock that keeps them from release to release.

wire_names    a name on the wire to a Python name, by rule alone
settle        Python names for a whole schema, methods included: call `settle`
rename        a schema with renamed definitions
lock          the lock file `names.lock.json`
inline        names for inline objects and unions
leaves        the leaves of objects that contain unions
variants      objects with unions, flattened into one leaf per combination of variants
"""
