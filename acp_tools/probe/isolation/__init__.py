"""Isolation of a peer from the machine.

home       a clean home directory and environment
network    a network with loopback only, and the attempts to leave it
namespace  the program that enters a network namespace and becomes the command
shutdown   cleanup after SIGTERM, SIGHUP and Ctrl+C
"""
