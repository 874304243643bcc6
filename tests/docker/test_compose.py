import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from oscar.cli import VERBS, build_app

ROOT = Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
PAGES = [ROOT / "docs/docker.md", DOCKER / "compose.yaml", ROOT / "README.md"]
COMMAND = re.compile(r"^[#\s]*docker compose -f docker/compose\.yaml (.*)$", re.MULTILINE)
COMMANDS = [found for page in PAGES for found in COMMAND.findall(page.read_text())]
# Flags of `docker compose run` and `exec` that take a word, and those that take none.
WITH_WORD, ALONE = ("-v", "--entrypoint"), ("--rm",)


def test_a_parser_of_the_specification_takes_it(compose):
    compose_spec = pytest.importorskip("compose_spec", reason="needs compose-spec")
    # The parser merges one level; YAML, as compose, all of them.
    parsed = compose_spec.PyCompose.from_json(json.dumps(compose))
    parsed.validate()
    assert set(parsed.service_names()) == {"preprocess", "pretrain", "head", "worker"}


def test_each_service_is_confined(services):
    for name, service in services.items():
        assert service["user"] == "10001:10001", name
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not {"privileged", "cap_add", "devices", "pid", "ipc", "ports"} & set(service), name
        assert service["mem_limit"], name
        assert 0 < service["pids_limit"] <= 4096, name
        assert service["healthcheck"]["test"], name


def test_nothing_that_compiles_can_reach_the_network(services, compose):
    for name, service in services.items():
        inside = service.get("networks", [])
        assert service.get("network_mode") == "none" or inside, name
        assert all(compose["networks"][network]["internal"] is True for network in inside), name


def test_only_the_head_of_a_cluster_sees_sources_and_corpora(services):
    mounted = {
        name: {volume.split(":")[1] for volume in service["volumes"]}
        for name, service in services.items()
    }
    assert mounted["worker"] == {"/cache"}
    assert mounted["head"] == mounted["preprocess"] == {"/sources", "/corpora", "/cache"}
    for service in services.values():
        for volume in service["volumes"]:
            assert not volume.endswith("/sources") or volume.endswith(":ro")


def test_volumes_are_declared_and_made_for_the_user(services, compose):
    for service in services.values():
        folders = {
            v.split(":")[1] for v in service["volumes"] if v.split(":")[0] in compose["volumes"]
        }
        made = (DOCKER / Path(service["build"]["dockerfile"]).name).read_text()
        (owned,) = re.findall(r"install -d -o oscar -g oscar (.*)", made)
        assert folders <= set(owned.split())
        assert (ROOT / service["build"]["dockerfile"]).is_file()


def test_each_program_that_a_service_starts_is_one_of_ours_or_rays(services):
    for service in services.values():
        program, verb, *_ = service["entrypoint"]
        assert (program == "oscar" and verb in VERBS) or (program, verb) == ("ray", "start")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["head", "worker"])
def test_ray_knows_each_flag_that_it_is_given(services, name):
    pytest.importorskip("ray")
    service = services[name]
    check = service["healthcheck"]["test"]
    asked = check[1:] if check[0] == "CMD" else shlex.split(check[1].split(" && ")[-1])
    for words in (service["entrypoint"] + service["command"], asked):
        program = str(Path(sys.executable).with_name(words[0]))
        command = [program, words[1], "--help"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for flag in words[2:]:
            assert re.search(rf"{flag.split('=')[0]}\b", said), flag


def split(command, service_names):
    """Flags, service and arguments of a `docker compose run` or `exec`."""
    words = shlex.split(command)[1:]
    flags = {}
    while words[0].startswith("-"):
        flag = words.pop(0)
        assert flag in (*WITH_WORD, *ALONE), flag
        flags[flag] = words.pop(0) if flag in WITH_WORD else ""
    assert words[0] in service_names
    return flags, words[0], words[1:]


def accepts(arguments):
    """Whether the command line can read these words."""
    build_app(arguments[0]).parse_args(arguments, exit_on_error=False, print_error=False)
    return True


def test_there_are_commands_to_check():
    assert sum(command.startswith("run ") for command in COMMANDS) >= 6


@pytest.mark.parametrize("command", sorted({c for c in COMMANDS if re.match("run|exec", c)}))
def test_the_commands_of_the_docs_are_ones_that_the_verbs_take(command, services):
    flags, name, arguments = split(command, services)
    program = [*services[name]["entrypoint"], *arguments]
    if command.startswith("exec"):
        program = arguments
    elif "--entrypoint" in flags:
        program = [flags["--entrypoint"], *arguments]
    if program[:3] == ["deepspeed", "--module", "pretrain"]:
        program = ["oscar", *program[2:]]
    assert program[0] == "oscar"
    assert accepts(program[1:])


@pytest.mark.parametrize("command", sorted({c for c in COMMANDS if not re.match("run|exec", c)}))
def test_what_else_compose_is_told_names_services_and_profiles(command, services):
    known = {"up", "down", "build", "cluster", *services}
    known |= {f"{name}={count}" for name in services for count in range(1, 9)}
    words = [word for word in command.split() if not word.startswith("-")]
    assert [word for word in words if word not in known] == []
