from static_analysis.memory.origins import ANYWHERE, NOTHING
from static_analysis.memory.traffic import Write
from tests.static_analysis.memory_reads import follow

BEFORE = """@g = global i32 0
declare void @see(ptr)
declare void @pure() #0
declare noalias ptr @malloc(i64)
declare noalias ptr @mine()
declare i32 @setjmp(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
attributes #0 = { memory(none) }
"""


def traffic(body):
    return follow(f"{body}\n  ret void", BEFORE)


def test_loads_and_stores_are_noted_in_their_order():
    addresses, found = traffic(
        """  %v = load i32, ptr %p
  store i16 1, ptr %q
  br label %b

b:
  %w = load volatile i32, ptr %q"""
    )
    p, q = addresses["%p"], addresses["%q"]
    assert found.order == [[0, 1], [3]]
    assert found.reads == {0: (*p, 4), 3: (*q, 4)}
    assert found.writes == {1: Write(((*q, 2),), definite=True)}
    assert found.ordered == {3}


def test_register_slots_are_left_out():
    _, found = traffic("  %x = alloca i32\n  store i32 1, ptr %x\n  %v = load i32, ptr %x")
    assert (found.order, found.objects, found.escaping) == ([[]], [], [])


def test_dead_blocks_have_no_traffic():
    _, found = traffic("  ret void\n\nb:\n  store i32 1, ptr %p\n  %x = call i32 @setjmp(ptr %p)")
    assert found.order == [[], []]
    assert not found.returns_twice


def test_calls_write_what_they_may_and_let_others_know():
    addresses, found = traffic(
        """  %x = alloca [2 x i32]
  call void @see(ptr %x)
  call void @pure()
  %n = call i32 @setjmp(ptr %p)"""
    )
    assert found.writes[1] == Write(((*addresses["%x"], None),), definite=False, kinds=ANYWHERE)
    assert 2 not in found.writes
    assert addresses["%x"][0] in found.escaping
    assert found.returns_twice


def test_a_copy_reads_before_it_writes():
    addresses, found = traffic(
        "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)"
    )
    assert found.order == [[0]]
    assert found.reads[0] == (*addresses["%q"], 8)
    assert found.writes[0] == Write(((*addresses["%p"], 8),), definite=True)


def test_an_exchange_reads_and_writes_one_place():
    addresses, found = traffic(
        """  %o = atomicrmw xchg ptr %p, ptr %q monotonic
  %c = cmpxchg ptr %p, i32 0, i32 1 seq_cst monotonic"""
    )
    place = addresses["%p"]
    assert found.reads == {0: (*place, 8), 1: (*place, 4)}
    assert found.writes[0] == Write(((*place, 8),), definite=True)
    assert found.writes[1] == Write(((*place, 4),), definite=False, kinds=ANYWHERE)
    assert found.ordered == {0, 1}
    assert found.escaping == [addresses["%q"][0]]


def test_objects_begin_where_they_are_made():
    addresses, found = traffic(
        """  %x = alloca [2 x i32]
  %h = call ptr @malloc(i64 8)
  %m = call ptr @mine()
  br label %b

b:
  %y = alloca [2 x i32]
  call void @llvm.lifetime.start.p0(ptr %x)
  %e = getelementptr i8, ptr %x, i64 1
  %f = getelementptr i8, ptr %y, i64 1"""
    )
    x, h, m, y = (addresses[name][0] for name in ("%x", "%h", "%m", "%y"))
    assert found.objects == [x, h, m, y]
    assert 0 not in found.writes  # what the entry makes is fresh from the start
    assert found.writes[1].kinds != NOTHING  # errno
    assert (found.writes[2].makes, found.writes[2].is_fresh) == (m, False)
    assert (found.writes[4].makes, found.writes[4].is_fresh) == (y, True)
    assert (found.writes[5].makes, found.writes[5].is_fresh) == (x, True)


def test_a_pointer_that_is_stored_is_known_unless_it_is_kept_in_a_register():
    addresses, found = traffic(
        """  %x = alloca [2 x i32]
  %y = alloca [2 x i32]
  %s = alloca ptr
  store ptr %x, ptr %s
  store ptr %y, ptr @g"""
    )
    assert found.escaping == [addresses["%y"][0]]
