"""The archives of a release are reproducible and complete, and contain all licences."""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path
from unittest.mock import Mock

import pytest

import spatial_v2
from spatial_v2.export.library import compiler
from spatial_v2.public_names import installed_version

ROOT = Path(__file__).parents[1]
PACKAGES = "spatial_v2", "tensor_sva", "derivatives"
MINIFIED = {
    "spatial_v2/course/assets/reveal/reveal.js",
    "spatial_v2/show/assets/three.min.js",
}
"""Scripts of other projects in the wheel."""


def tracked() -> list[str]:
    """Return the files under version control."""
    return [x for x in git("ls-files").split() if (ROOT / x).exists()]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build the wheel twice; return both."""
    return [build(ROOT, tmp_path_factory.mktemp("wheel")) for _ in range(2)]


def build(root: Path, folder: Path) -> Path:
    """Build the wheel of a tree into a folder; return it."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    date = {"SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([*command, str(folder), str(root)], env={**os.environ, **date}, check=True)
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_a_wheel_is_reproducible(wheels: list[Path]) -> None:
    first, second = (x.read_bytes() for x in wheels)
    assert first == second


@pytest.mark.slow
def test_the_wheel_contains_the_packages_and_nothing_else(wheels: list[Path]) -> None:
    names = zipfile.ZipFile(wheels[0]).namelist()
    packed = {x for x in names if ".dist-info/" not in x}
    extension = {x for x in packed if x.startswith("spatial_v2/engine/_call.")}
    assert len(extension) == (compiler() is not None)
    folders = tuple(f"{p}/" for p in PACKAGES)
    assert packed - extension == {x for x in tracked() if x.startswith(folders)}


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


def git(*command: str, folder: Path = ROOT) -> str:
    """Return what a command of git prints."""
    run = subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True)
    if run.returncode:
        pytest.skip(f"needs the repository: {run.stderr}")
    return run.stdout


def test_the_version_is_that_of_the_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    assert spatial_v2.__version__ == installed_version() == metadata.version("spatial-v2")
    monkeypatch.setattr(metadata, "version", Mock(side_effect=metadata.PackageNotFoundError))
    assert installed_version() == "0.0+unknown"


def test_tags_of_this_commit_are_the_version_to_cite() -> None:
    cited = re.findall(r"(?m)^version: (.*)$", (ROOT / "CITATION.cff").read_text())
    assert {*git("tag", "--points-at", "HEAD", "v[0-9]*").split()} <= {f"v{x}" for x in cited}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tag", "wanted"),
    [
        ("v9.8.7", r"9\.8\.7"),
        ("other-7", r"0\.1\.dev1\+unknown\.g[0-9a-f]+"),
        ("", r"0\.0\+unknown"),
    ],
)
def test_the_version_comes_from_tags(tmp_path: Path, tag: str, wanted: str) -> None:
    """A tag that begins with v is the version; shallow clones and archives say that they have
    none.
    """
    git("clone", "--depth", "1", "--no-tags", f"file://{ROOT}", str(tmp_path / "clone"))
    if tag:
        git("tag", tag, folder=tmp_path / "clone")
    else:
        shutil.rmtree(tmp_path / "clone" / ".git")
    built = build(tmp_path / "clone", tmp_path).name.split("-")[1]
    assert re.fullmatch(wanted, built), built


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
