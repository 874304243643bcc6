"""One unit in, LLVM IR in one printed form out: the compiler, and the boundary to LLVM."""
