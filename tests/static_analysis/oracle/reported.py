"""What the analysis under test reports of the loads of a module."""

from collections.abc import Collection

from static_analysis.flow.cfg import control_flow
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.model import MemoryModel
from static_analysis.reading.ir import Module
from tests.static_analysis.oracle.check import Sources


def reported_sources(module: Module, functions: Collection[str]) -> dict[str, dict[int, Sources]]:
    """Return, by function (its lexeme) and load, the reported sources.

    Args:
        module: the module.
        functions: the functions to look at.
    """
    model = MemoryModel(module)
    reported = {}
    for function in module.functions:
        if function.name in functions:
            found = model.reaching_stores(function, DominatorTree(control_flow(function)))
            reported[function.name] = {
                load: Sources(sources.stores, sources.entry, sources.uninitialised)
                for load, sources in found.items()
            }
    return reported
