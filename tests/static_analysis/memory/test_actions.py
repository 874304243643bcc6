from dataclasses import fields, is_dataclass

import pytest

from static_analysis.memory.accesses import Accesses
from static_analysis.memory.actions import (
    CallEffect,
    Choice,
    Copy,
    Escape,
    Exchange,
    Load,
    Slot,
    Step,
    Store,
)
from static_analysis.reading.reader import read_module
from static_analysis.reading.types import PointerType

ACTIONS = {Slot, Load, Store, Exchange, Step, Copy, Choice, Escape, CallEffect}


@pytest.fixture(scope="module")
def found(printed):
    """The instructions of some random modules, each with what it does."""
    pairs = []
    for text in printed:
        module = read_module(text)
        accesses = Accesses(module)
        for function in module.functions:
            pairs += [(each, accesses[each.form]) for each in function.instructions]
    return pairs


def pointers_of(action):
    """Return the places of locals that an action names as pointers."""
    match action:
        case Step():
            return [action.base]
        case Load() | Copy():
            return [action.pointer]
        case Store():
            return [action.pointer, action.stored]
        case Exchange():
            return [action.pointer, *action.stored]
        case Choice() | Escape():
            return list(action.pointers)
        case CallEffect():
            source = action.source[0] if action.source else None
            given = [argument.pointer for argument in action.arguments]
            return [*given, action.origin, action.stream, source]
    return []


def test_random_modules_show_every_action(found):
    assert {type(action) for _, action in found} - {type(None)} == ACTIONS


def test_what_an_action_refers_to_is_a_pointer_of_the_instruction(found):
    for instruction, action in found:
        operands = list(instruction.form.operands)
        if instruction.form.call is not None:
            operands += [one for _, bundle in instruction.form.call.bundles for one in bundle]
        places = {one.hole for one in operands if isinstance(one.type, PointerType)}
        for reference in pointers_of(action):
            assert not isinstance(reference, int) or reference in places, instruction.text


def test_only_instructions_with_a_result_give_a_pointer(found):
    for instruction, action in found:
        gives = getattr(action, "gives_pointer", False)
        assert not gives or isinstance(instruction.form.type, PointerType)
        if isinstance(action, Slot | Step | Copy | Choice):
            assert instruction.form.has_result


def test_actions_never_change():
    assert all(is_dataclass(kind) and kind.__dataclass_params__.frozen for kind in ACTIONS)
    assert all(fields(kind) for kind in ACTIONS)
