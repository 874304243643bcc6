"""Equivalent versions of a module."""
