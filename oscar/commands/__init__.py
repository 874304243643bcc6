"""Verbs of the command line: arguments in, files and a short table out."""
