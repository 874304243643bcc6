"""The memory analysis of one function, whole and in part, as short as tests want it."""

from static_analysis.flow.cfg import control_flow
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.accesses import Accesses
from static_analysis.memory.addresses import Addresses
from static_analysis.memory.indices import Rules
from static_analysis.memory.model import MemoryModel
from static_analysis.memory.pointers import Pointers
from static_analysis.memory.registers import find_registers
from static_analysis.memory.traffic import Traffic
from static_analysis.reading.reader import read_module

PARAMETERS = "i32 %a, i64 %i, i64 %j, i1 %d, ptr %p, ptr %q"


def follow(body: str, before: str = "", parameters: str = PARAMETERS) -> tuple[Addresses, Traffic]:
    """Return the addresses of a function's pointers and the traffic through them."""
    module = read_module(f"{before}\ndefine void @f({parameters}) {{\n{body}\n}}\n")
    function, accesses = module.functions[-1], Accesses(module)
    tree = DominatorTree(control_flow(function))
    registers = find_registers(function, accesses, tree)
    addresses = Addresses(function, accesses, Rules(), tree, registers)
    return addresses, Pointers(addresses).follow()


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
