"""The output directory: its differences from the emitted files, and changes that are made completely or not at all.

diff         which files of a package change, and the state of each: missing, stale, edited by hand, no longer emitted,
             foreign
manifest     the fields of manifest.json: digests of the inputs and files; whether a run ends early; the base package of
             `vendor --on`
conflicts    manifest and lock with conflict markers of a merge: both texts read, and the advice
directory    safe access to files: no links, regular files, size of a file
transaction  the lock, staging folder, journal and recovery that make a change complete or not at all
"""
