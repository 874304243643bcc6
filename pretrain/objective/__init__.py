"""What is minimised: masked tokens and contrast."""
