"""The options `--fleet` and `--sdk`: the effect of an edit on recorded traffic of released programs, and on released
SDKs.

fleet      what breaks for each program and each live release
packages   SDKs of PyPI and npm: install one, let it read messages
ask        runs beside an installed SDK of PyPI, ask.mjs beside one of npm; both import nothing of this package
"""
