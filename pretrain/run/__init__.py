"""A run from its options to its last step."""
