"""Pages: one module per kind. A module turns facts into blocks and knows no format.

methods       a page for each method
types         a page for each type
capabilities  a page for each capability
rfds          a page for each RFD
rules         a page for each rule of `check`, `diff` and `validate`
versions      a page for each release
guides        the hand-written Markdown files
"""
