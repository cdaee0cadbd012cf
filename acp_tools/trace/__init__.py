"""A proxy between an editor and an agent: it relays every byte unchanged, records every frame and validates it.

cli                options, help and exit codes of `trace` and its modes
proxy              how the agent starts, signals, and the pumps between both sides
redaction          which strings of a frame are masked: names such as `token`, options, secrets in a text
secrets            secrets in a text: the mask, names (`WORDS`), our own forms (`_MORE`, add here) and contexts
recorder           where and how frames are written; sizes; when a recording ends early
transcript         how recorded lines become frames with their original bytes
follow             a transcript shown while it is written, with findings
player             when a recorded frame is sent, and the ids in it
replay             the client's side, played to an agent; which differences are reported
mock               one side as a fake agent or client; answers beyond the recording
share              which strings a copy for others keeps, placeholders, the preview
diff               which differences count: random and masked values, ids, joined text
secret_rules.json  forms of secrets from a detector; written by `scripts/secret_rules.py`, never by hand
"""
