"""Operations on types, with one meaning for the loader, the emitter, `check` and `validate`.

structure       which definitions are inner unions, and which variants have a class of their own: facts of the whole
                schema that decide Python forms
intersect       the result of `allOf`, `$ref` with siblings and repeated properties, and the clashes that are errors
conformance     whether a JSON value conforms to a type
identity        whether two types are the same apart from descriptions
bounds          the bounds of a number, string or array, and their names in messages
change_kind     the relations of an old and a new range of values: equal, narrower, wider, overlapping, disjoint
normal_form     the form of a type that all comparisons use: bases merged in, one-member unions unwrapped
discriminators  `Marks`: the tag of a union, and the constants that distinguish its variants
"""
