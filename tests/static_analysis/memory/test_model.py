import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from static_analysis.flow.cfg import control_flow
from static_analysis.flow.dominator_tree import DominatorTree
from static_analysis.memory.model import reaching_stores
from static_analysis.memory.reaching import MAX_STORES, ReachingStores
from static_analysis.reading.reader import read_module
from tests.static_analysis.large_graphs import nested_loops
from tests.static_analysis.pointer_programs import pointer_programs


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_store_that_happens_is_always_reported(generated_functions, scene_of, data):
    generated = data.draw(generated_functions)
    reaching = scene_of(generated.text()).reaching
    for _ in range(5):
        decisions = data.draw(st.lists(st.integers(0, 3), max_size=40))
        for load, store in generated.run(decisions):
            found = reaching.get(load)
            if found is not None:
                assert store in found.stores if store is not None else found.uninitialised


@settings(max_examples=100, deadline=None)
@given(program=pointer_programs(), seed=st.integers(0, 999))
def test_what_is_read_through_pointers_is_always_reported(program, seed):
    module = read_module(program.text())
    function = module.functions[0]
    reaching = reaching_stores(function, module, DominatorTree(control_flow(function)))
    rng = random.Random(seed)
    for argument in ("@g", "@h") * 8:
        for load, writer in program.run(rng.choices(range(12), k=80), argument):
            found = reaching.get(load)
            if found is None:
                continue
            reported = {*found.stores, *["entry"] * found.entry, *["fresh"] * found.uninitialised}
            assert writer in reported


@settings(deadline=None)
@given(data=st.data())
def test_every_load_of_a_private_slot_that_runs_is_known(generated_functions, scene_of, data):
    generated = data.draw(generated_functions)
    scene = scene_of(generated.text())
    leaked = {s for ops, _ in generated.blocks for kind, s in ops if kind == "leak"}
    for number, block in enumerate(scene.function.blocks):
        for index in range(block.start, block.stop):
            instruction = scene.function.instructions[index]
            if instruction.opcode == "load" and scene.is_reachable(number):
                slot = int(instruction.locals[-1].removeprefix("%s"))
                assert slot in leaked or index in scene.reaching


def reaching(scene_of, body, before=""):
    scene = scene_of(f"{before}define void @f(i32 %a, i32 %b, i1 %d, ptr %p) {{\n{body}\n}}\n")
    loads = [i for i, found in enumerate(scene.function.instructions) if found.opcode == "load"]
    return [scene.reaching.get(load) for load in loads]


def test_a_merge_keeps_the_slots_apart(scene_of):
    # The original analyser let a load past a merge read what another address held.
    found = reaching(
        scene_of,
        """  %x = alloca i32
  %y = alloca i32
  store i32 1, ptr %x
  store i32 2, ptr %y
  br i1 %d, label %t, label %j

t:
  store i32 %a, ptr %x
  br label %j

j:
  %vx = load i32, ptr %x
  %vy = load i32, ptr %y
  ret void""",
    )
    assert found == [
        ReachingStores((2, 5), entry=False, uninitialised=False),
        ReachingStores((3,), entry=False, uninitialised=False),
    ]


def test_a_slot_made_anew_in_a_loop_starts_empty(scene_of):
    found = reaching(
        scene_of,
        """  br label %h

h:
  %x = alloca i32
  %v = load i32, ptr %x
  store i32 1, ptr %x
  br i1 %d, label %h, label %e

e:
  ret void""",
    )
    assert found == [ReachingStores((), entry=False, uninitialised=True)]


def test_a_loop_brings_its_own_store_back(scene_of):
    found = reaching(
        scene_of,
        """  %x = alloca i32
  store i32 0, ptr %x
  br label %h

h:
  %v = load i32, ptr %x
  store i32 %v, ptr %x
  br i1 %d, label %h, label %e

e:
  %w = load i32, ptr %x
  ret void""",
    )
    assert found == [
        ReachingStores((1, 4), entry=False, uninitialised=False),
        ReachingStores((4,), entry=False, uninitialised=False),
    ]


