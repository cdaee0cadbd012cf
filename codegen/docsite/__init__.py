"""The documentation site: pages of methods, types, capabilities, RFDs, releases and rules, and hand-written guides.

This folder and `templates/site/` produce Markdown, from which Zensical builds the site. Only the command `docs` imports
this folder; everything else works without it.

command    `docs`: the inputs of a site (schema, examples, releases, guides) and the changes in its folder
pages      which pages the reference has, their titles and the navigation; their text is in `templates/site/`
generator  the run of Zensical and the files that are kept; its settings are in `templates/site/zensical.toml.jinja2`
guides     hand-written Markdown: order and groups by its README.md, links, the home page
book       `Book`: addresses and links of all parts, links and duties (MUST) in prose, badges, senders
words      types, limits and defaults in words; tables of properties
facts      facts of methods, capabilities and RFDs: error codes, tests, added parts, effect of completion
usage      who sends a type, and which types and properties use it
messages   example messages with envelopes, as a page shows them
python     handler and call of a method in Python
releases   which releases a site shows, and the changes of each step
labels     label of a variant: tag, title, definition or position
text       escaping of Markdown: text, code, links
urls       file names and anchors of pages; the sections of a site
"""
