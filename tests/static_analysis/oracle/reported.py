"""What the analysis under test reports of every load of a module."""

from static_analysis.cfg import control_flow
from static_analysis.dominators import immediate_dominators
from static_analysis.memory import reaching_stores
from static_analysis.reader import read_module
from tests.static_analysis.oracle.check import Sources


def reported_sources(ir: str, functions: set[str] | None = None) -> dict[str, dict[int, Sources]]:
    """Return, by function (its lexeme) and load, the reported sources.

    Args:
        ir: a module in printed form.
        functions: the functions to look at, all if None.
    """
    module = read_module(ir)
    reported = {}
    for function in module.functions:
        if functions is None or function.name in functions:
            graph = control_flow(function)
            found = reaching_stores(function, module, graph, immediate_dominators(graph))
            reported[function.name] = {
                load: Sources(sources.stores, sources.entry, sources.uninitialised)
                for load, sources in found.items()
            }
    return reported
