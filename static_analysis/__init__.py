"""Ground floor: reads LLVM IR text and says what each instruction does to its environment."""
