from dataclasses import replace

import pytest

from ir_pipeline.errors import LoweringError
from ir_pipeline.sources.missing_header import explained
from ir_pipeline.sources.units import file_unit


def error(said):
    return LoweringError(said, stage="compile", reason="compile error")


@pytest.fixture
def unit(tmp_path):
    (tmp_path / "a.c").touch()
    return replace(file_unit(tmp_path / "a.c", tmp_path, "p"), whole_root=True)


@pytest.fixture
def missing(unit):
    """What is said of a header that is not there."""

    def explain(header):
        found = explained(error(f"./a.c:1:10: fatal error: '{header}' file not found"), unit)
        assert (found.stage, found.reason) == ("compile", "missing header")
        assert f"'{header}' file not found" in str(found)
        return str(found)

    return explain


@pytest.mark.parametrize("name", ["config.h", "lib/pnglibconf.h", "my_version.h"])
def test_a_header_of_the_configuration_is_explained(missing, name):
    assert "may make it: configure it and record its build" in missing(name)
    assert "oscar preprocess --record" in missing(name)


def test_the_template_of_a_header_is_named(missing, unit):
    (unit.root / "cmake").mkdir()
    (unit.root / "cmake/settings.h.in").touch()
    assert "makes it from cmake/settings.h.in" in missing("lib/settings.h")


def test_a_foreign_header_is_named_as_such(missing):
    assert "neither in the project nor" in missing("windows.h")


def test_who_names_a_single_file_is_told_to_name_the_project(unit):
    alone = replace(unit, whole_root=False)
    found = explained(error("a.c:1:1: fatal error: '../x.h' file not found"), alone)
    assert "name the project's folder instead" in str(found)


def test_other_errors_stay_as_they_are(unit):
    other = error("expected ';'")
    assert explained(other, unit) is other
