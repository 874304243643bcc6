"""Control flow: graph, dominators, loops, control dependence, positions."""
