"""`oscar inspect`, run on real code, at the widths people have."""

import io

import pytest
from rich.console import Console

from ir_pipeline import lower
from oscar.cli import run
from oscar.commands.flow_picture import flow_picture
from oscar.commands.inspect import SIDE_BY_SIDE, listing_table
from oscar.commands.listing import listing_of_function
from static_analysis import analyse

SOURCE = """
int first(const int *a, int n) {
  int i = 0;
  while (i < n) {
    if (a[i] < 0)
      break;
    i++;
  }
  return i;
}

int twice(int x) { return 2 * x; }
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("inspect") / "first.c"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def listing(file):
    function = analyse(lower(file))[0]
    return listing_of_function(function, "first.c", "O0")


def shown(capsys, *arguments):
    status = run(["inspect", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def printed(listing, tokens, width):
    console = Console(width=width, file=io.StringIO())
    console.print(listing_table(listing, tokens, width))
    return console.file.getvalue()


def test_blocks_are_headed_by_what_decides_about_them(capsys, file):
    status, out, _ = shown(capsys, f"{file}:first")
    assert status == 0
    assert "first · first.c · O0 · 25 instructions · 6 blocks" in out
    assert "twice" not in out
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in out.splitlines()]
    assert ["", "", "", "l1 ← l0 l4", "d1"] in rows
    assert ["", "", "", "l2 ← l1", "d1 when slt v5 v6"] in rows
    assert ["6", "", "", "br label %6", "goto l1"] in rows
    assert [
        "10",
        "11",
        "23",
        "br i1 %9, label %10, label %21",
        "if slt v5 v6 goto l2 else l5",
    ] in rows
    assert "v5 <- load v4 from m2 #0 m3 v15" in out


def test_without_a_function_all_are_shown(capsys, file):
    _, out, _ = shown(capsys, file, "--tokens")
    assert "first · " in out
    assert "twice · " in out
    assert "v5 = load i32 , ptr v4" in out


def test_the_originals_encoding(capsys, file):
    status, out, _ = shown(capsys, f"{file}:first", "--environment", "env-1", "--view", "O1")
    assert status == 0
    assert "O1 · env-1" in out
    assert "loop = 1" in out
    assert "twice" not in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--environment", "env-9"], "choose env-3 or env-1"),
        (["--environment", "env-1", "--view", "random-0"], "O0 to O3"),
        (["--view", "O7"], "O7"),
    ],
)
def test_what_cannot_be_shown_is_one_line(capsys, file, arguments, complaint):
    status, out, err = shown(capsys, file, *arguments)
    assert (status, out) == (1, "")
    assert len(err.strip().splitlines()) == 1
    assert complaint in err


def test_an_unknown_encoding_is_refused_before_anything_is_compiled(capsys, tmp_path):
    (tmp_path / "broken.c").write_text("int f(")
    _, _, err = shown(capsys, tmp_path / "broken.c", "--environment", "env-9")
    assert "choose env-3 or env-1" in err


def test_without_code_it_says_what_is_missing(capsys):
    status, _, err = shown(capsys, "--dot")
    assert status == 2
    assert "CODE requires an argument" in err


@pytest.mark.parametrize("tokens", [False, True])
@pytest.mark.parametrize("width", [60, 80, SIDE_BY_SIDE, 200])
def test_every_width_shows_all_of_it(listing, tokens, width):
    text = printed(listing, tokens, width)
    assert max(map(len, text.splitlines())) <= width
    running = " ".join(text.replace("│", " ").split())
    for effect in ("v5 <- load v4", "d1 unless slt v12 #0", "return v16", "l5 ← l1 l3"):
        assert effect in running
    assert len(text.splitlines()) < (50 if width >= SIDE_BY_SIDE else 90)


def test_the_picture_has_every_block_and_every_way(listing):
    lines = flow_picture(listing).splitlines()
    assert lines[0].startswith('digraph "first · first.c')
    assert lines[-1] == "}"
    assert sum(" [label=" in line and "->" not in line for line in lines) == 6
    edges = [line.strip() for line in lines if "->" in line]
    assert edges == [
        "l0 -> l1;",
        'l1 -> l2 [label="true", color=darkgreen];',
        'l1 -> l5 [label="false", color=firebrick];',
        'l2 -> l3 [label="true", color=darkgreen];',
        'l2 -> l4 [label="false", color=firebrick];',
        "l3 -> l5;",
        "l4 -> l1;",
    ]


def test_the_picture_is_printed_bare(capsys, file):
    status, out, _ = shown(capsys, f"{file}:first", "--dot")
    assert status == 0
    assert out.startswith("digraph")
    assert out.count("{") == out.count("}")
