"""Texts of functions with many blocks, or many instructions in one."""


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


def diamonds(n):
    """A chain of diamonds, one arm of each stores; every end loads what all may have stored."""

    def block(i):
        if i % 3 == 0:
            return [f"  br i1 %c, label %b{i + 1}, label %b{min(i + 2, n)}"]
        if i % 3 == 1:
            return [f"  store i32 {i}, ptr %s", f"  br label %b{i + 1}"]
        return [f"  %l{i} = load i32, ptr %s", f"  br label %b{i + 1}"]

    return blocks(n, block)
