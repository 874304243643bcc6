"""Functions of a size that real programs have once in a while: cost grows with length only."""

import time

import pytest

from static_analysis import analyse


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


def seconds(text):
    started = time.process_time()
    (function,) = analyse(text)
    assert len(function.environment) == len(function.instructions)
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
    ],
)
def test_time_grows_with_the_length(shape, size):
    small, large = seconds(shape(size // 4)), seconds(shape(size))
    assert large / small < 8, f"4 times the length took {large / small:.1f} times as long"
