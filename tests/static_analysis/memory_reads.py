"""Short spelling of what loads may read, for tests of the memory analysis."""

from static_analysis.flow.cfg import control_flow
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.model import MemoryModel
from static_analysis.reading.reader import read_module

PARAMETERS = "i32 %a, i64 %i, i64 %j, i1 %d, ptr %p, ptr %q"


def reads(body: str, before: str = "", parameters: str = PARAMETERS) -> list[str]:
    """Return what each read of a function may read, in order of instructions.

    Instructions by index, then ``entry`` and ``fresh`` where they apply; ``unknown`` for a load
    without a result, nothing for other instructions without one.
    """
    module = read_module(f"{before}\ndefine void @f({parameters}) {{\n{body}\n}}\n")
    function = module.functions[-1]
    found = MemoryModel(module).reaching_stores(function, DominatorTree(control_flow(function)))
    spelled = []
    for index, instruction in enumerate(function.instructions):
        if index in found:
            known = found[index]
            words = [str(store) for store in known.stores]
            words += ["entry"] * known.entry + ["fresh"] * known.uninitialised
            spelled.append(" ".join(words))
        elif instruction.opcode == "load":
            spelled.append("unknown")
    return spelled
