import pytest

from static_analysis import analyse
from static_analysis.flow.positions import CUT, RETURN, UNREACHABLE, UNWIND

BLOCKS = (
    "\n\nx:\n  ret void\n\ny:\n  unreachable\n\npad:\n  %l = landingpad i32\n          cleanup\n"
)
BLOCKS += "  resume i32 %l"


def positions(first):
    (function,) = analyse(f"define void @f(i32 %a, i1 %d, ptr %p) {{\n  {first}{BLOCKS}\n}}\n")
    return function.positions


def test_ways_of_leaving_have_a_code_each():
    leaving = positions("br label %x")[1:]
    assert leaving == [
        (1, RETURN, RETURN),
        (2, UNREACHABLE, UNREACHABLE),
        (3, 4, 4),
        (4, UNWIND, UNWIND),
    ]
    assert len({RETURN, UNREACHABLE, UNWIND, CUT}) == 4
    assert max(RETURN, UNREACHABLE, UNWIND, CUT) < 0


@pytest.mark.parametrize(
    ("terminator", "true", "false"),
    [
        ("br label %y", 2, 2),
        ("br i1 %d, label %x, label %y", 1, 2),
        ("br i1 %d, label %y, label %x", 2, 1),
        ("switch i32 %a, label %x [\n    i32 1, label %y\n    i32 2, label %x\n  ]", 2, 1),
        ("switch i32 %a, label %y [\n  ]", 2, 2),
        ("invoke void @g()\n          to label %x unwind label %pad", 1, 3),
        ('callbr void asm "", "!i,!i"()\n          to label %y [label %x, label %y]', 2, 1),
        ("indirectbr ptr %p, [label %x, label %x, label %y]", 1, 2),
        ("indirectbr ptr %p, []", UNREACHABLE, UNREACHABLE),
    ],
)
def test_true_and_false_side_of_each_terminator(terminator, true, false):
    assert positions(terminator)[0] == (0, true, false)


def test_funclet_terminators():
    (function,) = analyse(
        """define void @f() {
  invoke void @g()
          to label %ok unwind label %pad

pad:
  %s = catchswitch within none [label %h] unwind to caller

h:
  %c = catchpad within %s []
  catchret from %c to label %ok

ok:
  invoke void @g()
          to label %end unwind label %clean

clean:
  %k = cleanuppad within none []
  cleanupret from %k unwind to caller

end:
  ret void
}
"""
    )
    assert function.positions == [
        (0, 4, 1), (1, 2, UNWIND), (2, 3, 3), (3, 4, 4), (4, 7, 5),
        (5, 6, 6), (6, UNWIND, UNWIND), (7, RETURN, RETURN),
    ]  # fmt: skip
