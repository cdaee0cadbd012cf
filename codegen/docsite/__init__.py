"""The documentation site: pages of methods, types, capabilities, RFDs, releases and rules, as HTML or MDX.

Only the command `docs` imports this folder; everything else works without it.

command   `docs`, step by step
build     from the page context to the files of the site
book/     the context of all pages, and the blocks that pages consist of
content/  facts in words and blocks: descriptions, messages, Python, requirements
pages/    one module per kind of page
render/   blocks as HTML or MDX
"""
