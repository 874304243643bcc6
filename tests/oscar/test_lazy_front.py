import subprocess
import sys

import pytest

import oscar


def test_the_command_line_does_not_wait_for_torch():
    code = "import oscar, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_front_holds_what_it_names():
    assert oscar.OscarConfig.preset("tiny").hidden_size == 128
    with pytest.raises(AttributeError, match="no attribute 'OscarModle'"):
        _ = oscar.OscarModle
