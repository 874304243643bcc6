"""Texts of modules in which one type, constant, call or list is very long or very deep."""


def function_of(*instructions, before=(), arguments=""):
    body = [f"  {instruction}" for instruction in instructions]
    return "\n".join([*before, f"define void @f({arguments}) {{", *body, "  ret void", "}", ""])


def long_switch(n):
    cases = "\n".join(f"    i32 {i}, label %b{i % 7}" for i in range(n))
    targets = "\n".join(f"b{i}:\n  ret void" for i in range(7))
    return f"define void @f(i32 %a) {{\n  switch i32 %a, label %b0 [\n{cases}\n  ]\n{targets}\n}}\n"


def long_call(n):
    types, values = ", ".join(["i32"] * n), ", ".join(f"i32 {i}" for i in range(n))
    return function_of(f"call void @g({values})", before=[f"declare void @g({types})"])


def long_phi(n):
    cases = "\n".join(f"    i32 {i}, label %b{i}" for i in range(1, n))
    arms = "\n".join(f"b{i}:\n  br label %out" for i in range(n))
    pairs = ", ".join(f"[ {i}, %b{i} ]" for i in range(n))
    switch = f"  switch i32 %a, label %b0 [\n{cases}\n  ]"
    end = f"out:\n  %p = phi i32 {pairs}\n  ret void"
    return f"define void @f(i32 %a) {{\n{switch}\n{arms}\n{end}\n}}\n"


def long_initialiser(n):
    text, numbers = "\\00\\22a" * n, ", ".join(f"i32 {i}" for i in range(n))
    return function_of(
        "%v = load i32, ptr @numbers",
        'store [4 x i8] c"\\00a;\\22", ptr @text',
        before=[
            f'@text = global [{3 * n} x i8] c"{text}"',
            f"@numbers = constant [{n} x i32] [{numbers}]",
        ],
    )


def debug_lines(n):
    lines = [f"!{i} = !DILocation(line: {i}, column: 1, scope: !{i - 1})" for i in range(1, n)]
    body = [f"%v{i} = add i32 %a, {i}, !dbg !{i}" for i in range(1, n)]
    text = function_of(*body, arguments="i32 %a")
    return "\n".join([text, '!0 = distinct !DISubprogram(name: "f")', *lines, ""])


def nested_type(n):
    kind = "{ " * n + "i32" + " }" * n
    return function_of(f"%s = alloca {kind}", f"%v = load {kind}, ptr %s")


def nested_names(n):
    before = ["%t0 = type { i32 }", *(f"%t{i} = type {{ i8, %t{i - 1} }}" for i in range(1, n))]
    return function_of(f"%s = alloca %t{n - 1}", f"%v = load %t{n - 1}, ptr %s", before=before)


def wide_names(n):
    """Types that double in size from each to the next: the text is short, the type is not."""
    before = ["%t0 = type { i32 }"]
    before += [f"%t{i} = type {{ %t{i - 1}, %t{i - 1} }}" for i in range(1, min(n, 60))]
    return function_of(*(f"%s{i} = alloca %t{i % min(n, 60)}" for i in range(n)), before=before)


def nested_constant(n):
    address = "getelementptr (i8, ptr " * n + "@g" + ", i64 1)" * n
    return function_of(
        f"%v = load i32, ptr {address}",
        f"store i32 %v, ptr {address}",
        before=["@g = global i32 0"],
    )


def long_name(n):
    """A name whose letters stand for the whole of what came before: it doubles with each."""
    pairs = "".join(f"St4pairIS{_sequence(i)}_S{_sequence(i)}_E" for i in range(n))
    name = f"_Z1fSt4pairIiiE{pairs}"
    return function_of(f"call void @{name}()", before=[f"declare void @{name}()"])


def _sequence(number):
    digits = ""
    while number:
        number, last = divmod(number, 36)
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[last] + digits
    return digits
