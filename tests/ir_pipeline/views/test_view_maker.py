import ctypes
import re

import llvmlite.binding as llvm
import pytest

from ir_pipeline.lowering.llvm import parse, printed
from ir_pipeline.views.module_text import definitions
from ir_pipeline.views.view_maker import ViewMaker

VIEWS = ("O0", "O1", "O2", "O3", *(f"random-{i}" for i in range(8)))
INT = ctypes.c_int


def made(text, names=VIEWS, seed="seed", own=bool):
    maker = ViewMaker(text, seed, own)
    return {name: maker.make(name) for name in names}


def executed(text: str) -> list[int]:
    """What the functions of the loops fixture return, run from this text."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(parse(text.encode()), machine) as engine:
        engine.finalize_object()
        power = ctypes.CFUNCTYPE(INT, INT, INT)(engine.get_function_address("power"))
        digits = ctypes.CFUNCTYPE(INT, INT)(engine.get_function_address("digits"))
        return [power(3, n) for n in range(6)] + [digits(10**n) for n in range(5)]


@pytest.fixture(scope="module")
def views(loops_ir):
    return made(loops_ir)


def test_every_view_computes_the_same(views):
    expected = [1, 3, 9, 27, 81, 243, 10, 20, 3, 4, 5]
    assert {name: executed(text) for name, text in views.items()} == dict.fromkeys(VIEWS, expected)


def test_the_levels_are_really_optimised(views, loops_ir):
    assert views["O0"] == loops_ir
    assert "alloca" in views["O0"]
    assert "call i32 @twice" in views["O0"]
    for level in ("O1", "O2", "O3"):
        assert "alloca" not in views[level]
        assert "call i32 @twice" not in views[level]


def test_random_views_differ_and_depend_on_the_seed_only(views, loops_ir):
    again = made(loops_ir, VIEWS[::-1])
    assert again == views
    other = made(loops_ir, seed="other")
    assert other["O3"] == views["O3"]
    assert len({*views.values(), *other.values()}) > len(VIEWS)


def test_random_sequences_leave_other_functions_alone(loops_ir):
    text = made(loops_ir, ["random-1"], own=lambda name: name == "power")["random-1"]
    start = loops_ir.index("define i32 @digits")
    body = loops_ir[start : loops_ir.index("\n}", start)].split("{", 1)[1]
    assert body in text


def test_a_functions_random_views_do_not_depend_on_its_neighbours(loops_ir):
    texts = {d.name: loops_ir[d.start : d.stop] for d in definitions(loops_ir)}
    less = loops_ir.replace(texts["power"], "")
    assert [d.name for d in definitions(less)] == ["twice", "digits"]
    for name in ("random-1", "random-2", "random-5"):
        with_power, without = made(loops_ir, [name])[name], made(less, [name])[name]
        for function in ("twice", "digits"):
            assert _body(with_power, function) == _body(without, function)


def _body(text, name):
    (found,) = [d for d in definitions(text) if d.name == name]
    return re.sub(r"[#!]\d+", "", text[found.start : found.stop])


def test_a_foreign_target_is_optimised_all_the_same():
    text = "define i32 @f() {\n  %x = add i32 1, 2\n  ret i32 %x\n}\n"
    text = f'target triple = "sparc-unknown-none"\n{text}'
    assert "ret i32 3" in made(text)["O2"]


def test_functions_without_a_readable_name_get_their_passes_too():
    body = "(i32 %x) {\n  %a = alloca i32\n  store i32 %x, ptr %a\n"
    body += "  %y = load i32, ptr %a\n  ret i32 %y\n}\n"
    text = f'@0 = private constant i8 1\ndefine i32 @1{body}define i32 @"a\\FFb"{body}'
    seen = []

    def own(name):
        seen.append(name)
        return True

    views = made(printed(parse(text.encode())), own=own)
    assert set(seen) == {"1", r"a\xffb"}
    assert any("alloca" not in views[name] for name in VIEWS if name.startswith("random"))
    # O2 deletes @0; the function after it keeps its number.
    for view in views.values():
        assert [found.name for found in definitions(view)] == ["1", r"a\xffb"]
