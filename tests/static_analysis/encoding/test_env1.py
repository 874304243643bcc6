"""The original's encoding, against hand-made cases and against what the original prints."""

import gzip
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from static_analysis import OscarError, analyse, opcode

PAGE = Path(__file__).parents[3] / "docs" / "static_analysis.md"
MODULE = """%t = type {{ i32, ptr }}
@g = global i32 0
define i32 @f(i32 %a, double %c, ptr %p, <2 x i32> %w, i1 %d) {{
  %s = alloca i32
  {instruction}
  ret i32 %a
}}
declare i32 @h(...)
"""


@pytest.mark.parametrize(
    ("instruction", "effect"),
    [
        ("%x = sub nsw i32 %a, -3", "v1 = a0 - -3"),
        ("%x = udiv i32 %a, 7", "v1 = a0 / 7"),
        ("%x = fmul double %c, 2.500000e+00", "v1 = a1 * 2.5"),
        ("%x = fadd double %c, 0.0", "v1 = a1 + 0"),
        ("%x = xor i1 %d, true", "v1 = a4 ^ -1"),
        ("%x = fneg double %c", "v1 = - a1"),
        ("%x = sext i32 %a to i64", "v1 = a0"),
        ("%x = trunc i32 %a to i8", "v1 = trunc a0"),
        ("%x = fptoui double %c to i32", "v1 = fptoint a1"),
        ("%x = sitofp i32 %a to double", "v1 = inttofp a0"),
        ("%x = icmp ult i32 %a, 9", "v1 = a0 < 9"),
        ("%x = fcmp une double %c, %c", "v1 = a1 != a1"),
        ("%x = fcmp ord double %c, %c", "v1 = a1 ord a1"),
        ("%x = icmp eq ptr %s, null", "v1 = v0 == <null>"),
        ("%x = select i1 %d, i32 %a, i32 undef", "v1 = select a4 a0 <const>"),
        ("%x = getelementptr %t, ptr %p, i64 0, i32 1", "v1 = gep a2 0 1"),
        ("%x = getelementptr i8, ptr %s, i64 2", "v1 = gep m0 2"),
        ("%x = load i32, ptr %p", "v1 <- dereference a2"),
        ("%x = load i32, ptr @g", "v1 <- dereference <const>"),
        ("store i32 1, ptr %s", "1 -> m0"),
        ("store ptr %s, ptr %p", "v0 -> dereference a2"),
        ("%x = extractelement <2 x i32> %w, i64 1", "v1 = a3 . 1"),
        ("%x = insertelement <2 x i32> %w, i32 %a, i64 0", "v1 = insert a3 . 0 a0"),
        ("%x = shufflevector <2 x i32> %w, <2 x i32> poison, <2 x i32> zeroinitializer",
         "v1 = a3 [ 0 0 ]"),
        ("%x = shufflevector <2 x i32> %w, <2 x i32> %w, <2 x i32> <i32 1, i32 2>",
         "v1 = a3 a3 [ 1 2 ]"),
        ("%x = extractvalue { i32, ptr } zeroinitializer, 1", "v1 = <const> . 1"),
        ("%x = insertvalue { i32, ptr } undef, i32 %a, 0", "v1 = insert <const> . 0 a0"),
        ("%x = freeze i32 %a", "v1 = a0"),
        ("%x = call i32 @h()", "v1 = ?"),
        ("%x = atomicrmw add ptr %p, i32 1 seq_cst", "v1 = ?"),
        ("ret i32 %a\n\nn:", "ret = a0"),
        ("call i32 @h()", ""),
        ("br label %n\n\nn:", ""),
    ],
)  # fmt: skip
def test_what_each_opcode_does(instruction, effect):
    (function,) = analyse(MODULE.format(instruction=instruction), environment="env-1")
    entries = [" ".join(entry) for entry in function.environment]
    assert entries[0] == "loop = 0 ; v0 = reference m0"
    assert entries[1] == ("loop = 0 ; " + effect if effect else "loop = 0")


def test_a_loop_counts_and_a_load_lists_the_values_stored_where_it_reads():
    text = """define i32 @f(i32 %a, i1 %d) {
  %x = alloca i32
  %y = alloca i32
  store i32 1, ptr %x
  store i32 %a, ptr %y
  br label %h

h:
  %i = phi i32 [ 0, %0 ], [ %n, %h ]
  %v = load i32, ptr %x
  %n = add i32 %v, %i
  store i32 %n, ptr %x
  store i32 8, ptr %y
  br i1 %d, label %h, label %e

e:
  ret i32 %v
}
"""
    (function,) = analyse(text, environment="env-1")
    entries = [" ".join(entry) for entry in function.environment]
    assert entries[5:8] == [
        "loop = 1 ; v2 = 0 , v4",
        "loop = 1 ; v3 <- m0 = 1 , v4",
        "loop = 1 ; v4 = v3 + v2",
    ]


