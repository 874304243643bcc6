from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_pipeline.corpus.parting import Rule, part_items
from static_analysis import OscarError

THREE = (80.0, 10.0, 10.0)


class Rows:
    """A corpus of rows with the columns that parting reads."""

    path = Path("corpus")

    def __init__(self, rows):
        self.rows = rows

    def batches(self, columns=None):
        schema = pa.schema([(name, pa.string()) for name in columns])
        for at in range(0, len(self.rows), 3):
            some = [{name: row[name] for name in columns} for row in self.rows[at : at + 3]]
            yield pa.RecordBatch.from_pylist(some, schema=schema)


def rows_of(functions):
    """Rows, two views a function, of (project, unit, label, structure, hash)."""
    ordered = sorted(functions, key=lambda f: f[:2])
    labels = {(p, u): label for p, u, label, *_ in ordered}
    return [
        {"project": p, "unit": u, "label": labels[p, u], "group": str(i), "structure": s, "hash": h}
        for i, (p, u, _, s, h) in enumerate(ordered)
        for _ in ("O0", "O2")
    ]


corpora = st.builds(
    rows_of,
    st.lists(
        st.tuples(
            st.sampled_from(["p", "q", "r", "s"]),
            st.sampled_from(["a.c", "b.c", "c.c"]),
            st.sampled_from(["1", "2", "3"]),
            st.sampled_from(["x", "y", "z", "w"]),
            st.sampled_from(["xx", "yy", "zz", "ww"]),
        ),
        max_size=30,
    ),
)
rules = st.builds(
    Rule,
    st.sampled_from(["project", "unit", "label"]),
    st.sampled_from([THREE, (1.0, 1.0, 1.0), (50.0, 50.0)]),
    st.integers(0, 5),
    st.booleans(),
)
unlabelled = st.booleans()


@given(corpora, rules, unlabelled)
def test_no_group_and_nothing_it_is_parted_by_is_ever_in_two_parts(rows, rule, bare):
    if bare and rule.by != "label":
        rows = [{**row, "label": None} for row in rows]
    parting = part_items(Rows(rows), rule)
    kept = [(rule.part(row), row) for row in rows if row["group"] not in parting.left_out]
    keys = {"project": ("project",), "unit": ("project", "unit"), "label": ("label",)}[rule.by]
    for columns in (("group",), ("project", "unit"), keys):
        parts = {(tuple(row[name] for name in columns), part) for part, row in kept}
        assert len({value for value, _ in parts}) == len(parts)
    if rule.without_clones:
        for column in ("structure", "hash"):
            parts = {(value, part) for part, value in _values(kept, column)}
            assert len({value for value, _ in parts}) == len(parts)
    else:
        assert not parting.left_out
    groups = {(row["group"], part) for part, row in kept}
    assert Counter(part for _, part in groups) == +parting.functions
    units = {(row["project"], row["unit"], part) for part, row in kept}
    assert Counter(part for *_, part in units) == +parting.units


def _values(kept, column):
    """(part, value) of functions, or of whole programs where they are labelled."""
    programs = {}
    for part, row in kept:
        unit = (row["project"], row["unit"])
        if row["label"] is None:
            yield part, row[column]
        else:
            programs.setdefault((part, unit), {})[row["group"]] = row[column]
    yield from ((part, tuple(groups.values())) for (part, _), groups in programs.items())


@given(corpora, corpora, rules)
def test_what_is_added_moves_nothing(rows, more, rule):
    before = {row["group"]: rule.part(row) for row in rows}
    part_items(Rows(rows + more), rule)
    assert {row["group"]: rule.part(row) for row in rows} == before


@given(corpora, rules)
def test_the_first_part_keeps_everything(rows, rule):
    parting = part_items(Rows(rows), rule)
    train = {row["group"] for row in rows if rule.part(row) == 0}
    assert not train & parting.left_out
    assert parting.clones[0] == 0


def test_shares_are_met_on_average_and_seeds_part_differently():
    units = [{"project": "p", "unit": f"{i}.c", "label": None} for i in range(4000)]
    found = [[Rule("unit", THREE, seed, False).part(unit) for unit in units] for seed in (0, 1)]
    for parts in found:
        shares = [parts.count(part) / len(parts) for part in range(3)]
        assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.02)
    assert found[0] != found[1]


def test_rules_that_are_none_are_refused():
    for by, fractions in (("file", THREE), ("unit", (1.0,)), ("unit", (1.0, -1.0))):
        with pytest.raises(OscarError, match=r"--by file: choose|--fractions: name two or three"):
            Rule(by, fractions, 0, False)
    with pytest.raises(OscarError, match=r"a\.c has no label: part by project or unit"):
        Rule("label", THREE, 0, False).part({"project": "p", "unit": "a.c", "label": None})
