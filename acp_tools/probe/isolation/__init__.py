"""Isolation of a peer from the machine.

home       a clean home directory and environment
needs      files that a command needs to run
network    the start in namespaces, and the attempts to leave them
namespace  the program that enters namespaces and runs the command
run        the command `acp-codegen run --sandbox`
shutdown   cleanup after SIGTERM, SIGHUP and Ctrl+C
"""
