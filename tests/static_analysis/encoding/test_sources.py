from static_analysis import analyse

DECLARATIONS = """
@limit = external global i32
@fixed = constant i32 7
declare i32 @scanf(ptr, ...)
declare ptr @malloc(i64)
declare void @fill(ptr)
declare ptr @_ZN5store4File4readERNS_6BufferE(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


def sources(body):
    """What stands after ``from`` in the last entry that has it."""
    header = "define i32 @f(i32 %a, ptr %p, i1 %d) {\n  %x = alloca i32\n"
    (function,) = analyse(f"{header}{body}\n}}\n{DECLARATIONS}")
    reading = [entry for entry in function.environment if "from" in entry][-1]
    return " ".join(reading[reading.index("from") + 1 :])


LOAD = "  %v = load i32, ptr %x\n  ret i32 %v"


def test_a_store_gives_its_version_and_value():
    assert sources(f"  store i32 %a, ptr %x\n{LOAD}") == "m0 v0"
    assert sources(f"  store i32 -3, ptr %x\n{LOAD}") == "m0 #-3"


def test_a_fresh_slot_is_uninitialised():
    assert sources(LOAD) == "uninitialised"


def test_memory_from_before_is_entry():
    assert sources("  %v = load i32, ptr %p\n  ret i32 %v") == "entry"
    assert sources("  %v = load i32, ptr @fixed\n  ret i32 %v") == "entry"


def test_a_call_gives_the_last_words_of_its_callee():
    assert sources(f"  call void @fill(ptr %x)\n{LOAD}") == "m0 @fill </func> uninitialised"
    call = "  %r = call ptr @_ZN5store4File4readERNS_6BufferE(ptr %x)\n"
    assert sources(call + LOAD) == "m0 @store @file @read </func> uninitialised"


def test_a_call_through_a_pointer_gives_only_that():
    assert sources(f"  call void %p(ptr %x)\n{LOAD}") == "m0 call uninitialised"


def test_filled_and_copied_memory_gives_where_that_came_from():
    fill = "  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 4, i1 false)\n"
    assert sources(fill + LOAD) == "m0 memset #0"
    copy = "  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %p, i64 4, i1 false)\n"
    assert sources(copy + LOAD) == "m0 memcpy v1"


def test_a_copy_of_known_length_says_what_it_reads():
    copy = "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %x, i64 4, i1 false)\n"
    assert sources(f"  store i32 %a, ptr %x\n{copy}  ret i32 0") == "m0 v0"


def test_atomic_operations_give_what_they_do():
    add = "  %r = atomicrmw add ptr %x, i32 %a monotonic\n"
    assert sources(f"  store i32 1, ptr %x\n{add}  ret i32 0") == "m0 #1"
    assert sources(f"  store i32 1, ptr %x\n{add}{LOAD}") == "m1 add v0"
    swap = "  %r = cmpxchg ptr %x, i32 1, i32 %a monotonic monotonic\n"
    assert sources(f"  store i32 1, ptr %x\n{swap}{LOAD}") == "m0 #1 m1 cmpxchg v0"


def test_many_sources_end_in_more():
    ways = "".join(
        f"  store i32 {way}, ptr %x\n  br i1 %d, label %end, label %w{way}\n\nw{way}:\n"
        for way in range(6)
    )
    found = sources(f"{ways}  br label %end\n\nend:\n{LOAD}")
    assert found == "m0 #0 m1 #1 m2 #2 m3 #3 more"


def test_what_nothing_is_known_of_is_unknown():
    assert sources("  %v = load volatile i32, ptr %p\n  ret i32 %v") == "unknown"
