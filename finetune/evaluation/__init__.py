"""Evaluators: one a kind of question, each figure checked by hand-worked cases."""
