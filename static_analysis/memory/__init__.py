"""Which stores a load may read."""
