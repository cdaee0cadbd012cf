"""Renderers: blocks to files.

html       pages as HTML that needs no script, and the search index
mdx        pages as MDX for Mintlify
markdown   hand-written Markdown, parsed and rendered in both formats
highlight  code with syntax highlighting
"""
