from static_analysis import analyse

HEADER = "define void @f(i32 %a, i1 %d, i1 %e) personality ptr null {\n"


def contexts(body):
    """The context of each block: that of its last instruction."""
    (function,) = analyse(f"{HEADER}{body}\n}}\ndeclare void @g()\n")
    last = [function.environment[block.stop - 1] for block in function.blocks]
    return [" ".join(entry[: entry.index(":")]) for entry in last]


def test_either_side_of_an_or():
    body = (
        "  br i1 %d, label %then, label %other\n\nother:\n"
        "  %c = icmp eq i32 %a, 0\n  br i1 %c, label %then, label %end\n\n"
        "then:\n  br label %end\n\nend:\n  ret void"
    )
    assert contexts(body) == ["d0", "d0 unless v1", "d0 when v1 or when eq v0 #0", "d0"]


def test_after_a_conditional_break_the_break_is_mentioned():
    body = (
        "  br label %head\n\nhead:\n  br i1 %d, label %in, label %rest\n\n"
        "in:\n  br i1 %e, label %end, label %rest\n\nrest:\n  br label %head\n\nend:\n  ret void"
    )
    assert contexts(body) == ["d0", "d1", "d1 when v1", "d1 unless v1 or unless v2", "d0"]


def test_cases_of_a_switch_one_falling_through():
    body = (
        "  switch i32 %a, label %rest [\n    i32 -1, label %x\n    i32 7, label %y\n"
        "    i32 9, label %x\n  ]\n\nx:\n  br label %y\n\ny:\n  br label %end\n\n"
        "rest:\n  br label %end\n\nend:\n  ret void"
    )
    expected = ["d0", "d0 case v0 #-1 #9", "d0 case v0 #-1 #9 #7", "d0 default v0", "d0"]
    assert contexts(body) == expected


def test_many_cases_and_many_alternatives_end_in_more():
    cases = "".join(f"    i32 {value}, label %x\n" for value in range(5))
    body = f"  switch i32 %a, label %end [\n{cases}  ]\n\nx:\n  br label %end\n\nend:\n  ret void"
    assert contexts(body)[1] == "d0 case v0 #0 #1 #2 more"
    tests = "".join(f"  br i1 %d, label %x, label %b{way}\n\nb{way}:\n" for way in range(3))
    assert contexts(tests + "  br label %end\n\nx:\n  br label %end\n\nend:\n  ret void")[-2] == (
        "d0 when v1 or when v1 or more"
    )


def test_dead_and_irreducible_blocks_say_so():
    body = (
        "  br i1 %d, label %p, label %q\n\np:\n  br label %q\n\nq:\n  br i1 %e, label %p, label %x"
        "\n\nx:\n  ret void\n\ndead:\n  ret void"
    )
    assert contexts(body) == [
        *("d0", "d0 irreducible when v1 or when v2 or more", "d0 irreducible", "d0", "dead")
    ]


def test_an_exception_and_the_way_back_from_it():
    """try { g(); } catch (...) { if (d) throw; } end;"""
    body = (
        "  invoke void @g() to label %end unwind label %pad\n\npad:\n"
        "  %l = landingpad { ptr, i32 } cleanup\n  br i1 %d, label %out, label %end\n\n"
        "out:\n  resume { ptr, i32 } %l\n\nend:\n  ret void"
    )
    assert contexts(body) == ["d0", "d0 unwind", "d0 when v1", "d0 normal or unless v1"]


def test_handlers_of_a_catchswitch_and_the_way_past_them():
    body = (
        "  invoke void @g() to label %end unwind label %dispatch\n\ndispatch:\n"
        "  %s = catchswitch within none [label %h, label %i] unwind label %c\n\n"
        "h:\n  %p = catchpad within %s [ptr null]\n  catchret from %p to label %end\n\n"
        "i:\n  %q = catchpad within %s [ptr null]\n  unreachable\n\n"
        "c:\n  %r = cleanuppad within none []\n  cleanupret from %r unwind to caller\n\n"
        "end:\n  ret void"
    )
    assert contexts(body) == [
        *("d0", "d0 unwind", "d0 handler", "d0 handler", "d0 unwind", "d0 normal or handler")
    ]


def test_depth_is_counted_up_to_nine():
    heads = "".join(f"h{at}:\n  br label %h{at + 1}\n\n" for at in range(12))
    tails = "".join(
        f"t{at}:\n  br i1 %d, label %h{at}, label %t{at - 1}\n\n" for at in reversed(range(12))
    )
    body = f"  br label %h0\n\n{heads}h12:\n  br label %t11\n\n{tails}t-1:\n  ret void"
    assert max(contexts(body)) == "d9"
