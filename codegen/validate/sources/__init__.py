"""Sources of messages: files in any of the supported forms.

files        the kind of each file, and its reader
transcripts  one message a line
documents    JSON in the fenced blocks of Markdown and MDX documents
type_guess   the definition of a value in a document or an example file
positions    places of pieces of JSON in a file
"""
