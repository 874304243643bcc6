"""Compare the scanner of ``static_analysis`` with tree-sitter-llvm: right, and how fast.

    pip install "oscar-ir[benchmarks]"
    python -m benchmarks.ir_scanners [MODULE.ll]

Correctness: every module of LLVM's own tests that LLVM reads, in the form LLVM prints: refused,
blocks or instructions counted otherwise than LLVM does, text lost. Speed: the module given, else
the largest of those; to a list of lexemes, and to functions, blocks and instructions (ours are
objects that the analyses use, tree-sitter's are nodes of a tree).
"""

import argparse
import json
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import tree_sitter_llvm
from rich.console import Console
from rich.table import Table
from tree_sitter import Language, Node, Parser

from benchmarks.parts.llvm_modules import LlvmModule, data_folder, llvm_suites, read_with_llvm
from static_analysis import IRError
from static_analysis.reading.lexer import lexemes
from static_analysis.reading.reader import read_module

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its binding hands the grammar as an int
    PARSER = Parser(Language(tree_sitter_llvm.language()))

Counts = list[list[int]]


def regex_counts(text: str) -> Counts | None:
    """Return blocks and instructions of each function; None if the module is refused."""
    try:
        functions = read_module(text).functions
    except IRError:
        return None
    return [[len(found.blocks), len(found.instructions)] for found in functions]


def tree_counts(text: str) -> Counts | None:
    """Return the same as ``regex_counts``; None if the tree has an error in it."""
    root = PARSER.parse(text.encode("utf-8", "surrogateescape")).root_node
    if root.has_error:
        return None
    return [_body_counts(node) for node in root.children if node.type == "fn_define"]


def _body_counts(definition: Node) -> list[int]:
    (body,) = (node for node in definition.children if node.type == "function_body")
    kinds = [node.type for node in body.named_children if node.type in ("label", "instruction")]
    return [kinds.count("label") + (kinds[0] != "label"), kinds.count("instruction")]


def regex_lexemes(text: str) -> list[str]:
    """Return all lexemes of a module, comments' too."""
    return [lexeme for line in text.split("\n") for lexeme in lexemes(line)]


def tree_lexemes(text: str) -> list[str]:
    """Return the text of all leaves of the tree."""
    source = text.encode("utf-8", "surrogateescape")
    leaves = _leaves(PARSER.parse(source).root_node)
    return [source[leaf.start_byte : leaf.end_byte].decode("utf-8", "replace") for leaf in leaves]


def _leaves(root: Node) -> Iterator[Node]:
    cursor = root.walk()
    going = True
    while going:
        if cursor.goto_first_child():
            continue
        if cursor.node is not None:
            yield cursor.node
        while not (going := cursor.goto_next_sibling()) and cursor.goto_parent():
            pass


SCANNERS: dict[str, tuple[Callable[[str], Counts | None], Callable[[str], list[str]]]] = {
    "regex": (regex_counts, regex_lexemes),
    "tree-sitter-llvm": (tree_counts, tree_lexemes),
}


def judge(modules: list[LlvmModule], scanner: str) -> Counter[str]:
    """Count the modules that a scanner refuses, counts otherwise than LLVM, or loses text of."""
    count, scan = SCANNERS[scanner]
    found: Counter[str] = Counter()
    for module in modules:
        counts = count(module.text)
        found["refused"] += counts is None
        found["miscounted"] += counts is not None and counts != module.counts
        found["text_lost"] += _squeezed("".join(scan(module.text))) != _squeezed(module.text)
    return found


def _squeezed(text: str) -> str:
    return "".join(text.encode("utf-8", "replace").decode().split())


def seconds(step: Callable[[], object], repeats: int = 3) -> float:
    """Return the processor time of the fastest of several runs."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        step()
        times.append(time.process_time() - started)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", type=Path, nargs="?", help="IR to take the time of")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    with llvm_suites(data_folder()) as paths:
        modules = list(read_with_llvm(paths))
    timed = (
        options.module.read_text() if options.module else max((m.text for m in modules), key=len)
    )
    table = Table(title=f"{len(modules)} modules; time for {len(timed) / 1e6:.1f} MB of IR")
    for heading in ("scanner", "refused", "miscounted", "text lost", "lexemes s", "read s"):
        table.add_column(heading, justify="left" if heading == "scanner" else "right", no_wrap=True)
    figures: dict[str, dict[str, float]] = {}
    for name, (count, scan) in SCANNERS.items():
        found = figures[name] = dict(judge(modules, name))
        found["lexemes_seconds"] = seconds(partial(scan, timed))
        found["read_seconds"] = seconds(partial(count, timed))
        table.add_row(
            name,
            *(str(found[key]) for key in ("refused", "miscounted", "text_lost")),
            *(f"{found[key]:.2f}" for key in ("lexemes_seconds", "read_seconds")),
        )
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps({"modules": len(modules), **figures}, indent=2))


if __name__ == "__main__":
    main()
