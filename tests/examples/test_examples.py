"""The example corpus is complete, and all implementations of a task give its known answers."""

import re
import subprocess
from pathlib import Path

import pytest
import ziglang

EXAMPLES = Path(__file__).parents[2] / "examples"
DRIVERS = Path(__file__).parent / "drivers"
ZIG = Path(ziglang.__file__).parent / "zig"

TASKS = sorted(folder.name for folder in EXAMPLES.iterdir() if folder.is_dir())
VARIANTS = sorted(path for task in TASKS for path in (EXAMPLES / task).iterdir())
SOURCES = VARIANTS + sorted(DRIVERS.iterdir())

# Zig builds its C++ library on first use, which takes minutes on a small machine.
COMPILE_SECONDS = 600
RUN_SECONDS = 20


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def test_there_are_about_forty_tasks():
    assert 38 <= len(TASKS) <= 45


def test_readme_lists_every_task():
    rows = [line for line in (EXAMPLES / "README.md").read_text().splitlines() if line[:1] == "|"]
    assert sorted(re.findall(r"`(\w+)`", "\n".join(rows))) == TASKS


def test_every_task_has_a_driver():
    assert sorted(path.name for path in DRIVERS.iterdir()) == [f"{task}.c" for task in TASKS]


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_at_least_three_variants(task):
    variants = list((EXAMPLES / task).iterdir())
    assert len(variants) >= 3
    assert {path.suffix for path in variants} <= {".c", ".cpp"}


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_every_file_names_its_licence(path):
    assert path.read_text().startswith("// SPDX-License-Identifier: Apache-2.0\n")


@pytest.mark.parametrize("path", VARIANTS, ids=_name)
def test_every_variant_exports_its_task(path):
    linkage = 'extern "C" ' if path.suffix == ".cpp" else "(?!static)"
    definition = re.compile(rf"^{linkage}[\w ]+[ *]{path.parent.name}\([^;{{]*\) {{$", re.MULTILINE)
    assert len(definition.findall(path.read_text())) == 1


@pytest.mark.slow
@pytest.mark.parametrize("path", VARIANTS, ids=_name)
def test_every_variant_gives_the_known_answers(path, tmp_path):
    program = tmp_path / "program"
    compiler = "c++" if path.suffix == ".cpp" else "cc"
    strict = ["-O1", "-Wall", "-Wextra", "-Werror"]
    sanitizer = ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
    driver = DRIVERS / f"{path.parent.name}.c"
    _run([ZIG, compiler, *strict, *sanitizer, path, driver, "-o", program], COMPILE_SECONDS)
    _run([program], RUN_SECONDS)


def _run(command: list[str | Path], seconds: int) -> None:
    result = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
