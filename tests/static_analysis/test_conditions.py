import pytest

from static_analysis.environment import encode_environment


def environment(scene_of, body):
    return encode_environment(
        scene_of(f"define void @f(i32 %a, i32 %b, float %c, i1 %d) {{\n{body}\n}}\n")
    )


def effects(scene_of, body):
    return [" ".join(entry).partition(" : ")[2] for entry in environment(scene_of, body)]


ORDERS = ["gt", "ge", "lt", "le"]
INTEGER = ["eq", "ne", *(sign + order for sign in "su" for order in ORDERS)]
FLOAT = ["false", "true", "ord", "uno", *(o + p for o in "ou" for p in ["eq", "ne", *ORDERS])]
PREDICATES = [f"icmp {predicate} i32 %a, %b" for predicate in INTEGER]
PREDICATES += [f"fcmp {predicate} float %c, %c" for predicate in FLOAT]
INTEGER_OPERATIONS = ["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr"]
OPERATIONS = [
    *(f"{op} i32 %a, %b" for op in INTEGER_OPERATIONS),
    *(f"{op} float %c, %c" for op in ("fadd", "fsub", "fmul", "fdiv", "frem")),
    "add nsw i32 %a, %b",
    "add nuw i32 %a, %b",
    "lshr exact i32 %a, %b",
    "fadd fast float %c, %c",
    "zext i32 %a to i64",
    "sext i32 %a to i64",
    "uitofp i32 %a to float",
    "sitofp i32 %a to float",
    "zext nneg i32 %a to i64",
]


def test_signed_unsigned_and_float_meanings_stay_apart(scene_of):
    seen = {}
    for text in PREDICATES + OPERATIONS:
        effect = effects(scene_of, f"  %x = {text}\n  ret void")[0]
        assert effect not in seen, f"{text} and {seen[effect]} look the same"
        seen[effect] = text


@pytest.mark.parametrize(
    ("side", "context"),
    [("yes", "d0 when slt v0 v1 :"), ("no", "d0 unless slt v0 v1 :")],
)
def test_a_block_says_which_comparison_sent_control_there(scene_of, side, context):
    body = "  %x = icmp slt i32 %a, %b\n  br i1 %x, label %yes, label %no\n\n"
    body += "yes:\n  ret void\n\nno:\n  ret void"
    entries = environment(scene_of, body)
    assert " ".join(entries[{"yes": 2, "no": 3}[side]]).startswith(context)


def test_cases_of_a_switch(scene_of):
    body = (
        "  switch i32 %a, label %rest [\n    i32 -1, label %x\n    i32 7, label %y\n"
        "    i32 9, label %x\n  ]\n\nx:\n  ret void\n\ny:\n  ret void\n\nrest:\n  ret void"
    )
    assert [" ".join(entry) for entry in environment(scene_of, body)] == [
        "d0 : switch v0 #-1 #9 goto l1 #7 goto l2 else l3",
        "d0 case v0 #-1 #9 : return void",
        "d0 case v0 #7 : return void",
        "d0 default v0 : return void",
    ]


def test_dead_and_irreducible_blocks_say_so(scene_of):
    body = (
        "  br i1 %d, label %p, label %q\n\np:\n  br label %q\n\nq:\n  br i1 %d, label %p, label %x"
        "\n\nx:\n  ret void\n\ndead:\n  ret void"
    )
    entries = [" ".join(entry) for entry in environment(scene_of, body)]
    assert entries[1] == "d0 irreducible : goto l2"
    assert entries[4] == "dead : return void"