def test_another_version_is_refused_in_one_line():
    with pytest.raises(OscarError, match="choose env-3 or env-1"):
        analyse("", environment="env-9")


@dataclass(frozen=True)
class Pair:
    """What both print for one instruction, the values of a load apart."""

    opcode: str
    ours: list[str]
    theirs: list[str]
    our_values: set[str]
    their_values: set[str]
    our_position: tuple[int, ...]
    their_position: tuple[int, ...]
    elsewhere: set[str]  # of their values, those only stored in other objects, or never before
    arriving: set[str]  # of our values, those stored in what may be the same object before


@pytest.fixture(scope="module")
def pairs(data):
    """Every instruction of the 60 modules; their text, of LLVM 14, is read as it is."""
    found = []
    with gzip.open(data / "oscar-reference" / "reference.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            ours = {each.name: each for each in analyse(row["module"], environment="env-1")}
            assert ours.keys() == {each["function"] for each in row["functions"]}
            for theirs in row["functions"]:
                found += pairs_of(ours[theirs["function"]], theirs)
    return found


def pairs_of(ours, theirs):
    entries = [entry.split() for entry in theirs["environment"]]
    stores = {index: entry for index, entry in enumerate(entries) if "->" in entry}
    objects = objects_of(entries)
    for index, entry in enumerate(entries):
        mine, my_values = without_values(ours.environment[index])
        other, their_values = without_values(entry)
        elsewhere, arriving = set(), set()
        if my_values and my_values != their_values:
            read = objects.get(other[-1], other[-1])
            earlier = before(ours, index)
            near = {
                stored[4]
                for store, stored in stores.items()
                if store in earlier and may_be_same(read, objects.get(stored[-1], stored[-1]))
            }
            elsewhere, arriving = their_values - near, my_values & near
        positions = (ours.positions[index], tuple(theirs["positions"][index]))
        opcode_word = opcode(ours.tokens[index])
        yield Pair(
            opcode_word, mine, other, my_values, their_values, *positions, elsewhere, arriving
        )


def objects_of(entries):
    """The object that each address is in, by the original's words alone."""
    objects = {}
    for entry in entries:
        match entry[4:]:
            case [result, "=", "reference", slot]:
                objects[result] = slot
            case [result, "=", "gep", base, *_]:
                objects[result] = objects.get(base, base)
            case [result, "=", value]:
                objects[result] = objects.get(value, value)
    return objects


def may_be_same(one, other):
    """Whether two objects may be one; two slots, or a slot and a global, never are."""
    known = [name.startswith("m") or name == "<const>" for name in (one, other)]
    return one == other or not all(known)


def before(function, index):
    """The instructions from which control may get to one."""
    ways = {}
    for block in function.blocks:
        for at in range(block.start + 1, block.stop):
            ways.setdefault(at, []).append(at - 1)
        for successor in block.successors:
            ways.setdefault(function.blocks[successor].start, []).append(block.stop - 1)
    found, work = set(), [index]
    while work:
        new = [way for way in ways.get(work.pop(), ()) if way not in found]
        found.update(new)
        work += new
    return found


def without_values(entry):
    """Split a load's entry at the equals sign before its values."""
    if "<-" not in entry or "=" not in entry[3:]:
        return entry, set()
    cut = entry.index("=", 3)
    return entry[:cut], set(entry[cut + 1 :]) - {","}


def test_all_tokens_but_the_values_of_loads_are_the_originals(pairs):
    assert len(pairs) == 6979
    for pair in pairs:
        assert pair.ours == pair.theirs


def test_values_of_loads_are_the_originals_or_those_are_shown_to_be_wrong(pairs):
    """The table in the documentation is what is found."""
    classes = Counter(value_class(pair) for pair in pairs if pair.opcode == "load")
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {name: int(number) for number, name in rows}
    assert shown.pop("unexplained") == 0
    assert classes == shown


def value_class(pair):
    if pair.our_values == pair.their_values:
        return "equal"
    if not pair.our_values:
        return "none here (unknown, or only calls write there), some in the original"
    if not pair.their_values:
        return "some here, none in the original"
    if pair.our_values < pair.their_values:
        return "fewer here than in the original"
    if pair.elsewhere:
        return (
            "the original lists a value that is only stored in another object, or only afterwards"
        )
    if pair.our_values - pair.their_values <= pair.arriving:
        return "the original misses a value that is stored in the same object before"
    return "unexplained"


def test_positions_differ_only_where_the_original_is_known_to_be_wrong(pairs):
    for pair in pairs:
        own, true, false = pair.their_position
        if pair.opcode == "br":
            assert pair.our_position == (own, false, true)
        elif pair.opcode in ("switch", "unreachable"):
            assert (true, false) == (-1, -1)
        else:
            assert pair.our_position == pair.their_position
