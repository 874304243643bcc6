import pytest

from static_analysis import analyse


def effect(declaration, call, groups=""):
    (function,) = analyse(
        f"{declaration}\ndefine void @caller(ptr %p) {{\n  {call}\n  ret void\n}}\n{groups}\n"
    )
    tokens = function.environment[0]
    return " ".join(
        tokens[max(at for at, token in enumerate(tokens) if token in ("</func>", "v0")) + 1 :]
    )


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ("nounwind", "clobbers"),
        ("memory(none)", "pure"),
        ("memory(read)", "reads"),
        ("memory(argmem: readwrite)", "clobbers arguments"),
        (
            "memory(argmem: readwrite, inaccessiblemem: readwrite)",
            "clobbers arguments inaccessible",
        ),
        ("memory(read, inaccessiblemem: none)", "reads spares inaccessible"),
        ("memory(argmem: read, errnomem: write)", "reads arguments writes errno"),
        ("memory(target_mem0: write)", "writes elsewhere"),
    ],
)
def test_memory_attributes_in_words(attributes, words):
    group = f"attributes #0 = {{ {attributes} }}"
    assert effect("declare i32 @f(ptr) #0", "%x = call i32 @f(ptr %p)", group) == words
    assert effect("declare i32 @f(ptr)", "%x = call i32 @f(ptr %p) #0", group) == words


def test_the_attributes_of_a_call_come_before_those_of_its_callee():
    groups = "attributes #0 = { memory(read) }\nattributes #1 = { memory(none) }"
    assert effect("declare i32 @f(ptr) #0", "%x = call i32 @f(ptr %p) #1", groups) == "pure"


def test_new_memory_is_fresh():
    assert effect("declare noalias ptr @new(ptr)", "%x = call ptr @new(ptr %p)") == "clobbers fresh"
    assert effect("declare ptr @new(ptr)", "%x = call noalias ptr @new(ptr %p)") == "clobbers fresh"


def test_the_start_of_a_lifetime_is_no_effect_on_memory():
    declaration = "declare void @llvm.lifetime.start.p0(ptr) #0"
    group = "attributes #0 = { memory(argmem: readwrite) }"
    assert effect(declaration, "call void @llvm.lifetime.start.p0(ptr %p)", group) == ""


def versions(text):
    (function,) = analyse(text)
    return [
        " ".join(entry).partition(" : ")[2].partition(" <-")[0] for entry in function.environment
    ]


def test_what_writes_memory_defines_a_version():
    text = """declare i32 @any(ptr)
declare i32 @looks(ptr) memory(read)
declare void @own() #1
define i32 @f(ptr %p) {
  store i32 1, ptr %p
  %a = call i32 @any(ptr %p)
  %b = call i32 @looks(ptr %p) #0
  %c = atomicrmw add ptr %p, i32 1 seq_cst
  %d = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst
  %e = va_arg ptr %p, i32
  call void @own()
  ret i32 %a
}
attributes #0 = { memory(read) }
attributes #1 = { memory(inaccessiblemem: readwrite) }
"""
    found = versions(text)
    assert found[:6] == ["m0", "v1 m1", "v2", "v3 m2", "v4 m3", "v5 m4"]
    assert found[6].startswith("call")


@pytest.mark.parametrize(
    ("declaration", "call", "words"),
    [
        ("declare i64 @strlen(ptr)", "%x = call i64 @strlen(ptr %p)", "reads arguments"),
        ("declare i32 @abs(i32)", "%x = call i32 @abs(i32 1)", "pure"),
        ("declare ptr @malloc(i64)", "%x = call ptr @malloc(i64 8)", "clobbers errno fresh"),
        ("declare i32 @printf(ptr, ...)", "%x = call i32 (ptr, ...) @printf(ptr %p)",
         "reads arguments clobbers inaccessible"),
        ("declare i32 @scanf(ptr, ...)", "%x = call i32 (ptr, ...) @scanf(ptr %p, ptr %p)",
         "clobbers arguments inaccessible"),
        ("declare i32 @strlen(i32)", "%x = call i32 @strlen(i32 1)", "clobbers"),
    ],
)  # fmt: skip
def test_library_functions_are_known(declaration, call, words):
    (function,) = analyse(
        f"{declaration}\ndefine void @caller(ptr %p) {{\n  {call}\n  ret void\n}}\n"
    )
    assert " ".join(function.environment[0]).endswith(f" {words}")
