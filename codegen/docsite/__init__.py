"""The documentation site: pages of methods, types, capabilities, RFDs, releases and rules, and hand-written guides.

This folder and `templates/site/` produce Markdown, from which Zensical builds the site. Only the command `docs` imports
this folder; everything else works without it.

command    `docs`, step by step
pages      the pages of the reference, and the navigation
generator  the run of Zensical
guides     hand-written Markdown
book       what all pages share: the schema, addresses, links
words      types in words, tables of properties
facts      facts of methods, capabilities and RFDs
usage      users and senders of a type
messages   example messages as they are on the wire
python     handlers and calls of a method in Python
releases   earlier releases and the changes between them
labels     names of variants
text       escaped text
urls       file names and anchors
"""
