"""The options `--fleet` and `--sdk`: the effect of an edit on recorded traffic and on released SDKs.

fleet     what breaks for each program in recorded traffic, and for each live release and SDK
packages  installation of SDKs of PyPI and npm, and the form that they must have
ask       runs beside an installed Python SDK and reads messages with it
ask.mjs   the same beside an npm package
"""
