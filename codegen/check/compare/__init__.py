"""Two schemas side by side: pair their parts, walk the pairs once, and report every pair that differs.

compare        the whole comparison: call `Comparison`
objects        properties of objects, variants of unions
values         other types, and the state that all comparisons share
methods        methods and their gates
counterparts   old properties and variants paired with new ones
root_keywords  the keywords of the root, and requirements by their ids
meanings       statements in prose, and error codes
python_names   names in Python that changed while the wire did not
flow           the senders and receivers of every type
"""
