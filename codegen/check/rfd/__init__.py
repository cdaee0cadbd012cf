"""RFDs: the commands `rfd`, `rfd new` and `examples`.

status    the parts of each RFD, and the effect of its promotion
skeleton  the first draft of a new RFD
moves     promotion and withdrawal
examples  example messages, missing ones, and those of a new RFD
"""
