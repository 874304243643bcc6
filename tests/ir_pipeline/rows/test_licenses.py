from pathlib import Path

import pytest

from ir_pipeline.rows.licenses import license_of, normalised, spdx_license
from ir_pipeline.sources.content import content_hash
from ir_pipeline.sources.find import find_units
from ir_pipeline.sources.license_files import LicenseFiles

MIT = """MIT License

Copyright (c) 2024 A. Person

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
GPL_NOTICE = b"""/* This program is free software; you can redistribute it and/or modify
 * it under the terms of the GNU General Public License as published by
 * the Free Software Foundation; either version 2 of the License, or
 * (at your option) any later version. */
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"/* SPDX-License-Identifier: MIT */", "MIT"),
        (b"// SPDX-License-Identifier: gpl-2.0+ OR bsd-2-clause\r\n",
         "GPL-2.0-or-later OR BSD-2-Clause"),
        (b"// SPDX-License-Identifier: GPL-2.0+ OR BSD-2-Clause\r\n",
         "GPL-2.0-or-later OR BSD-2-Clause"),
        (b"/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */",
         "GPL-2.0-only WITH Linux-syscall-note"),
        (b'x = "SPDX-License-Identifier: ISC";', "ISC"),
        (b"SPDX-License-Identifier: LicenseRef-Ours", "LicenseRef-Ours"),
        (b"SPDX-License-Identifier: <license>\n// SPDX-License-Identifier: Zlib", "Zlib"),
        (b"SPDX-License-Identifier: see the file", None),
        (b"SPDX-License-Identifier: \xff(((", None),
        (b"no licence", None),
    ],
)  # fmt: skip
def test_spdx_lines(line, said):
    assert spdx_license(line) == said


def test_only_spdx_expressions_are_licences():
    assert normalised("MIT AND (Apache-2.0)") == "MIT AND Apache-2.0"
    assert normalised("") is normalised("MIT Apache-2.0") is normalised("Foo-1.0") is None


@pytest.fixture
def project(tmp_path):
    """A project with a licence, a part of it with another one, and one file that says its own."""
    folder = tmp_path / "project"
    files = {
        "LICENSE": MIT,
        "a.c": "int a;",
        "licenses.c": "int l;",
        "src/deep/b.c": "int b;",
        "zlib/COPYING.txt": MIT.replace("MIT License", "") + "\nPart two.\n",
        "zlib/LICENSE-0BSD": "SPDX",
        "zlib/c.c": "/* SPDX-License-Identifier: Zlib */",
        "zlib/d.c": GPL_NOTICE.decode(),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "COPYING").write_text("of what is around it")
    return folder


def units(folder):
    return {unit.name: unit for unit in find_units([folder], Path("unused"))}


def test_the_file_counts_before_the_nearest_licence_file(project):
    found = {name: license_of(unit, unit.content()) for name, unit in units(project).items()}
    assert found == {
        "a.c": "MIT",
        "licenses.c": "MIT",
        "src/deep/b.c": "MIT",
        "zlib/c.c": "Zlib",
        "zlib/d.c": "GPL-2.0-or-later",
    }


def test_nothing_above_or_outside_the_project_speaks_for_it(project, tmp_path):
    (project / "LICENSE").unlink()
    (project / "COPYING").symlink_to(tmp_path / "COPYING")
    (project / "COPYRIGHT").mkdir()
    assert LicenseFiles().of(units(project)["a.c"]) == ()
    nearest = LicenseFiles().of(units(project)["zlib/c.c"])
    assert [path.name for path in nearest] == ["COPYING.txt", "LICENSE-0BSD"]


def test_an_unknown_text_is_no_licence(project):
    (project / "LICENSE").write_text("You may look, but not touch.")
    unit = units(project)["a.c"]
    assert license_of(unit, unit.content()) is None


def test_licence_files_are_sources(project):
    before = content_hash(list(units(project).values()))
    (project / "LICENSE").write_text(MIT + "or nothing")
    changed = content_hash(list(units(project).values()))
    (project / "src" / "COPYING").write_text(MIT)
    assert len({before, changed, content_hash(list(units(project).values()))}) == 3


def test_programs_of_a_collection_have_no_licence_file(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"code": "int main() {}"}\n')
    (tmp_path / "LICENSE").write_text(MIT)
    (unit,) = find_units([tmp_path / "a.jsonl"], tmp_path)
    assert license_of(unit, unit.content()) is None
