"""Functions of a size that real programs have once in a while: cost grows with length only."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from static_analysis import analyse

BYTES_PER_INSTRUCTION = 3_500


def straight_line(n):
    lines = ["define i32 @f(i32 %a) {", "  %s = alloca i32", "  store i32 %a, ptr %s"]
    for i in range(n // 3):
        lines.append(f"  %l{i} = load i32, ptr %s, align 4")
        lines.append(f"  %x{i} = add nsw i32 %l{i}, {i}")
        lines.append(f"  store i32 %x{i}, ptr %s, align 4")
    return "\n".join([*lines, "  ret i32 %a", "}", ""])


def blocks(n, block):
    """A chain of n blocks with ends that ``block(i)`` gives, over one slot."""
    lines = ["define i32 @f(i32 %a, i1 %c) {", "entry:", "  %s = alloca i32", "  br label %b0", ""]
    for i in range(n):
        lines += [f"b{i}:", *block(i), ""]
    return "\n".join([*lines, f"b{n}:", "  %r = load i32, ptr %s", "  ret i32 %r", "}", ""])


def many_exits(n):
    return blocks(n, lambda i: [f"  br i1 %c, label %b{i + 1}, label %b{n}"])


def skipping(n):
    def block(i):
        target = min(i + 2, n)
        return [f"  store i32 {i}, ptr %s", f"  br i1 %c, label %b{i + 1}, label %b{target}"]

    return blocks(n, block)


def nested_loops(n):
    def block(i):
        if i < n // 2:
            return [f"  store i32 {i}, ptr %s", f"  br label %b{i + 1}"]
        return [f"  br i1 %c, label %b{i + 1}, label %b{n - 1 - i}"]

    return blocks(n, block)


def giant_switch(n):
    cases = [f"    i32 {i}, label %b{i + 1}" for i in range(1, n - 1)]

    def block(i):
        if i == 0:
            return [f"  switch i32 %a, label %b{n} [", *cases, "  ]"]
        return [f"  store i32 {i}, ptr %s", f"  br label %b{0 if i % 2 else n}"]

    return blocks(n, block)


def unnatural_loops(n):
    def block(i):
        return [f"  br i1 %c, label %b{i + 1}, label %b{(i * 7919) % n}"]

    return blocks(n, block)


def escaped_slots_and_calls(n):
    """Half of n slots whose address is known outside, and as many calls that may write them."""
    lines = ["declare void @leak(ptr)", "declare void @any()", "define void @f(i32 %a) {"]
    lines += [f"  %s{i} = alloca i32" for i in range(n // 2)]
    for i in range(n // 2):
        lines += [f"  call void @leak(ptr %s{i})", f"  store i32 {i}, ptr %s{i}"]
        lines += ["  call void @any()", f"  %l{i} = load i32, ptr %s{i // 2}"]
    return "\n".join([*lines, "  ret void", "}", ""])


def diamonds(n):
    """A chain of diamonds, one arm of each stores; every end loads what all may have stored."""

    def block(i):
        if i % 3 == 0:
            return [f"  br i1 %c, label %b{i + 1}, label %b{min(i + 2, n)}"]
        if i % 3 == 1:
            return [f"  store i32 {i}, ptr %s", f"  br label %b{i + 1}"]
        return [f"  %l{i} = load i32, ptr %s", f"  br label %b{i + 1}"]

    return blocks(n, block)


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


def seconds(text):
    started = time.process_time()
    functions = analyse(text)
    for function in functions:
        assert len(function.environment) == len(function.instructions)
    assert functions
    return time.process_time() - started


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "size"),
    [
        (straight_line, 200_000),
        (many_exits, 50_000),
        (skipping, 50_000),
        (nested_loops, 50_000),
        (giant_switch, 50_000),
        (unnatural_loops, 50_000),
        (escaped_slots_and_calls, 20_000),
        (diamonds, 50_000),
        (elements, 30_000),
        (globals_in_loops, 20_000),
        (unknown_pointers, 40_000),
        (copies, 20_000),
        (merged_pointers, 20_000),
        (long_switch, 100_000),
        (long_call, 10_000),
        (long_phi, 20_000),
        (long_initialiser, 200_000),
        (debug_lines, 20_000),
        (nested_type, 5_000),
        (nested_names, 5_000),
        (wide_names, 5_000),
        (nested_constant, 5_000),
        (long_name, 5_000),
    ],
)
def test_time_grows_with_the_length(shape, size):
    small, large = seconds(shape(size // 4)), seconds(shape(size))
    assert large < 8 * small + 0.1, f"4 times the length took {large / small:.1f} times as long"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "size"), [("straight_line", 1_000_000), ("elements", 30_000), ("diamonds", 50_000)]
)
def test_memory_grows_with_the_length(shape, size):
    """The analysis has a process of its own, so that its peak can be read."""
    program = (
        "import resource\n"
        "from static_analysis import analyse\n"
        f"from tests.static_analysis.test_scale import {shape}\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024\n"
        f"text = {shape}({size})\n"
        "before = peak()\n"
        "functions = analyse(text)\n"
        "print((peak() - before) / len(functions[0].instructions))"
    )
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert float(ran.stdout) < BYTES_PER_INSTRUCTION
