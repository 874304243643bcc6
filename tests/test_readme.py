"""README keeps its word: its code runs, its table is the command line, its links lead somewhere."""

import re
from pathlib import Path

import pytest

from oscar.cli import VERBS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "examples" / "README.md"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_in_readme_runs(tmp_path, monkeypatch, model_folder, capsys):
    (tmp_path / "oscar-demo").mkdir()
    (tmp_path / "oscar-demo" / "run").symlink_to(model_folder)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert "gcd" in capsys.readouterr().out


def test_the_table_of_verbs_is_the_command_line():
    assert set(re.findall(r"^\| `oscar (\w+)", README, re.MULTILINE)) == {
        words.split()[0] for words in VERBS
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    targets = re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
