"""Isolation of a peer from the machine.

home       folders and environment variables that a peer gets
needs      which files of the system a command may read
network    when a peer starts in namespaces; the record of its attempts to leave
namespace  the program that enters namespaces: visible paths, rejected system calls, its processes
run        `acp-codegen run --sandbox`: options, allowed paths and hosts, audit log, exit code
shutdown   cleanup after SIGTERM, SIGHUP and Ctrl+C (`finished`); `command`, `interop/calls` and `interop/findings` run
           in it
"""
