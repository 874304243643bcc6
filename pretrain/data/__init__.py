"""What is read: the corpus as token ids, and the batch of any step."""
