"""Operations on types, with one meaning for the loader, the emitter, `check` and `validate`.

structure       the classes of a schema's parts, shared by all its projections
intersect       the intersection of types, for `allOf`, `$ref` with siblings, and repeated properties
conformance     whether a JSON value conforms to a type
identity        whether two types are the same
bounds          the bounds of a number, a string or an array
change_kind     the five relations between an old and a new range of values
normal_form     a type as it is on the wire: bases merged in, one-member unions unwrapped
discriminators  the constants and tags that distinguish the variants of a union
"""
