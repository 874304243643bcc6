"""Texts of functions that are hard on the analysis of memory."""

from tests.static_analysis.large_graphs import blocks


def escaped_slots_and_calls(n):
    """Half of n slots whose address is known outside, and as many calls that may write them."""
    lines = ["declare void @leak(ptr)", "declare void @any()", "define void @f(i32 %a) {"]
    lines += [f"  %s{i} = alloca i32" for i in range(n // 2)]
    for i in range(n // 2):
        lines += [f"  call void @leak(ptr %s{i})", f"  store i32 {i}, ptr %s{i}"]
        lines += ["  call void @any()", f"  %l{i} = load i32, ptr %s{i // 2}"]
    return "\n".join([*lines, "  ret void", "}", ""])


def elements(n):
    """Stores and loads of n elements of one array, a call now and then, a loop around all."""
    lines = ["declare void @any()", "define void @f(i1 %c) {", f"  %s = alloca [{n} x i32]"]
    lines += ["  br label %again", "again:"]
    for i in range(n):
        lines.append(f"  %p{i} = getelementptr inbounds [{n} x i32], ptr %s, i64 0, i64 {i}")
        lines.append(f"  store i32 {i}, ptr %p{i}")
        lines.append(f"  %l{i} = load i32, ptr %p{i // 2}")
        if i % 100 == 0:
            lines.append("  call void @any()")
    return "\n".join(
        [*lines, "  br i1 %c, label %again, label %out", "out:", "  ret void", "}", ""]
    )


def globals_in_loops(n):
    """Nested loops, each of which reads one global and writes the next."""
    lines = [f"@g{i} = global i32 {i}" for i in range(n // 2 + 1)]

    def block(i):
        at = min(i, n - 1 - i)
        access = [f"  %l{i} = load i32, ptr @g{at}", f"  store i32 %l{i}, ptr @g{at + 1}"]
        if i < n // 2:
            return [*access, f"  br label %b{i + 1}"]
        return [*access, f"  br i1 %c, label %b{i + 1}, label %b{n - 1 - i}"]

    return "\n".join([*lines, blocks(n, block)])


def unknown_pointers(n):
    """Loads and stores through pointers that were themselves loaded."""
    lines = ["define void @f(ptr %p) {"]
    for i in range(n):
        lines += [f"  %q{i} = load ptr, ptr %p", f"  store i32 {i}, ptr %q{i}"]
        lines += [f"  %l{i} = load i32, ptr %q{i // 2}"]
    return "\n".join([*lines, "  ret void", "}", ""])


def copies(n):
    """Structures that are copied from one to the next, and fields that are read from them."""
    lines = [
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        "%t = type { i32, i64, i32 }",
    ]
    lines += ["define void @f() {", *(f"  %s{i} = alloca %t" for i in range(n + 1))]
    for i in range(n):
        lines += [
            f"  %p{i} = getelementptr %t, ptr %s{i}, i32 0, i32 {i % 3}",
            f"  store i32 {i}, ptr %p{i}",
            f"  call void @llvm.memcpy.p0.p0.i64(ptr %s{i + 1}, ptr %s{i}, i64 24, i1 false)",
            f"  %l{i} = load i32, ptr %p{i}",
        ]
    return "\n".join([*lines, "  ret void", "}", ""])


def merged_pointers(n):
    """A chain of selects between pointers, each written and read through."""
    lines = ["define void @f(i1 %c) {", "  %a = alloca i32", "  %b = alloca i32"]
    lines.append("  %q0 = select i1 %c, ptr %a, ptr %b")
    for i in range(1, n):
        lines += [f"  %q{i} = select i1 %c, ptr %q{i - 1}, ptr {'%a' if i % 2 else '%b'}"]
        lines += [f"  store i32 {i}, ptr %q{i}", f"  %l{i} = load i32, ptr %q{i - 1}"]
    return "\n".join([*lines, "  ret void", "}", ""])
