"""Imports point down only: the house stands on its own floors."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from oscar.cli import VERBS

ROOT = Path(__file__).resolve().parents[1]
FLOORS = {"static_analysis": 1, "ir_pipeline": 2, "oscar": 3, "pretrain": 4, "finetune": 5}
ROOMS = {  # downstream last
    "static_analysis": ("reading", "words", "flow", "memory", "encoding"),
    "pretrain": ("data", "engine", "objective", "training", "report", "run"),
    "ir_pipeline": (
        *("sources", "fragments", "lowering", "views", "rows", "engine", "corpus", "commands"),
    ),
}
MODULES = sorted(path for package in FLOORS for path in (ROOT / package).rglob("*.py"))
HEAVY = ("torch", "llvmlite", "datasets", "deepspeed", "pyarrow", "sklearn")


def imports(path: Path) -> set[str]:
    """Top-level names of everything a module imports, also inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def loaded_by(code: str) -> list[str]:
    """The heavy libraries that a fresh interpreter holds after running some code."""
    code += f"; import sys; print(*(m for m in {HEAVY} if m in sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return out.stdout.split()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_imports_a_higher_floor(path):
    floor = FLOORS[path.relative_to(ROOT).parts[0]]
    assert [name for name in imports(path) if FLOORS.get(name, 0) > floor] == []


@pytest.mark.parametrize(
    ("package", "room"), [(package, room) for package, rooms in ROOMS.items() for room in rooms]
)
def test_no_room_looks_downstream(package, room):
    later = ROOMS[package][ROOMS[package].index(room) + 1 :]
    doors = tuple(f"from {package}.{name}" for name in (*later, "analysis", "functions"))
    for path in (ROOT / package / room).glob("*.py"):
        lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
        assert [line for line in lines if line.startswith(doors)] == [], path


def test_only_the_pipeline_touches_llvm():
    users = {path.relative_to(ROOT).parts[0] for path in MODULES if "llvmlite" in imports(path)}
    assert users == {"ir_pipeline"}


def test_the_ground_floor_needs_no_heavy_library():
    assert loaded_by("import static_analysis") == []


def test_the_front_door_opens_no_room_before_it_is_asked_for():
    assert loaded_by("import oscar.cli; oscar.cli.build_app()") == []


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_help_page_with_an_example(verb, capsys):
    from oscar.cli import run

    assert run([*verb.split(), "--help"]) == 0
    assert f"oscar {verb}" in capsys.readouterr().out.split("Example", 1)[1]
