"""Representations that a model has to beat to be worth its cost."""
