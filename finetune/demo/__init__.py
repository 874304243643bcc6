"""`oscar demo`: the whole road on the example corpus."""
