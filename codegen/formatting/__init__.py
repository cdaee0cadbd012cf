"""The formatting of emitted Python with black.

Modules:

    format         formats the modules of a package, piece by piece, with the help of a second process
    format_worker  the program of the second process; it is run by path
"""
