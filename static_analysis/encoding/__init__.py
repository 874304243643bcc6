"""What each instruction does to the abstract environment, in tokens."""
