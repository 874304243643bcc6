import hashlib
import io
import tarfile

import pytest

from ir_pipeline.sources.debian import upstream_tarball
from ir_pipeline.sources.find import find_units
from static_analysis import OscarError

TEXT = b"int f(void) { return 1; }"


@pytest.fixture
def package(tmp_path):
    """A source package of one C file: its description, beside its two tarballs."""
    lines = []
    for name, member in {
        "little_1.0-2.debian.tar.xz": "debian/rules.c",
        "little_1.0.orig.tar.gz": "little-1.0/a.c",
    }.items():
        with tarfile.open(tmp_path / name, f"w:{name[-2:]}") as tar:
            info = tarfile.TarInfo(member)
            info.size = len(TEXT)
            tar.addfile(info, io.BytesIO(TEXT))
        content = (tmp_path / name).read_bytes()
        lines.append(f" {hashlib.sha256(content).hexdigest()} {len(content)} {name}\n")
    description = tmp_path / "little_1.0-2.dsc"
    description.write_text(
        "Format: 3.0 (quilt)\nSource: little\nVersion: 1.0-2\n"
        f"Checksums-Sha256:\n{''.join(lines)}Files:\n 0 0 other.tar.gz\n"
    )
    return description


def test_the_upstream_source_is_taken(package, tmp_path):
    [unit] = find_units([package], tmp_path / "scratch")
    assert (unit.project, unit.name) == ("little_1.0.orig", "a.c")
    assert unit.content() == TEXT


def test_a_tarball_that_is_missing_or_another_is_refused(package):
    tarball = upstream_tarball(package)
    tarball.write_bytes(tarball.read_bytes() + b"x")
    with pytest.raises(OscarError, match=r"damaged: not the file that little_1\.0-2\.dsc names"):
        upstream_tarball(package)
    tarball.unlink()
    with pytest.raises(OscarError, match=r"its tarball little_1\.0\.orig\.tar\.gz is not beside"):
        upstream_tarball(package)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no package",
        f"Checksums-Sha256:\n {'0' * 64} 1 ../../evil.orig.tar.gz\n",
        f"Checksums-Sha256:\n {'0' * 64} 1 little.debian.tar.xz\n",
    ],
)
def test_a_file_that_describes_no_package_is_refused(tmp_path, text):
    (tmp_path / "x.dsc").write_text(text)
    with pytest.raises(OscarError, match="names no source tarball"):
        upstream_tarball(tmp_path / "x.dsc")
