"""The boundary to LLVM: every call of llvmlite is in this file and in `views.py`.

LLVM may end the process on bad input. Only worker processes with limits import this module.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

from ir_pipeline.errors import LoweringError
from static_analysis.errors import OscarError

_BITCODE_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_COMPILED_FOR = "x86_64-unknown-linux-gnu"

_MODULE_NAME = re.compile(r"\A(?:; ModuleID = .*\n)?(?:source_filename = .*\n)?")
_DEBUG_RECORD = re.compile(r"^\s+#dbg_.*\n", re.MULTILINE)
# Quoted text, in which a quote is written \22, is passed over.
_DEBUG_PLACE = re.compile(r'("[^"\n]*")|,? !dbg !\d+(?=,| \{$|$)', re.MULTILINE)
_NOT_OPTIMISABLE = re.compile(r" (?:noinline|optnone)\b")
_ATTRIBUTE_GROUP = re.compile(r"^attributes #\d+ = \{.*$", re.MULTILINE)
_PRODUCER = re.compile(r"clang version (\d+)|Producer: 'LLVM(\d+)")
# What LLVM says of constructs that came or went with a version.
_CHANGED = re.compile(r"no longer supported|only supported|unknown attribute", re.IGNORECASE)
# What it says where a word stands that it does not know.
_NO_SUCH_WORD = re.compile(
    r"(\d+):(\d+): error: (?:expected '\)' at end of argument list|expected '\{' in function body"
    r"|unterminated attribute group|unknown global variable property|expected instruction opcode)"
)
_WORD = re.compile(r"[a-z][a-z0-9_.]*")
_TYPED_POINTER = re.compile(r"\b(?:i\d+|float|double|void)\s*\*")


def parse(data: bytes) -> Any:
    """Parses and verifies textual IR or bitcode.

    Returns:
        An llvmlite `ModuleRef` in a context of its own.

    Raises:
        LoweringError: it is neither, or made by a version of LLVM that this one cannot read.
    """
    context = llvm.create_context()
    try:
        if data.startswith(_BITCODE_MAGIC):
            module = llvm.parse_bitcode(data, context)
        else:
            module = llvm.parse_assembly(_as_text(data), context)
        module.verify()
    except RuntimeError as error:
        raise _rejected(str(error), data) from None
    return module


def printed(module: Any) -> str:
    """The module as text, without debug records, source places and the file's name."""
    text = _MODULE_NAME.sub("", str(module))
    return _DEBUG_PLACE.sub(lambda found: found[1] or "", _DEBUG_RECORD.sub("", text))


def optimisable(text: str) -> str:
    """`text` without `noinline` and `optnone`, which clang puts on every function at -O0."""
    return _ATTRIBUTE_GROUP.sub(lambda group: _NOT_OPTIMISABLE.sub("", group[0]), text)


@lru_cache
def target_machine(triple: str) -> Any:
    """The machine that cost models ask about; x86-64 for targets this LLVM was built without.

    Raises:
        OscarError: it was built without x86-64, which the compiler is told to target, as well.
    """
    llvm.initialize_all_targets()
    for known in (triple, _COMPILED_FOR):
        with suppress(RuntimeError):
            return llvm.Target.from_triple(known).create_target_machine()
    raise OscarError("this llvmlite was built without x86-64: install one of its official wheels")


def _as_text(data: bytes) -> str:
    # LLVM reads a C string: all that follows a NUL would be lost without a word.
    if b"\0" in data:
        raise LoweringError("holds zero bytes: not textual IR", stage="parse", reason="not text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _rejected(said: str, data: bytes) -> LoweringError:
    message = re.sub(r"LLVM (?:IR|bitcode) parsing error|<string>:", " ", said)
    reader = ".".join(map(str, llvm.llvm_version_info))
    text = data.decode("latin-1")
    producer = _PRODUCER.search(message) or _PRODUCER.search(text)
    made_by = (producer[1] or producer[2]) if producer else None
    if made_by not in (None, reader.split(".")[0]):
        message = f"made by LLVM {made_by}, and LLVM {reader} cannot read it: {message}"
    elif _TYPED_POINTER.search(text):
        message = f"made by LLVM 14 or older, and LLVM {reader} cannot read it: {message}"
    elif (word := _unknown_word(said, text)) is not None:
        message = f"made by a newer LLVM: {reader} does not know the word {word!r}: {message}"
    elif _CHANGED.search(message):
        message = f"made by another LLVM, and {reader} cannot read it: {message}"
    else:
        return LoweringError(f"LLVM rejects it: {message}", stage="parse", reason="invalid IR")
    return LoweringError(message, stage="parse", reason="IR of another version")


def _unknown_word(said: str, text: str) -> str | None:
    """The word that LLVM stopped at, where any known one would have been fine."""
    found = _NO_SUCH_WORD.search(said)
    lines = text.split("\n")
    if found is None or int(found[1]) > len(lines):
        return None
    column = int(found[2]) - 1
    words = _WORD.finditer(lines[int(found[1]) - 1])
    return next((word[0] for word in words if word.start() <= column <= word.end()), None)
