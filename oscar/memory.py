"""Keeps memory that tensors have freed, for those that come after them."""

import ctypes
import sys

# From glibc's malloc.h: memory above this goes back to the system; buffers that are mapped apart.
_TRIM_THRESHOLD, _MMAP_MAX = -1, -4
_NEVER, _NONE = -1, 0


def keep_freed_memory() -> bool:
    """Tell the C library to keep what is freed in this process, instead of giving it back.

    A step on a CPU frees and takes tensors of tens of megabytes over and over. By default glibc
    gives them back to the system each time, and the system fills each page with zeros when it is
    touched again, which takes as long as a matrix product needs to write it. The process then holds
    as much memory as it needed at most.

    Returns:
        Whether there was a glibc to tell.
    """
    if not sys.platform.startswith("linux"):
        return False
    library = ctypes.CDLL(None)
    if not hasattr(library, "gnu_get_libc_version"):
        return False
    kept = library.mallopt(_TRIM_THRESHOLD, _NEVER) and library.mallopt(_MMAP_MAX, _NONE)
    return bool(kept)
