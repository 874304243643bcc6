import platform

import torch

from pretrain.report.environment import environment


def test_versions_and_machine_are_told():
    facts = environment()
    assert facts["python"] == platform.python_version()
    assert facts["torch"] == torch.__version__
    assert facts["memory"].endswith(" GiB")
    assert int(facts["cores"].split(",")[0]) >= 1
    assert platform.node() not in facts.values()
