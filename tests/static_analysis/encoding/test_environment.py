import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from static_analysis import analyse

VERSION = re.compile(r"m\d+$")

MODULE = """%struct.node = type {{ i32, ptr }}
@count = global i32 0
define void @f(i32 %a, float %c, ptr %p, <2 x i32> %w) personality ptr @g {{
  {instruction}
  ret void
}}
declare i32 @g(...)
declare i32 @sin(i32) #0
declare float @sqrt(float)
attributes #0 = {{ memory(none) }}
"""


@pytest.mark.parametrize(
    ("instruction", "effect"),
    [
        ("%x = sub nuw nsw i32 %a, 3", "v4 <- sub v0 #3 nuw nsw"),
        ("%x = fneg nnan float %c", "v4 <- fneg v1 nnan"),
        ("%x = trunc i32 %a to i8", "v4 <- trunc v0 i8"),
        ("%x = select i1 true, i32 %a, i32 1", "v4 <- select true v0 #1"),
        ("%x = fcmp nnan ult float %c, 1.0", "v4 <- fult v1 #1.0 nnan"),
        ("%x = freeze i32 %a", "v4 <- freeze v0"),
        ("%x = getelementptr inbounds %struct.node, ptr %p, i64 0, i32 1",
         "v4 <- getelementptr v2 #0 #1 of %node </type> inbounds"),
        ("%x = extractelement <2 x i32> %w, i64 1", "v4 <- extractelement v3 #1"),
        ("%x = shufflevector <2 x i32> %w, <2 x i32> poison, <2 x i32> zeroinitializer",
         "v4 <- shufflevector v3 poison zeroinitializer"),
        ("%x = insertvalue { i32, ptr } undef, i32 %a, 0", "v4 <- insertvalue undef v0 #0"),
        ("%x = extractvalue { i32, ptr } zeroinitializer, 1",
         "v4 <- extractvalue zeroinitializer #1"),
        ("%x = alloca [4 x i32], align 16", "v4 <- alloca [ #4 x i32 ]"),
        ("%x = alloca i8, i32 %a, align 1, addrspace(5)", "v4 <- alloca i8 v0"),
        ("%x = load volatile i32, ptr @count", "v4 <- load @count </const> volatile from unknown"),
        ("store atomic i32 1, ptr %p release, align 4", "m0 <- store #1 v2 atomic release"),
        ("%x = cmpxchg weak ptr %p, i32 %a, i32 1 acq_rel monotonic",
         "v4 m0 <- cmpxchg v2 v0 #1 weak acq_rel monotonic from unknown"),
        ('%x = atomicrmw umax ptr %p, i32 %a syncscope("x") seq_cst',
         "v4 m0 <- atomicrmw umax v2 v0 scope @x </text> seq_cst from unknown"),
        ('%x = load atomic i32, ptr %p syncscope("x") acquire, align 4',
         "v4 <- load v2 atomic scope @x </text> acquire from unknown"),
        ("fence acquire", "fence acquire"),
        ("%x = va_arg ptr %p, i32", "v4 m0 <- va_arg v2 i32"),
        ("%x = va_arg ptr getelementptr (i8, ptr @count, i64 1), { i32, ptr }",
         "v4 m0 <- va_arg getelementptr ( i8 , ptr @count </const> , i64 #1 ) { i32 , ptr }"),
        ("%x = call i32 (...) @g(ptr @count, i32 %a)",
         "v4 m0 <- call @g </func> @count </const> v0 clobbers"),
        ("%x = call i32 @sin(i32 1)", "v4 <- call @sin </func> #1 pure"),
        ("%x = call nnan nsz float @sqrt(float %c)",
         "v4 <- call @sqrt </func> v1 clobbers errno nnan nsz"),
        ('call void asm sideeffect "nop", ""()',
         "m0 <- call asm sideeffect @nop </text> </text> clobbers"),
        ("ret void\n\nnext:", "return void"),
        ("unreachable\n\nnext:", "unreachable"),
        ("br label %next\n\nnext:", "goto l1"),
    ],
)  # fmt: skip
def test_what_each_opcode_does(instruction, effect):
    (function,) = analyse(MODULE.format(instruction=instruction))
    assert " ".join(function.environment[0]) == f"d0 : {effect}"


def test_flags_of_a_phi_are_kept():
    text = MODULE.format(instruction="br label %n\n\nn:\n  %x = phi fast float [ %c, %0 ]")
    (function,) = analyse(text)
    assert " ".join(function.environment[1]) == "d0 : v4 <- phi v1 l0 fast"


SHARED = """%t = type {{ i32, %u }}
%u = type {{ i8 }}
define void @f(ptr %t, ptr %u, i32 %i) {{
  {instruction}
  ret void
}}
"""


