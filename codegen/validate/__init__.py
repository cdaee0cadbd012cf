"""The validator of messages: files, transcripts, documents and live connections against a schema.

command        order of files and findings, progress; similar findings are counted by `results/summary`
live           the findings of a connection, frame by frame, for other programs
sources/       messages read out of files
conversation/  messages in their order: requests, responses, sessions, negotiation
values/        one JSON value against one definition
results/       the rules of `validate`, and the counts of a run
"""
