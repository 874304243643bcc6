"""The one kind of exception a user of OSCAR is meant to read."""


class OscarError(Exception):
    """Something a user can act on: one line that says what went wrong and what to do.

    The command line prints the line and exits with status 1; every package derives its own
    errors from this class, so that code calling the library can catch them together.
    """


class IRError(OscarError):
    """Text that is not LLVM IR in the printed form this package reads."""
