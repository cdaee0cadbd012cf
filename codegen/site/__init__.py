"""The documentation site: pages of a schema's methods, types, capabilities, RFDs and releases, and of the rules, as HTML or MDX.

Nothing imports this folder but the command `docs`; without it all else works. It asks `model`, `emit`, `check` and `validate` for
facts and writes none of theirs. Which block of a page says what is decided once, in the modules of the pages; `html` and `mdx`
only write blocks down.
"""
