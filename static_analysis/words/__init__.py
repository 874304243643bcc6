"""Names, symbols and numbers as tokens of the alphabet both streams share."""
