"""Runs programs: a process of its own, a child per program, a grandchild per run.

    python -m tests.static_analysis.oracle.jit [--cxx]

It reads one JSON object a line and answers each with one; see ``recording.Oracle``. The libraries
are loaded before LLVM, whose exception tables then go to the right unwinder.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from tempfile import TemporaryFile
from typing import Any

from tests.static_analysis.oracle import build
from tests.static_analysis.oracle.allowed import forbidden
from tests.static_analysis.oracle.calls import NotInstrumentedError
from tests.static_analysis.oracle.instrument import instrument

_EVENTS = 300_000  # hooks that one run may call
_CPU_SECONDS, _WALL_SECONDS, _COMPILE_SECONDS = 2, 5, 60
_ADDRESS_SPACE = 4 << 30
# Library functions that the runtime has its own of, in process.c.
_OURS = {
    symbol: ours
    for ours, symbols in (
        ("malloc", "malloc"),
        ("calloc", "calloc"),
        ("realloc", "realloc"),
        ("free", "free _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm"),
        ("free", "_ZdlPvSt11align_val_t _ZdaPvSt11align_val_t"),
        ("free", "_ZdlPvmSt11align_val_t _ZdaPvmSt11align_val_t"),
        ("new", "_Znwm _Znam"),
        ("new_aligned", "_ZnwmSt11align_val_t _ZnamSt11align_val_t"),
        ("exit", "exit _exit _Exit quick_exit"),
    )
    for symbol in symbols.split()
}


def serve(cxx: bool) -> None:
    """Answer requests until there are none; ``cxx`` says whether to load the C++ library."""
    runtime = ctypes.CDLL(str(build.runtime()), mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(build.cxx_library()), mode=ctypes.RTLD_GLOBAL) if cxx else None
    llvm = _prepare_llvm(runtime, library)
    # After the libraries but before the first fork: each child would else load it again.
    import_module("tests.static_analysis.oracle.lowering")
    for line in sys.stdin:
        request = json.loads(line)
        answer = _in_child(partial(_answer, llvm, runtime, request), _COMPILE_SECONDS)
        print(answer or json.dumps({"skip": "compiler crash or time limit"}), flush=True)


def _prepare_llvm(runtime: ctypes.CDLL, library: ctypes.CDLL | None) -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for symbol, ours in _OURS.items():
        llvm.add_symbol(symbol, _address(getattr(runtime, f"oracle_{ours}")))
    if library is not None:
        runtime.oracle_unwinder(library.cxx_register_frames)
        llvm.add_symbol("_Unwind_Resume", _address(library.cxx_unwind_resume))
    return llvm


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _in_child(work: Callable[[], str], seconds: int) -> str:
    """Return what ``work`` gives in a forked process, or "" if that dies."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(2 * seconds)
        # Soft limits: the compiler that is started from here has its own, which may be higher.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, resource.RLIM_INFINITY))
        with os.fdopen(writing, "w") as answer:
            answer.write(work())
            answer.flush()
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        said = answer.read()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else ""


def _answer(llvm: Any, runtime: ctypes.CDLL, request: dict[str, Any]) -> str:
    """Lower what is asked for, make its views and run them."""
    from tests.static_analysis.oracle.lowering import NotLoweredError, view_texts

    found: dict[str, dict[str, Any]] = {}
    try:
        for view, text in view_texts(request):
            same = [name for name, done in found.items() if done.get("ir") == text]
            found[view] = {"same_as": same[0]} if same else {"ir": text}
            if not same:
                found[view] |= _runs(llvm, runtime, text, request["inputs"])
    except NotLoweredError as error:
        return json.dumps({"skip": str(error)})
    return json.dumps({"views": found})


def _runs(llvm: Any, runtime: ctypes.CDLL, ir: str, inputs: list[str]) -> dict[str, Any]:
    wrong = forbidden(ir)
    if wrong:
        return {"skip": f"calls {wrong}"}
    try:
        engine = _compiled(llvm, instrument(ir))
    except NotInstrumentedError as error:
        return {"skip": f"not followed: {error}"}
    except RuntimeError:
        return {"skip": "not compiled"}
    if not engine.get_function_address("main"):
        return {"skip": "no main"}
    return {"runs": [_run(engine, runtime, text) for text in inputs]}


def _compiled(llvm: Any, text: str) -> Any:
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _run(engine: Any, runtime: ctypes.CDLL, text: str) -> dict[str, str]:
    """Run ``main`` in a process of its own with a text as its standard input."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _confine(text)
        _run_here(engine, runtime, writing)
    os.close(writing)
    with os.fdopen(reading) as record:
        end, _, records = record.read().partition("\n")
    os.waitpid(child, 0)
    if not records.endswith("end\n"):
        return {"end": "killed", "records": ""}
    return {"end": end, "records": records[: -len("end\n")]}


def _confine(text: str) -> None:
    """Give this process its input and take away what a small program does not need."""
    with TemporaryFile("w") as input_file:
        input_file.write(text)
        input_file.flush()
        os.lseek(input_file.fileno(), 0, os.SEEK_SET)
        os.dup2(input_file.fileno(), 0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(_WALL_SECONDS)


def _run_here(engine: Any, runtime: ctypes.CDLL, record: int) -> None:
    main_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    arguments = (ctypes.c_char_p * 2)(b"program", None)
    environment = (ctypes.c_char_p * 1)(None)
    main = main_type(engine.get_function_address("main"))
    globals_ = ctypes.CFUNCTYPE(None)(engine.get_function_address("oracle_globals"))
    runtime.oracle_budget(ctypes.c_uint64(_EVENTS))
    runtime.oracle_begin(record)
    globals_()
    engine.run_static_constructors()
    main(1, ctypes.addressof(arguments), ctypes.addressof(environment))
    runtime.oracle_finish()


if __name__ == "__main__":
    serve(cxx="--cxx" in sys.argv)
