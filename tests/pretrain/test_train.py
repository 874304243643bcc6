import json
import os
import re
import shutil
import signal
import threading
import time
from dataclasses import asdict, fields

import pytest
import torch

from ir_pipeline import build_corpus
from oscar import OscarModel, OscarTokenizer, cli
from pretrain.config import TrainingConfig, TrainingError
from pretrain.report.metrics import read_metrics
from pretrain.run.run_folder import RunFolder
from pretrain.train import train
from pretrain.training.checkpoint import read_state
from static_analysis import OscarError

STEPS = {
    "steps": 4,
    "batch_size": 2,
    "checkpoint_every": 2,
    "log_every": 1,
    "queue_size": 16,
    "workers": 0,
    "validation_share": 0.3,
    "validate_every": 4,
}


def trained(corpus, out, *, preset="tiny", model=None, resume="auto", **options) -> None:
    train(corpus, out, TrainingConfig(**options), preset=preset, model=model, resume=resume)


def losses(run) -> dict[int, float]:
    return {int(line["step"]): line["loss"] for line in read_metrics(run / "metrics.jsonl")}


def model_bytes(run) -> bytes:
    return (run / "model.safetensors").read_bytes()


@pytest.fixture(scope="module")
def run(corpus, tmp_path_factory):
    """A finished run of four steps."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    trained(corpus, folder, **STEPS)
    return folder


def test_a_run_is_a_model_folder_with_its_history(run, corpus):
    model = OscarModel.from_pretrained(run)
    assert model.config.hidden_size == 128
    assert sorted(path.name for path in run.iterdir()) == [
        "README.md",
        "best",
        "checkpoints",
        "config.json",
        "encoded",
        "environment_tokenizer.json",
        "instruction_tokenizer.json",
        "metrics.jsonl",
        "model.safetensors",
        "report.html",
        "tensorboard",
        "training.json",
        "training.lock",
    ]
    card = (run / "README.md").read_text()
    for fact in ("steps | 4 of 4", "different functions | 8", "instructions cut | 0"):
        assert f"| {fact} |" in card
    assert "| tokens cut | " in card
    options = json.loads((run / "training.json").read_text())
    assert options["preset"] == "tiny"
    assert options["batch_size"] == 2
    lines = read_metrics(run / "metrics.jsonl")
    assert [line["step"] for line in lines] == [1, 2, 3, 4]
    assert {"mlm_instruction", "contrast", "learning_rate", "skipped"} <= lines[0].keys()
    assert {"instructions_per_second", "tokens_per_second", "padding_share"} <= lines[0].keys()
    assert "validation/loss" in lines[3]
    assert "validation/loss" not in lines[0]
    times = [line["seconds"] for line in lines]
    assert times == sorted(times)


def test_the_best_model_is_a_model_folder_too(run):
    best = OscarModel.from_pretrained(run / "best").state_dict()
    last = OscarModel.from_pretrained(run).state_dict()
    assert (run / "checkpoints" / "best").read_text() == "step-00000004\n"
    assert all(torch.equal(best[name], last[name]) for name in last)


def test_a_field_of_the_model_is_changed_and_cannot_change_any_more(corpus, tmp_path):
    out = tmp_path / "run"
    trained(corpus, out, model={"pce": False}, **{**STEPS, "steps": 1})
    assert not OscarModel.from_pretrained(out).config.pce
    with pytest.raises(TrainingError, match=r"another model: \{'pce': False\}, now \{\}"):
        trained(corpus, out, **STEPS)
    with pytest.raises(OscarError, match="unknown config field sides"):
        trained(corpus, tmp_path / "new", model={"sides": 3}, **STEPS)
    assert not (tmp_path / "new").exists()


def test_a_finished_run_says_so_and_is_left_alone(run, corpus, capsys):
    before = (run / "model.safetensors").stat().st_mtime_ns
    trained(corpus, run, **STEPS)
    assert "is finished" in capsys.readouterr().out.replace("\n", " ")
    assert (run / "model.safetensors").stat().st_mtime_ns == before


@pytest.mark.parametrize(
    "missing", ["model.safetensors", "config.json", "README.md", "instruction_tokenizer.json"]
)
def test_a_finished_run_without_its_model_writes_it_again(run, corpus, tmp_path, missing):
    out = tmp_path / "run"
    shutil.copytree(run, out)
    (out / missing).unlink()
    trained(corpus, out, **STEPS)
    assert (out / missing).read_bytes() == (run / missing).read_bytes()
    assert losses(out) == losses(run)


@pytest.mark.slow
def test_no_checkpoint_stands_without_its_model(run, corpus, tmp_path, monkeypatch):
    out = tmp_path / "run"
    write = OscarModel.save_pretrained

    def killed_at_the_end(model, path, tokenizer, *, training):
        if training["steps"] == "4 of 4":
            raise KeyboardInterrupt
        write(model, path, tokenizer, training=training)

    monkeypatch.setattr(OscarModel, "save_pretrained", killed_at_the_end)
    with pytest.raises(KeyboardInterrupt):
        trained(corpus, out, **STEPS)
    assert (out / "checkpoints" / "latest").read_text() == "step-00000002\n"
    monkeypatch.undo()
    trained(corpus, out, **STEPS)
    assert model_bytes(out) == model_bytes(run)


@pytest.mark.slow
def test_going_back_to_a_checkpoint_with_no_step_left_gives_its_model(run, corpus, tmp_path):
    out = tmp_path / "run"
    shutil.copytree(run, out)
    two = {**STEPS, "steps": 2}
    trained(corpus, out, resume=str(out / "checkpoints" / "step-00000002"), **two)
    assert "| steps | 2 of 2 |" in (out / "README.md").read_text()
    assert model_bytes(out) != model_bytes(run)
    assert not (out / "checkpoints" / "step-00000004").exists()


@pytest.mark.parametrize(
    ("change", "name"), [({"preset": "small"}, "preset: tiny, now small"), ({"seed": 1}, "seed")]
)
def test_another_run_in_the_same_folder_is_refused(run, corpus, change, name):
    with pytest.raises(TrainingError, match=f"holds a run with another {name}"):
        trained(corpus, run, **{**STEPS, **change})


def test_another_corpus_in_the_same_folder_is_refused(run, project, tmp_path):
    other = tmp_path / "corpus"
    build_corpus([project / "sum.c"], other, views=["O0"], workers=1)
    with pytest.raises(TrainingError, match="holds a run with another corpus"):
        trained(other, run, **{**STEPS, "validation_share": 0.0})


def test_a_checkpoint_of_another_folder_is_refused(run, corpus, tmp_path):
    for out, name in ((run, "checkpoints"), (run, "checkpoints/step-9"), (tmp_path / "new", "x")):
        with pytest.raises(TrainingError, match="is no checkpoint of"):
            trained(corpus, out, resume=str(out / name), **STEPS)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("options", [{"preset": "huge"}, {"steps": 0}, {"precision": "fp16"}])
def test_bad_options_leave_no_folder(corpus, tmp_path, options):
    with pytest.raises(OscarError):
        trained(corpus, tmp_path / "run", **{**STEPS, **options})
    assert not (tmp_path / "run").exists()


def test_stopped_by_the_clock_and_resumed_is_uninterrupted(run, corpus, tmp_path):
    out = tmp_path / "run"
    for _ in range(4):
        trained(corpus, out, minutes=1e-9, **STEPS)
    assert losses(out) == losses(run)


@pytest.mark.slow
def test_resuming_from_an_older_checkpoint_repeats_the_same_losses(run, corpus, tmp_path):
    out = tmp_path / "run"
    trained(corpus, out, **STEPS)
    trained(corpus, out, resume=str(out / "checkpoints" / "step-00000002"), **STEPS)
    assert losses(out) == losses(run)


@pytest.mark.slow
def test_starting_over_repeats_the_same_losses(run, corpus, tmp_path):
    out = tmp_path / "run"
    trained(corpus, out, **{**STEPS, "learning_rate": 1e-2})
    assert losses(out) != losses(run)
    trained(corpus, out, resume="none", **STEPS)
    assert losses(out) == losses(run)


@pytest.mark.slow
def test_starting_over_forgets_the_old_run_before_its_tokenizers(
    run, corpus, tmp_path, monkeypatch
):
    out = tmp_path / "run"
    shutil.copytree(run, out)

    def killed(tokenizer, folder):
        raise KeyboardInterrupt

    monkeypatch.setattr(OscarTokenizer, "save", killed)
    with pytest.raises(KeyboardInterrupt):
        trained(corpus, out, resume="none", **{**STEPS, "seed": 1})
    assert RunFolder(out, 1).checkpoint_to_resume("auto") is None
    assert not (out / "model.safetensors").exists()
    monkeypatch.undo()
    trained(corpus, out, **{**STEPS, "seed": 1})
    assert max(losses(out)) == 4
    assert losses(out) != losses(run)


def test_a_checkpoint_with_other_tokenizers_is_refused(run, corpus, project, tmp_path):
    out, other = tmp_path / "run", tmp_path / "corpus"
    shutil.copytree(run, out)
    build_corpus([project / "sum.c"], other, views=["O0"], workers=1)
    OscarTokenizer.train(other).save(out)
    with pytest.raises(TrainingError, match=r"the checkpoint knows vocabulary \w{12}, the run's"):
        trained(corpus, out, **{**STEPS, "steps": 5})
    assert model_bytes(out) == model_bytes(run)


def test_a_corpus_too_small_to_contrast_leaves_no_folder_and_spoils_no_run(run, corpus, tmp_path):
    out = tmp_path / "run"
    for resume in ("auto", "none"):
        with pytest.raises(TrainingError, match="needs at least two"):
            trained(corpus, out, resume=resume, **{**STEPS, "min_instructions": 400})
    assert not out.exists()
    shutil.copytree(run, out)
    with pytest.raises(TrainingError, match="needs at least two"):
        trained(corpus, out, resume="none", **{**STEPS, "min_instructions": 400})
    assert model_bytes(out) == model_bytes(run)


@pytest.mark.slow
def test_a_run_that_ends_on_skipped_steps_is_saved_and_gives_up_where_a_whole_one_would(
    corpus, tmp_path
):
    out = tmp_path / "run"
    bad = {**STEPS, "learning_rate": 1e37, "checkpoint_every": 100}
    trained(corpus, out, **bad)
    state = read_state(RunFolder(out, 1).checkpoint_to_resume("auto"))
    assert (state.step, state.skipped, state.broken) == (4, 3, 3)
    assert list(losses(out)) == [1]
    OscarModel.from_pretrained(out)
    with pytest.raises(TrainingError, match=r"5 steps in a row up to step 6, whose batch is in"):
        trained(corpus, out, **{**bad, "steps": 9})
    assert (out / "broken" / "step-00000006-rank-0.safetensors").is_file()


def test_a_folder_of_something_else_is_left_as_it_is(corpus, tmp_path):
    (tmp_path / "README.md").write_text("mine")
    for out in (tmp_path, tmp_path / "README.md"):
        for resume in ("auto", "none"):
            with pytest.raises(TrainingError, match="is no run"):
                trained(corpus, out, resume=resume, **STEPS)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "mine"


def test_an_empty_folder_or_one_left_before_the_first_file_is_taken(world, corpus, tmp_path):
    with RunFolder(tmp_path, 1).locked(world):
        assert [path.name for path in tmp_path.iterdir()] == ["training.lock"]
    trained(corpus, tmp_path, **{**STEPS, "steps": 1})
    OscarModel.from_pretrained(tmp_path)


def test_two_processes_do_not_train_into_one_folder(run, world, corpus, tmp_path):
    out = tmp_path / "run"
    shutil.copytree(run, out)
    for resume in ("auto", "none"):
        with (
            RunFolder(out, 1).locked(world),
            pytest.raises(TrainingError, match="another process is training into"),
        ):
            trained(corpus, out, resume=resume, **STEPS)
    assert model_bytes(out) == model_bytes(run)
    trained(corpus, out, **{**STEPS, "steps": 5})


def test_ctrl_c_leaves_a_checkpoint_to_resume(run, corpus, tmp_path):
    out = tmp_path / "run"

    def press() -> None:
        while not read_metrics(out / "metrics.jsonl"):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        train(corpus, out, TrainingConfig(**{**STEPS, "steps": 1000, "validate_every": 1000}))
    thread.join()
    done = max(losses(out))
    assert (out / "checkpoints" / f"step-{done:08d}").is_dir()
    OscarModel.from_pretrained(out)
    trained(corpus, out, **{**STEPS, "steps": done + 1, "validate_every": 1000})
    assert max(losses(out)) == done + 1


def test_every_option_of_a_run_is_a_flag_with_its_help_and_default(capsys):
    assert cli.run(["pretrain", "--help"]) == 0
    page = " ".join(capsys.readouterr().out.replace("│", " ").split())
    for field in fields(TrainingConfig):
        assert re.search(rf"--{field.name.replace('_', '-')} ((INT|FLOAT|STR) )?\w{{3}}", page)
        if field.default is not None:
            assert f"[default: {field.default}]" in page
    assert "--config PATH" in page
    assert "--options" not in page


def test_the_flags_reach_the_run(corpus, tmp_path, capsys):
    out = tmp_path / "run"
    options = {"steps": 2, "batch-size": 2, "queue-size": 16, "weight-decay": 0.5, "minutes": 5}
    options |= {"workers": 0, "validation-share": 0.3}
    flags = [f"--{name}={value}" for name, value in options.items()]
    assert cli.run(["pretrain", str(corpus), "--out", str(out), *flags]) == 0
    saved = json.loads((out / "training.json").read_text())
    wanted = {name.replace("-", "_"): value for name, value in options.items()}
    wanted = asdict(TrainingConfig(**wanted, precision="fp32"))
    assert {**saved, **wanted} == saved
    assert cli.run(["pretrain", str(corpus), "--out", str(out), "--mask-rate", "0.9"]) == 1
    assert "mask_rate is 0.9; it must be above 0" in capsys.readouterr().err
