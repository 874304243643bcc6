import pytest

from benchmarks.parts.unit_stages import STAGES, stage_seconds
from ir_pipeline import open_corpus


@pytest.mark.slow
def test_each_stage_has_its_time_and_the_corpus_is_made(tmp_path):
    (tmp_path / "a.c").write_text("int f(int x) { return x ? x * 2 : 7; }\n")
    spent = stage_seconds([tmp_path / "a.c"], tmp_path / "corpus", views=4)
    assert tuple(spent) == STAGES
    assert all(spent[stage] > 0 for stage in ("lower", "views", "analyse", "rows", "write"))
    assert open_corpus(tmp_path / "corpus").manifest["options"]["views"] == ["O0", "O1", "O2", "O3"]
