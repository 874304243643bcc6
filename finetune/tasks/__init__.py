"""The tasks: what is asked, of whom, and how the answers are judged."""
