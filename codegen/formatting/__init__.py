"""The formatting of emitted Python with black.

Modules:

    format         settings of black, the pieces of long modules, and when a second process helps
    format_worker  the program of the second process; it is run by path
"""
