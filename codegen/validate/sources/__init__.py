"""Sources of messages: files in any of the supported forms.

files        the kind of a file by name and content, and the files of a folder
transcripts  the forms of a transcript's line, and errors of lines
documents    which fenced blocks of Markdown are checked, and against which definition
type_guess   the definition of a value from its surroundings, its content or its path
positions    line and column of a finding in a file
"""
