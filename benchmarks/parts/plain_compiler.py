"""What a program costs without OSCAR's front end: the compiler's driver, once a file."""

import os
import resource
import subprocess

from ir_pipeline.lowering.frontend import Frontend
from ir_pipeline.lowering.precompiled import SHIM


def plain_seconds(frontend: Frontend, code: str) -> float:
    """What the driver takes for a program, repaired if need be, without a precompiled header."""
    _, attempt = frontend.compile_fragment(code)
    command = frontend.toolchain.command(attempt.language, "O0")
    name = f"plain.{'cpp' if attempt.language == 'c++' else 'c'}"
    (frontend.scratch / name).write_bytes(attempt.text)
    flags = (f"-std={attempt.std}", "-isystem", str(SHIM), "-S", "-emit-llvm", name, "-o", "x.ll")
    # zig would find the result of an earlier run in its cache.
    caches = {f"ZIG_{kind}_CACHE_DIR": str(frontend.scratch) for kind in ("GLOBAL", "LOCAL")}
    environment = {**os.environ, **caches}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [*command, *flags],
        check=True,
        cwd=frontend.scratch,
        env=environment,
        capture_output=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
