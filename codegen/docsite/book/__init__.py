"""The page context: what every page may use.

context   the schema, its examples, releases and documents: `Book`
releases  earlier releases and the changes between them
blocks    the blocks of a page, independent of a format
urls      file names and anchors
labels    names of union variants
cache     the build cache for the next run
"""