@pytest.mark.parametrize(
    ("use", "stores"),
    [
        ("call void @g(ptr %x)", (1, 2)),
        ("call void @g(ptr captures(none) readonly %x)", (1,)),
        ("store ptr %x, ptr %p", (1,)),
        ("%n = load i16, ptr %x", (1,)),
        ("%n = load float, ptr %x", (1,)),
        ("store i8 1, ptr %x", (1, 2)),
        ("store i64 1, ptr %x", (2,)),
        ("store i32 1, ptr %p", (1,)),
        ("%q = getelementptr i8, ptr %x, i64 1", (1,)),
        ("%q = ptrtoint ptr %x to i64", (1,)),
        ("%q = select i1 %d, ptr %x, ptr %p", (1,)),
        ("%q = atomicrmw add ptr %x, i32 1 seq_cst", (2,)),
        ("%q = cmpxchg ptr %x, i32 1, i32 2 seq_cst seq_cst", (1, 2)),
        ("%q = icmp eq ptr %x, %p", (1,)),
        ('call void asm "", "*m"(ptr elementtype(i32) %x)', (1, 2)),
        ('call void @g() [ "deopt"(ptr %x) ]', (1, 2)),
    ],
)
def test_other_uses_of_the_address_write_what_they_may(scene_of, use, stores):
    body = f"  %x = alloca i32\n  store i32 1, ptr %x\n  {use}\n  %v = load i32, ptr %x\n  ret void"
    found = reaching(scene_of, body, "declare void @g(...)\n")[-1]
    assert found == ReachingStores(stores, entry=False, uninitialised=False)


@pytest.mark.parametrize(
    "access",
    ["load volatile i32, ptr %x", 'load atomic i32, ptr %x syncscope("agent") seq_cst, align 4'],
)
def test_volatile_and_atomic_accesses_are_accesses(scene_of, access):
    body = (
        "  %x = alloca i32\n  call void @llvm.lifetime.start.p0(ptr %x)\n"
        f"  store i32 1, ptr %x, align 4, !tbaa !3\n  %v = {access}\n  ret void"
    )
    declaration = "declare void @llvm.lifetime.start.p0(ptr)\n"
    assert reaching(scene_of, body, declaration) == [
        ReachingStores((2,), entry=False, uninitialised=False)
    ]


@pytest.mark.parametrize(
    ("declaration", "callee"),
    [
        ("declare i32 @_setjmp(ptr)\n", "_setjmp"),
        ("declare i32 @again(ptr) #0\nattributes #0 = { returns_twice }\n", "again"),
    ],
)
def test_calls_that_return_twice_make_everything_unknown(scene_of, declaration, callee):
    # A store after the first return reaches a load after the second one, and no edge says so.
    body = f"  %x = alloca i32\n  store i32 1, ptr %x\n  %r = call i32 @{callee}(ptr %p)\n"
    assert reaching(scene_of, body + "  %v = load i32, ptr %x\n  ret void", declaration) == [None]


def test_more_stores_than_can_be_listed_are_unknown(scene_of):
    def switch(n):
        cases = "".join(f"    i32 {i}, label %c{i}\n" for i in range(n))
        blocks = "".join(f"c{i}:\n  store i32 {i}, ptr %x\n  br label %e\n\n" for i in range(n))
        return (
            f"  %x = alloca i32\n  switch i32 %a, label %c0 [\n{cases}  ]\n\n{blocks}"
            "e:\n  %v = load i32, ptr %x\n  ret void"
        )

    (known,) = reaching(scene_of, switch(MAX_STORES))
    assert len(known.stores) == MAX_STORES
    assert reaching(scene_of, switch(MAX_STORES + 1)) == [None]


def test_dead_loads_are_unknown(scene_of):
    body = "  %x = alloca i32\n  ret void\n\ndead:\n  %v = load i32, ptr %x\n  ret void"
    assert reaching(scene_of, body) == [None]


def test_a_slot_that_holds_its_own_address_may_be_written_through_it(scene_of):
    body = "  %x = alloca ptr\n  store ptr %x, ptr %x\n  %v = load ptr, ptr %x\n"
    body += "  store i8 0, ptr %v\n  %w = load ptr, ptr %x\n  ret void"
    first, second = reaching(scene_of, body)
    assert first == ReachingStores((1,), entry=False, uninitialised=False)
    assert second == ReachingStores((1, 3), entry=False, uninitialised=False)


def test_slots_that_need_too_many_merges_are_unknown(scene_of):
    scene = scene_of(nested_loops(300))
    loads = [i for i, found in enumerate(scene.function.instructions) if found.opcode == "load"]
    assert loads
    assert not scene.reaching.keys() & set(loads)
