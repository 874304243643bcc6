"""What must hold of any module that LLVM reads."""

from pathlib import Path

from benchmarks.parts.llvm_modules import LlvmModule, read_with_llvm
from static_analysis import analyse
from static_analysis.reading.lexer import lexemes, without_comment


def assert_read_as_llvm_does(module: LlvmModule) -> None:
    """Check counts, names and texts against LLVM's, and that the streams are aligned."""
    functions = analyse(module.text)
    assert [[len(f.blocks), len(f.instructions)] for f in functions] == module.counts
    texts = "".join(text for function in functions for text in function.instructions)
    assert squeezed(texts) == squeezed("".join(_instruction_lines(module.text)))
    for function, name in zip(functions, module.names, strict=True):
        assert function.name == name or (not name and function.name.isdecimal())
        streams = function.tokens, function.environment, function.positions
        assert {len(stream) for stream in streams} == {len(function.instructions)}
        for text, tokens, entry in zip(
            function.instructions, function.tokens, function.environment, strict=True
        ):
            assert squeezed("".join(lexemes(text))) == squeezed(text)
            assert all((tokens, entry))
            assert all(token.isascii() and token.isprintable() for token in tokens + entry)


def squeezed(text: str) -> str:
    """Return a text without its white space."""
    return "".join(text.split())


def _instruction_lines(text: str) -> list[str]:
    """Return the lines of instructions: LLVM indents them, and nothing else but debug records."""
    inside, found = False, []
    for line in text.split("\n"):
        inside = line.startswith("define ") or (inside and line != "}")
        if inside and line.startswith("  ") and not line.lstrip().startswith(("#dbg_", ";")):
            found.append(without_comment(line))
    return found


def modules_of(folder: Path, texts: list[str]) -> list[LlvmModule]:
    """Return texts as LLVM reads and prints them; it must accept them all."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(str(folder / f"{number}.ll"))
        Path(paths[-1]).write_text(text, encoding="utf-8")
    modules = list(read_with_llvm(paths))
    assert [module.path for module in modules] == paths
    return modules
