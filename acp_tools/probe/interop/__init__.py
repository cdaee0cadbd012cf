"""docs/interop.md, from the peers in docs/interop/peers.toml: `make interop`.

peers     who is probed, and how each is installed          calls     one call of each method, recorded
findings  the probe's findings, and the frames they quote   page      the page, from docs/interop/results.json
"""
