from types import SimpleNamespace

import pytest

from oscar.encoded import streams
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
