"""Indices as a symbol plus a constant, so that ``a[i]`` and ``a[i + 1]`` can be told apart.

Two indices with one symbol have one value as long as the symbol's definition has not run again
between them. What is followed: register slots, sign and zero extension, and addition of a
constant where it cannot wrap in a way that an extension would show.
"""

from bisect import bisect_right
from dataclasses import dataclass

from static_analysis.memory.registers import Registers
from static_analysis.memory.ssa import ENTRY, MERGE
from static_analysis.reading.form import Form, Operand
from static_analysis.reading.ir import Function
from static_analysis.reading.types import IntegerType

_MAX_STEPS = 16
_EXTENSIONS = {"sext": "s", "zext": "z"}
_ADDITIONS = {"add": 1, "sub": -1, "or": 1}
# Symbol (None for a constant), constant, block in which the symbol is defined.
Index = tuple[object, int, int]


@dataclass(frozen=True, slots=True)
class Rule:
    """How the value of an instruction follows from that of another local.

    Attributes:
        local: place of that local among the instruction's.
        bits: its width.
        extension: ``s`` or ``z`` if it is extended, else empty.
        added: what is added to it.
        unsigned: the same with the constant read as an unsigned number.
        keeps: the extensions under which that is still what is added.
    """

    local: int
    bits: int
    extension: str
    added: int
    unsigned: int
    keeps: str


class Rules(dict[Form, Rule | None]):
    """The rules of a module's forms, worked out when first asked for; None where there is none."""

    def __missing__(self, form: Form) -> Rule | None:
        rule = self[form] = _rule(form)
        return rule


def _rule(form: Form) -> Rule | None:
    if not isinstance(form.type, IntegerType) or not form.operands:
        return None
    first = form.operands[0]
    if first.hole is None or not isinstance(first.type, IntegerType):
        return None
    if form.opcode in _EXTENSIONS:
        return Rule(first.hole, first.type.bits, _EXTENSIONS[form.opcode], 0, 0, "")
    sign = _ADDITIONS.get(form.opcode, 0)
    constant = _integer(form.operands[1]) if sign else None
    if constant is None or (form.opcode == "or" and "disjoint" not in form.flags):
        return None
    is_or = form.opcode == "or"
    keeps = "s" * (is_or or "nsw" in form.flags) + "z" * (is_or or "nuw" in form.flags)
    bits = first.type.bits
    return Rule(first.hole, bits, "", sign * constant, sign * (constant % (1 << bits)), keeps)


def _integer(operand: Operand) -> int | None:
    lexeme = operand.lexemes[0]
    return int(lexeme) if operand.hole is None and lexeme.lstrip("-").isdecimal() else None


class Indices:
    """The indices of one function, by the locals that hold them."""

    def __init__(self, function: Function, registers: Registers, rules: Rules) -> None:
        self._function = function
        self._registers = registers
        self._rules = rules
        self._definitions: dict[str, int] = {}
        self._starts = [block.start for block in function.blocks]
        self._known: dict[tuple[str, bool], Index] = {}

    def index(self, name: str, bits: int, is_extended: bool) -> Index:
        """Return the value of a local of so many bits, sign-extended or not."""
        key = (name, is_extended)
        found = self._known.get(key)
        if found is None:
            if not self._definitions:
                self._definitions = self._function.definitions()
            found = self._known[key] = self._follow(name, f"s{bits}" if is_extended else "")
        return found

    def _follow(self, name: str, extended: str) -> Index:
        """Go from definition to definition as far as each is a symbol plus a constant.

        ``extended`` lists the extensions passed on the way, each with the width it starts from.
        """
        constant = 0
        for _ in range(_MAX_STEPS):
            index = self._definitions.get(name)
            if index is None:
                return (name, extended), constant, 0
            version = self._registers.seen.get(index)
            if version is not None:
                if self._registers.ssa.writers[version] == MERGE:
                    return self._merged(version, name, index, extended, constant)
                index = self._registers.ssa.writers[version]
                value = self._function.instructions[index].form.operands[0]
                if value.hole is None:
                    return self._stored(value, extended, constant)
                name = self._function.instructions[index].locals[value.hole]
                continue
            rule = self._rules[self._function.instructions[index].form]
            if rule is None or not _survives(rule, extended):
                break
            constant += rule.unsigned if "z" in extended else rule.added
            extended += f"{rule.extension}{rule.bits}" if rule.extension else ""
            name = self._function.instructions[index].locals[rule.local]
        return (name, extended), constant, self._block(self._definitions.get(name))

    def _merged(self, version: int, name: str, index: int, extended: str, constant: int) -> Index:
        """Return what a load of merged stores gives; what was never stored is like nothing else."""
        if version > ENTRY:
            place = self._registers.ssa.places[version]
            return (version, extended), constant, place
        return (name, extended), constant, self._block(index)

    def _stored(self, value: Operand, extended: str, constant: int) -> Index:
        number = _integer(value)
        if number is None or "z" in extended:
            return object(), constant, 0
        return None, constant + number, 0

    def _block(self, index: int | None) -> int:
        return 0 if index is None else bisect_right(self._starts, index) - 1


def _survives(rule: Rule, extended: str) -> bool:
    """Say whether what a rule adds is added to the extended value just so."""
    if not extended or rule.extension:
        return True
    return ("s" in extended and "z" in extended) is False and extended[0] in rule.keeps
