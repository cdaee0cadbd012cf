"""RFDs: the commands `rfd`, `rfd new` and `examples`.

status    `rfd`: the lists and promotion effects that it prints
skeleton  `rfd new`: definitions, names and texts of a new RFD
moves     `rfd promote` and `rfd withdraw`: what they change in schema, lock and examples
examples  `examples`: listing, missing and repaired example messages
"""
