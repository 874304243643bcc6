"""Lowers C and C++ to equivalent views of LLVM IR and writes them as a corpus."""
