"""`make interop`: write docs/interop.md from the peers in docs/interop/peers.toml.

__main__  the program
peers     the peers, and how each is installed
calls     one recorded call of each method
findings  the probe's findings, and the frames they quote
page      the page, from docs/interop/results.json
"""
