"""One step after the other, and what is saved of them."""
