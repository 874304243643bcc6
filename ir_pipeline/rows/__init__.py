"""The corpus row, and what describes a function in it."""
