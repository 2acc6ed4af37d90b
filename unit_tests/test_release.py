"""The archives of a release are reproducible and complete, and contain all licences."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import spatial_v2

ROOT = Path(__file__).parents[1]
PACKAGES = "spatial_v2", "tensor_sva", "derivatives"
MINIFIED = {
    "spatial_v2/course/assets/reveal/reveal.js",
    "spatial_v2/show/assets/three.min.js",
}
"""Scripts of other projects in the wheel."""


def tracked() -> list[str]:
    """Return the files under version control."""
    run = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip("needs the repository")
    return [x for x in run.stdout.split() if (ROOT / x).exists()]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build the wheel twice; return both."""
    folders = [tmp_path_factory.mktemp("wheel") for _ in range(2)]
    for folder in folders:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
        date = {"SOURCE_DATE_EPOCH": "1700000000"}
        subprocess.run([*command, str(folder), str(ROOT)], env={**os.environ, **date}, check=True)
    return [next(folder.glob("*.whl")) for folder in folders]


@pytest.mark.slow
def test_a_wheel_is_reproducible(wheels: list[Path]) -> None:
    first, second = (x.read_bytes() for x in wheels)
    assert first == second


@pytest.mark.slow
def test_the_wheel_contains_the_packages_and_nothing_else(wheels: list[Path]) -> None:
    names = zipfile.ZipFile(wheels[0]).namelist()
    packed = {x for x in names if ".dist-info/" not in x}
    assert packed == {x for x in tracked() if x.startswith(tuple(f"{p}/" for p in PACKAGES))}


@pytest.mark.slow
def test_the_wheel_contains_its_licences(wheels: list[Path]) -> None:
    wheel = zipfile.ZipFile(wheels[0])
    (about,) = (x for x in wheel.namelist() if x.endswith(".dist-info/METADATA"))
    fields = email.message_from_bytes(wheel.read(about))
    folder = about.removesuffix("METADATA") + "licenses/"
    given = {x.removeprefix(folder) for x in wheel.namelist() if x.startswith(folder)}
    assert given == {
        "LICENSE",
        "spatial_v2/course/assets/reveal/reveal.LICENSE",
        "spatial_v2/show/assets/three.LICENSE",
    }
    assert fields["License-Expression"] == "BSD-3-Clause AND MIT"


def test_tags_of_this_commit_are_the_version() -> None:
    run = subprocess.run(
        ["git", "tag", "--points-at", "HEAD", "v*"], cwd=ROOT, capture_output=True, text=True
    )
    assert set(run.stdout.split()) <= {f"v{spatial_v2.__version__}"}


def test_software_of_others_is_listed() -> None:
    """Every minified script is in a place that the page about releases lists."""
    page = (ROOT / "docs" / "releases.md").read_text()
    listed = tuple(re.findall(r"`([^`]+/[^`]*)`", page))
    found = {x for x in tracked() if x.endswith(".js") and is_minified(ROOT / x)}
    assert {x for x in found if x.startswith(PACKAGES)} == MINIFIED
    assert all(x.startswith(listed) for x in found)


def is_minified(path: Path) -> bool:
    """True if a line of a script is far longer than people write them."""
    return max(map(len, path.read_text(errors="replace").splitlines()), default=0) > 1000
