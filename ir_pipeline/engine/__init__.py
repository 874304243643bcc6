"""Units to rows, in worker processes that may hang, die or grow without harm."""
