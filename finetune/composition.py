"""One vector for a program: its functions' vectors, weighed by what they are in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

import networkx as nx
import numpy as np

from oscar.embedding import unit_length

_SYMBOL = re.compile(r'@(?:"([^"]*)"|([-\w$.]+))')


class Function(Protocol):
    """What is asked of a function of a program."""

    @property
    def function(self) -> str:
        """Its symbol."""

    @property
    def n_instructions(self) -> int:
        """How many it has."""

    @property
    def instructions(self) -> list[str]:
        """Their texts."""


Weights = Callable[[Sequence[Function]], np.ndarray]
"""From the functions of a program to how much each counts (functions,)."""


def equal(functions: Sequence[Function]) -> np.ndarray:
    """All functions alike: the mean."""
    return np.ones(len(functions))


def by_length(functions: Sequence[Function]) -> np.ndarray:
    """By number of instructions: a helper of two lines says less than the loop that calls it."""
    return np.array([function.n_instructions for function in functions], float)


def reachable(functions: Sequence[Function]) -> np.ndarray:
    """By number of instructions, and only what `main` calls, directly or not, or mentions.

    What is never called is no part of what the program does. A program without `main`, a library,
    keeps all of its functions.
    """
    graph = call_graph(functions)
    used = {"main"} | nx.descendants(graph, "main") if "main" in graph else set(graph)
    kept = np.array([function.function in used for function in functions], float)
    weights: np.ndarray = kept * by_length(functions)
    return weights


def call_graph(functions: Sequence[Function]) -> nx.DiGraph:
    """Which functions of a program mention which others: calls, and addresses that are taken."""
    graph = nx.DiGraph()
    graph.add_nodes_from(function.function for function in functions)
    for function in functions:
        for text in function.instructions:
            for quoted, plain in _SYMBOL.findall(text):
                if (quoted or plain) in graph:
                    graph.add_edge(function.function, quoted or plain)
    return graph


COMPOSITIONS: dict[str, Weights] = {
    "mean": equal,
    "length": by_length,
    "reachable": reachable,
}


def compose(vectors: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighed mean of functions' unit-length vectors (functions, dim): (dim,)."""
    total: np.ndarray = weights @ unit_length(vectors) / max(float(weights.sum()), 1e-12)
    return total
