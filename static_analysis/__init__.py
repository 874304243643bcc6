"""Ground floor: reads LLVM IR text and says what each instruction does to its environment."""

from static_analysis.analysis import AnalysedFunction, BasicBlock, analyse
from static_analysis.encoding.environment import ENVIRONMENT_VERSION
from static_analysis.errors import IRError, OscarError
from static_analysis.words.tokens import opcode

__all__ = [
    "ENVIRONMENT_VERSION",
    "AnalysedFunction",
    "BasicBlock",
    "IRError",
    "OscarError",
    "analyse",
    "opcode",
]
