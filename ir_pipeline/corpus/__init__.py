"""The folder of a corpus: staged, written whole, read again."""
