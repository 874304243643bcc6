"""The Python shown in the documents of this package runs as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = [
    pytest.param(block, id=f"{name}-{number}")
    for name in ("attention.md", "model.md")
    for number, block in enumerate(
        re.findall(r"```python\n(.*?)```", (ROOT / "docs" / name).read_text("utf-8"), re.DOTALL)
    )
]


@pytest.mark.parametrize("block", BLOCKS[:-1])
def test_shown_code_runs(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    exec(compile(block, "document", "exec"), {"__name__": "document"})


def test_preset_sizes_in_the_document_are_those_printed(capsys):
    document = (ROOT / "docs" / "model.md").read_text("utf-8")
    exec(BLOCKS[-1].values[0], {})
    for line in capsys.readouterr().out.splitlines():
        name, weights = line.split()
        assert re.search(rf"\| `{name}` \|.*\| {weights} \|", document)
