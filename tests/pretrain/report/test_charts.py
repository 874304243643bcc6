import re
from xml.etree import ElementTree

from pretrain.report.charts import Curve, draw


def paths(svg: str) -> list[str]:
    """The data lines: paths drawn inside the axes' clip that are not of the grid."""
    return re.findall(r'<path d="([^"]+)" clip-path[^>]+stroke-width: 1\.4', svg)


def test_a_chart_is_one_element_with_a_name_for_each_curve():
    curves = {
        "here & there": Curve([1, 2, 3], [3.0, 2.0, 1.0], "a"),
        "held out": Curve([2], [2.5], "a", dashed=True),
    }
    svg = draw(curves, "loss")
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    text = "".join(root.itertext())
    for word in ("here & there", "held out", "loss", "step"):
        assert word in text
    assert svg == draw(curves, "loss")


def test_nothing_is_fetched():
    svg = draw({"a": Curve([1, 2], [0, 1], "a")}, "share", top=1)
    links = set(re.findall(r'https?://[^"\s)]+', svg))
    assert links <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_a_long_run_is_thinned_out_to_means():
    steps = list(range(30_000))
    curves = {
        "jagged": Curve(steps, [step % 2 for step in steps], "a"),
        "waves": Curve(steps, [step % 700 / 700 for step in steps], "b"),
    }
    svg = draw(curves, "loss")
    jagged, waves = paths(svg)
    assert len(set(re.findall(r"[ML] \S+ (\S+)", jagged))) == 1
    assert 50 < waves.count("L") < 300
    assert len(svg) < 40_000
