"""What is learned, measured and shown."""
