import json

import pytest

from oscar.cli import run


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Two problems, ten programs each: enough for three parts."""
    lines = []
    for i in range(10):
        loop = f"int main(){{int n,s={i};cin>>n;for(int i=0;i<n;i++)s+=i;cout<<s;}}"
        branch = f"int main(){{int a,b;cin>>a>>b;if(a>b+{i})cout<<a;else cout<<b;}}"
        for label, code in (("sum", loop), ("max", branch)):
            lines.append(json.dumps({"label": label, "file": f"{label}/{i}.cpp", "code": code}))
    path = tmp_path_factory.mktemp("classes") / "programs.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_classes_are_probed_for_baselines_and_models(many, model_folder, tmp_path, capsys):
    out = tmp_path / "results"
    words = ["evaluate", "classification", str(many), "--out", str(out)]
    assert run([*words, "--model", str(model_folder), "--views", "O0"]) == 0
    printed = capsys.readouterr().out
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["facts"]["judged"] == 4
    assert metrics["results"]["opcode histogram"]["error"] == 0
    assert {"OSCAR, untrained", str(model_folder)} < set(metrics["results"])
    assert "macro F1" in printed
