import pytest

from static_analysis import analyse


def entries(body):
    header = "define void @f(i32 %a, i32 %b, float %c, i1 %d, i1 %e) {\n"
    (function,) = analyse(f"{header}{body}\n}}\n")
    return [" ".join(entry) for entry in function.environment]


def effects(body):
    return [entry.partition(" : ")[2] for entry in entries(body)]


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


def test_signed_unsigned_and_float_meanings_stay_apart():
    seen = {}
    for text in PREDICATES + OPERATIONS:
        effect = effects(f"  %x = {text}\n  ret void")[0]
        assert effect not in seen, f"{text} and {seen[effect]} look the same"
        seen[effect] = text


@pytest.mark.parametrize(
    ("definition", "condition"),
    [
        ("icmp slt i32 %a, %b", "slt v0 v1"),
        ("and i1 %l, %d", "and eq v0 #7 v3"),
        ("or i1 %d, %l", "or v3 eq v0 #7"),
        ("xor i1 %l, true", "not eq v0 #7"),
        ("xor i1 %d, %e", "xor v3 v4"),
        ("select i1 %l, i1 %d, i1 false", "and eq v0 #7 v3"),
        ("select i1 %l, i1 true, i1 %d", "or eq v0 #7 v3"),
        ("select i1 false, i1 %l, i1 %d", "v6"),
        ("select i1 %l, i1 %d, i1 %e", "v6"),
        ("freeze i1 %l", "v6"),
    ],
)
def test_a_condition_is_spelt_by_what_defines_it(definition, condition):
    body = (
        f"  %l = icmp eq i32 %a, 7\n  %x = {definition}\n  br i1 %x, label %yes, label %no\n\n"
        "yes:\n  ret void\n\nno:\n  ret void"
    )
    found = entries(body)
    assert found[2] == f"d0 : if {condition} goto l1 else l2"
    assert found[3] == f"d0 when {condition} : return void"
    assert found[4] == f"d0 unless {condition} : return void"


def test_what_a_and_b_becomes_without_optimisation_is_spelt():
    body = (
        "  br i1 %d, label %right, label %join\n\nright:\n  %l = icmp eq i32 %a, 7\n"
        "  br label %join\n\njoin:\n  %x = phi i1 [ false, %0 ], [ %l, %right ]\n"
        "  br i1 %x, label %yes, label %no\n\nyes:\n  ret void\n\nno:\n  ret void"
    )
    assert entries(body)[5] == "d0 when phi false eq v0 #7 : return void"


def test_joints_within_joints_are_named_only():
    body = (
        "  %l = and i1 %d, %e\n  %x = or i1 %l, %d\n  br i1 %x, label %yes, label %no\n\n"
        "yes:\n  ret void\n\nno:\n  ret void"
    )
    assert entries(body)[2] == "d0 : if or v5 v3 goto l1 else l2"


def test_a_constant_condition_is_itself():
    body = "  br i1 true, label %yes, label %no\n\nyes:\n  ret void\n\nno:\n  ret void"
    assert entries(body)[0] == "d0 : if true goto l1 else l2"
