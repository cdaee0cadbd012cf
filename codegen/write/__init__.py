"""The output directory: its differences from the emitted files, and changes that are made completely or not at all.

diff         the files that differ, are missing or are no longer emitted
manifest     the inputs of a package as digests, so that an unchanged run is quick; the package that another adds to
conflicts    files with the conflict markers of a merge
directory    access to a directory without following links
transaction  all or nothing: a lock, staging, a journal and recovery
"""
