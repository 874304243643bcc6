import re
from pathlib import Path

import pytest

DOCKER = Path(__file__).resolve().parents[2] / "docker"
DOCKERFILES = sorted(DOCKER.glob("*.Dockerfile"))
_DEFAULT = re.compile(r"\$\{(\w+):-([^}]*)\}")


def pytest_generate_tests(metafunc):
    if "dockerfile" in metafunc.fixturenames:
        metafunc.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.name)


@pytest.fixture
def instructions(dockerfile):
    """Keyword and text of each instruction, continued lines joined."""
    lines = [line for line in dockerfile.read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


@pytest.fixture(scope="session")
def compose_text():
    """The compose file with the defaults of its variables in place."""
    text = (DOCKER / "compose.yaml").read_text()
    assert "$" not in _DEFAULT.sub("", text), "a variable without a default"
    return _DEFAULT.sub(lambda found: found[2], text)


@pytest.fixture(scope="session")
def compose(compose_text):
    """What the compose file says, with what services share in each of them."""
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(compose_text)


@pytest.fixture(scope="session")
def services(compose):
    """Each service's settings."""
    return compose["services"]
