from dataclasses import replace

import pyarrow as pa

from ir_pipeline.rows.row import COLUMNS, FunctionView, row_schema, to_table

ROW = FunctionView(
    project="p",
    unit="a.c",
    function="f",
    group="0",
    view="O0",
    label=None,
    language="c",
    standard="gnu17",
    license=None,
    n_instructions=1,
    instructions=["ret void"],
    tokens=[["ret", "void"]],
    environment=[["return"]],
    own_positions=[0],
    true_positions=[-1],
    false_positions=[-1],
    source="void f(void) {}",
    doc=None,
    hash="00",
    structure="0",
    repairs=[],
)


def test_the_columns_are_the_contracts():
    assert COLUMNS == (
        "project",
        "unit",
        "function",
        "group",
        "view",
        "label",
        "language",
        "standard",
        "license",
        "n_instructions",
        "instructions",
        "tokens",
        "environment",
        "own_positions",
        "true_positions",
        "false_positions",
        "source",
        "doc",
        "hash",
        "structure",
        "repairs",
    )
    assert row_schema().field("tokens").type == pa.list_(pa.list_(pa.string()))
    assert row_schema().field("true_positions").type == pa.list_(pa.int32())


def test_rows_survive_as_a_table():
    rows = [ROW, replace(ROW, label="7", tokens=[[]], environment=[["é", '"']])]
    assert [FunctionView(**row) for row in to_table(rows).to_pylist()] == rows
    assert to_table([]).schema == row_schema()


def test_many_rows_are_in_pieces():
    table = to_table([replace(ROW, unit=str(i)) for i in range(600)])
    assert table["unit"].to_pylist() == [str(i) for i in range(600)]
    assert [len(piece) for piece in table["tokens"].chunks] == [256, 256, 88]