@pytest.mark.parametrize(
    ("instruction", "tokens", "effect"),
    [
        ("%x = getelementptr %t, ptr %t, i32 1",
         "v3 = getelementptr %t </type> , ptr v0 , i32 #1",
         "v3 <- getelementptr v0 #1 of %t </type>"),
        ("%x = getelementptr inbounds [2 x %t], ptr %t, i32 1",
         "v3 = getelementptr inbounds [ #2 x %t </type> ] , ptr v0 , i32 #1",
         "v3 <- getelementptr v0 #1 of [ #2 x %t </type> ] inbounds"),
        ("%x = alloca %t", "v3 = alloca %t </type>", "v3 <- alloca %t </type>"),
        ("%x = alloca inalloca %t, i32 %i",
         "v3 = alloca inalloca %t </type> , i32 v2", "v3 <- alloca %t </type> v2"),
        ("%x = load %t, ptr %t", "v3 = load %t </type> , ptr v0", "v3 <- load v0 from entry"),
        ("%x = va_arg ptr %t, %t", "v3 = va_arg ptr v0 , %t </type>",
         "v3 m0 <- va_arg v0 %t </type>"),
        ("store { i8, %u, i8 } zeroinitializer, ptr %t",
         "store { i8 , %u </type> , i8 } zeroinitializer , ptr v0",
         "m0 <- store zeroinitializer v0"),
        ("%x = insertvalue %t undef, %u zeroinitializer, 1",
         "v3 = insertvalue %t </type> undef , %u </type> zeroinitializer , #1",
         "v3 <- insertvalue undef zeroinitializer #1"),
        ("call void (i32, %t, ...) %u(i32 %i, %t undef, ptr %t)",
         "call void ( i32 , %t </type> , ... ) v1 ( i32 v2 , %t </type> undef , ptr v0 )",
         "m0 <- call v1 v2 undef v0 clobbers"),
        ("call void %u(ptr byval(%t) %t, ptr %u)",
         "call void v1 ( ptr byval ( %t </type> ) v0 , ptr v1 )", "m0 <- call v1 v0 v1 clobbers"),
        ("%x = call %t %u(ptr %t)", "v3 = call %t </type> v1 ( ptr v0 )",
         "v3 m0 <- call v1 v0 clobbers"),
        ("%x = select i1 true, ptr %t, ptr %u", "v3 = select i1 true , ptr v0 , ptr v1",
         "v3 <- select true v0 v1"),
        ("%x = icmp eq ptr %t, %u", "v3 = icmp eq ptr v0 , v1", "v3 <- eq v0 v1"),
    ],
)  # fmt: skip
def test_a_type_and_a_parameter_may_share_a_name(instruction, tokens, effect):
    (function,) = analyse(SHARED.format(instruction=instruction))
    assert " ".join(function.tokens[0]) == tokens
    assert " ".join(function.environment[0]) == f"d0 : {effect}"


def test_labels_that_share_a_name_with_a_type_stay_labels():
    text = SHARED.format(instruction="switch i32 %i, label %b [ i32 1, label %b ]\n\nb:")
    (function,) = analyse("%b = type { i8 }\n" + text)
    assert " ".join(function.tokens[0]) == "switch i32 v2 , label l1 [ i32 #1 , label l1 ]"
    goes_on = "\n          to label %b unwind label %c\n\nc:\n  unreachable\n\nb:"
    text = SHARED.format(instruction=f"invoke void %u(){goes_on}")
    (function,) = analyse("%b = type { i8 }\n%c = type { i8 }\n" + text)
    assert " ".join(function.tokens[0]) == "invoke void v1 ( ) to label l2 unwind label l1"


def test_exception_handling():
    (function,) = analyse(
        """@type = external constant ptr
define void @f() {
  invoke void @g()
          to label %ok unwind label %pad

pad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr @type
  resume { ptr, i32 } %l

ok:
  invoke void @g()
          to label %end unwind label %dispatch

dispatch:
  %s = catchswitch within none [label %h] unwind to caller

h:
  %c = catchpad within %s [ptr @type, i32 8, ptr null]
  catchret from %c to label %end

end:
  ret void
}
declare void @g()
"""
    )
    assert [" ".join(entry) for entry in function.environment] == [
        "d0 : m0 <- invoke @g </func> clobbers goto l2 unwind l1",
        "d0 unwind : v0 <- landingpad cleanup catch @type </const>",
        "d0 unwind : resume v0",
        "d0 : m1 <- invoke @g </func> clobbers goto l5 unwind l3",
        "d0 unwind : v1 <- catchswitch none goto l4 unwind caller",
        "d0 unwind : v2 <- catchpad v1 @type </const> #8 null",
        "d0 unwind : catchret v2 goto l5",
        "d0 normal or unwind : return void",
    ]


def test_a_load_lists_versions_and_values_or_says_unknown():
    (function,) = analyse(
        """define i32 @f(i32 %a, i1 %d, ptr %p) {
  %x = alloca i32
  store i32 %a, ptr %x
  br label %h

h:
  %v = load i32, ptr %x
  %n = add i32 %v, 1
  store i32 %n, ptr %x
  %o = load i32, ptr %p
  br i1 %d, label %h, label %e

e:
  ret i32 %o
}
"""
    )
    entries = [" ".join(entry) for entry in function.environment]
    assert entries[1] == "d0 : m0 <- store v0 v3"
    assert entries[3] == "d1 : v4 <- load v3 from m0 v0 m1 v5"
    assert entries[6] == "d1 : v6 <- load v2 from entry"
    assert entries[7] == "d1 : if v1 goto l1 again else l2"


def test_entries_stay_short_however_long_the_instruction():
    many = ", ".join("i64 1" for _ in range(5000))
    (function,) = analyse(f"define void @f() {{\n  call void @g({many})\n  ret void\n}}\n")
    assert len(function.environment[0]) < 32
    assert len(function.tokens[0]) > 10_000


@given(data=st.data())
def test_what_a_load_reads_from_is_defined_once_by_an_instruction_that_writes(
    generated_functions, data
):
    (function,) = analyse(data.draw(generated_functions).text())
    defined, named = [], set()
    for entry in function.environment:
        effect = entry[entry.index(":") + 1 :]
        if "<-" in effect:
            defined += [token for token in effect[: effect.index("<-")] if VERSION.match(token)]
        if "from" in effect:
            named |= {token for token in effect[effect.index("from") :] if VERSION.match(token)}
    assert defined == [f"m{number}" for number in range(len(defined))]
    assert named <= set(defined)
