"""`make interop`: write docs/interop.md from the peers in docs/interop/peers.toml.

__main__  which peers run, and which results are kept
peers     how each peer is installed; the peers themselves are in docs/interop/peers.toml
calls     one recorded call of each method, and its cell in the matrix
findings  the probe's findings with the frames they quote; how much is quoted
page      form of docs/interop.md, which is never edited by hand
"""
