"""Data sets of the tasks, in their own formats, beside their corpora."""
