"""Two schemas side by side: pair their parts, walk the pairs once, and report every pair that differs.

compare        the order of a comparison, and which pairs it yields; call `Comparison`
objects        pairs of objects, undeclared properties and variants; an object that became a union
values         pairs of other types: numbers, strings, arrays, constants; state that all comparisons share
methods        which old method became which new one; pairs of gates, repeatability and earlier names
counterparts   which old property or variant became which new one, by criterion
root_keywords  pairs of root keywords and requirements, and what is compared of each
meanings       which sentences count as statements, and pairs of statements and error codes
python_names   Python names that changed while the wire did not
flow           the sender, receiver and message of every use of a type
"""
