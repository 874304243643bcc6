import json
import math
import re
from html.parser import HTMLParser

import pytest

from pretrain.report.report import FILE, write_report

LINES = [
    {
        "step": step,
        "loss": 9 / step,
        "mlm_instruction": 6 / step,
        "mlm_environment": math.nan,
        "learning_rate": 0.001,
        "tokens_per_second": 40.0 + step,
    }
    for step in range(10, 101, 10)
]
LINES[4] |= {"validation/mlm_instruction": 0.7, "validation/mrr": 0.25}
LINES[9] |= {"validation/mlm_instruction": 0.5, "validation/mrr": 0.75}
LINES[9] |= {"validation/accuracy_memory": 0.875}


class Reader(HTMLParser):
    """Collects headings, cells, and what a browser would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.headings, self.rows, self.fetched, self._open = [], [], [], ""

    def handle_starttag(self, tag, attributes):
        self._open = tag
        if tag == "tr":
            self.rows.append([])
        self.fetched += [value for name, value in attributes if name in ("src", "href")]
        self.fetched += [tag] if tag in ("script", "link", "img", "iframe") else []

    def handle_data(self, data):
        if self._open == "h2":
            self.headings.append(data)
        if self._open == "td":
            self.rows[-1].append(data)

    def handle_endtag(self, tag):
        self._open = ""


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "a <run> & more"
    folder.mkdir()
    (folder / "training.json").write_text(json.dumps({"steps": 100, "corpus": "<b>"}))
    return folder


def read(run):
    page, reader = (run / FILE).read_text(), Reader()
    reader.feed(page)
    return page, reader


def test_curves_and_tables_of_what_was_logged(run):
    (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    write_report(run)
    page, reader = read(run)
    titles = ("Losses", "Hidden tokens", "Finding", "Throughput", "Learning", "Options", "Computed")
    assert [any(found.startswith(title) for found in reader.headings) for title in titles]
    assert page.count("<svg") == 5
    assert "Step 100 of 100." in page
    assert ["mlm instruction", "0.6", "0.06", "0.06"] in reader.rows
    assert ["held out: mlm instruction", "0.7", "0.5", "0.5"] in reader.rows
    assert ["mrr", "0.25", "0.75", "0.75"] in reader.rows
    assert ["memory", "0.875", "0.875", "0.875"] in reader.rows
    assert not any("mlm environment" in row for row in reader.rows)
    assert ["steps", "100"] in reader.rows


def test_it_opens_without_a_network_and_names_are_text(run):
    (run / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    write_report(run)
    page, reader = read(run)
    assert all(target.startswith("#") for target in reader.fetched)
    assert not re.search(r"@import|url\((?!#)", page)
    assert "<run>" not in page
    assert "a &lt;run&gt; &amp; more" in page
    assert len(page) < 200_000


def test_a_run_that_has_just_begun_gets_a_page(tmp_path):
    write_report(tmp_path)
    page, reader = read(tmp_path)
    assert "Nothing is logged yet." in page
    assert "<svg" not in page
    assert "Computed with" in reader.headings
