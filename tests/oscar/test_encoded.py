from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oscar.encoded import EncodedFunction, Entries, streams
from static_analysis.errors import OscarError


def test_a_row_a_view_and_an_analysed_function_are_read_alike(rows):
    row = rows[0]
    view = SimpleNamespace(**row)
    columns = [row[f"{kind}_positions"] for kind in ("own", "true", "false")]
    analysed = SimpleNamespace(
        tokens=row["tokens"],
        environment=row["environment"],
        positions=list(zip(*columns, strict=True)),
    )
    assert streams(row) == streams(view) == streams(analysed)
    assert streams(row)[2] == analysed.positions


def test_a_function_without_instructions_has_empty_streams():
    empty = SimpleNamespace(tokens=[], environment=[], positions=[])
    assert streams(empty) == ([], [], [])


def test_streams_out_of_step_are_refused(rows):
    row = {**rows[0], "environment": rows[0]["environment"][:-1]}
    with pytest.raises(OscarError, match=r"different lengths \[11, 12\]: build its corpus again"):
        streams(row)


@given(lists=st.lists(st.lists(st.integers(0, 9), max_size=4), max_size=6))
def test_flat_entries_hold_the_lists(lists):
    entries = Entries.of(lists)
    assert entries.lists() == lists
    assert len(entries) == len(lists)
    assert entries == Entries.of(lists)
    assert entries != Entries.of([*lists, [1]])


def test_size_is_the_number_of_tokens_of_both_streams():
    function = EncodedFunction.of([[1, 2], [3]], [[4], [5, 6]], [(0, 1, 1), (1, -1, -1)])
    assert (function.size, len(function)) == (6, 2)
    assert function != EncodedFunction.of([[1, 2], [3]], [[4], [5, 6]], [(0, 1, 1), (1, -1, 1)])
