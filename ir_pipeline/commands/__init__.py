"""The verbs that look at corpora and part them."""
