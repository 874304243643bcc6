"""The object model of LLVM IR text: module, function, block, instruction."""

from dataclasses import dataclass, field

from static_analysis.reading.attributes import Attributes
from static_analysis.reading.brackets import split
from static_analysis.reading.form import Call, Form
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.type_table import TypeTable
from static_analysis.reading.types import FunctionType, Type

_NO_LITERALS = ("@switch.table.", "@__func__.", "@__FUNCTION__.", "@__PRETTY_FUNCTION__.")
"""Private bytes that nobody has written: tables made of a switch, the name of the function."""


@dataclass(slots=True)
class Instruction:
    """One instruction; the same object stands wherever the same line does, so never change one.

    Attributes:
        text: the instruction on one line, metadata included.
        form: what it shares with all instructions that differ from it only in their locals.
        locals: the locals that fill the holes of its form, as lexemes (``%x``), in order; a bare
            ``%`` where a block address names a block of another function.
    """

    text: str
    form: Form
    locals: tuple[str, ...]

    @property
    def opcode(self) -> str:
        """Return its opcode word."""
        return self.form.opcode

    @property
    def result(self) -> str | None:
        """Return the local it defines, as a lexeme."""
        return self.locals[0] if self.form.has_result else None

    @property
    def metadata(self) -> dict[str, str]:
        """Return what is attached, by kind: ``{"dbg": "!7", "tbaa": "!12"}``."""
        attached = lexemes(self.text)[len(self.form.lexemes) + 1 :]
        return {kind[1:]: " ".join(node) for kind, *node in split(attached)}


@dataclass(slots=True)
class Block:
    """A basic block: its label as a lexeme (``%12``) and its range of instructions."""

    label: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; its name is a lexeme (``%0``), empty in most declarations."""

    name: str
    type: Type
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Prototype:
    """What is declared of a function.

    Attributes:
        name: its lexeme (``@f``).
        linkage: ``external`` where none is printed.
        type: result, parameter types and whether it is variadic.
        return_attributes: attributes of the result, with what else is printed between linkage
            and type: preemption, visibility, calling convention.
        parameters: its parameters.
        groups: names of its attribute groups (``#3``).
    """

    name: str
    linkage: str
    type: FunctionType
    return_attributes: Attributes
    parameters: list[Parameter]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Global:
    """A global variable, an alias or an ifunc.

    Attributes:
        name: its lexeme (``@g``).
        kind: ``global``, ``constant``, ``alias`` or ``ifunc``.
        type: type of what its address points to.
        linkage: ``external`` where none is printed.
        is_declaration: whether it is defined elsewhere.
        thread_local: whether each thread has its own.
        externally_initialized: whether its initial value may be replaced before the program runs.
        address_space: number of its address space.
        value: text of its initial value or of what an alias stands for, with what is printed
            after it (alignment, section); empty in a declaration.
    """

    name: str
    kind: str
    type: Type
    linkage: str
    is_declaration: bool
    thread_local: bool
    externally_initialized: bool
    address_space: int
    value: str


@dataclass(slots=True)
class Function:
    """A function with a body; ``instructions`` is flat, ``blocks`` cuts it into ranges."""

    prototype: Prototype
    blocks: list[Block] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)
    _definitions: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @property
    def name(self) -> str:
        """Return its name as a lexeme (``@f``)."""
        return self.prototype.name

    @property
    def parameters(self) -> list[str]:
        """Return the names of its parameters as lexemes (``%0``)."""
        return [parameter.name for parameter in self.prototype.parameters]

    def definitions(self) -> dict[str, int]:
        """Return, for each local an instruction defines, the index of that instruction.

        Several analyses ask for it, so it is kept: the function must have been read to its end.
        """
        if not self._definitions:
            self._definitions = {
                instruction.locals[0]: index
                for index, instruction in enumerate(self.instructions)
                if instruction.form.has_result
            }
        return self._definitions


@dataclass(slots=True)
class Module:
    """What one IR text declares, by lexeme.

    Attributes:
        datalayout: text of ``target datalayout``; empty where none is given.
        types: all types; as a mapping, the named ones (``%struct.node``).
        globals: variables, aliases and ifuncs (``@g``).
        prototypes: every function, declared or defined (``@f``).
        groups: attribute groups (``#0``).
        functions: functions with a body, in order.
        has_assembly: whether assembly stands beside the functions.
    """

    datalayout: str = ""
    types: TypeTable = field(default_factory=TypeTable)
    globals: dict[str, Global] = field(default_factory=dict)
    prototypes: dict[str, Prototype] = field(default_factory=dict)
    groups: dict[str, Attributes] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    has_assembly: bool = False

    def is_callable(self, name: str) -> bool:
        """Say whether a global is a function, an ifunc or an alias of a function."""
        if name in self.prototypes:
            return True
        found = self.globals.get(name)
        if found is None or found.kind == "ifunc":
            return found is not None
        return found.kind == "alias" and isinstance(found.type, FunctionType)

    def text(self, name: str) -> str | None:
        """Return the character data, as its lexeme, of a global that is a C string nobody named.

        That is a private constant which ends with a zero byte; those in which clang keeps the name
        of the function around them (``__func__``) and tables made of a switch are none.
        """
        found = self.globals.get(name)
        if found is None or found.kind != "constant" or found.linkage != "private":
            return None
        if name.replace('"', "").startswith(_NO_LITERALS):
            return None
        if name.startswith("@.str") and found.value.startswith("zeroinitializer"):
            return 'c""'
        data = found.value[: found.value.find('"', 2) + 1]
        return data if data.startswith('c"') and data.endswith('\\00"') else None

    def groups_at(self, call: Call) -> list[Attributes]:
        """Return the attribute groups that hold for a call, the call's own first."""
        prototype = self.prototypes.get(call.callee.lexemes[0])
        names = call.groups + (prototype.groups if prototype else ())
        return [self.groups.get(name, {}) for name in names]
