"""The archives of a release are reproducible and complete, and contain all licences."""

import email
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path
from unittest.mock import Mock

import pytest
from once import made_once

import spatial_v2
from spatial_v2 import public_names
from spatial_v2.export import compiler, shipped
from spatial_v2.public_names import installed_version

ROOT = Path(__file__).parents[2]
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

    def make(folder: Path) -> None:
        for name in ("first", "second"):
            build(ROOT, folder / name)

    return sorted(made_once(tmp_path_factory, "wheels", make).glob("*/*.whl"))


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


VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_version_is_in_one_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A clone has that of ``pyproject.toml``, also where an older release is installed; an
    installed package has its own, and files that are not installed say that they have none.
    """
    assert spatial_v2.__version__ == installed_version() == VERSION
    monkeypatch.setattr(public_names, "__file__", str(tmp_path / "spatial_v2" / "names.py"))
    monkeypatch.setattr(metadata, "version", Mock(return_value="9.8.7"))
    assert installed_version() == "9.8.7"
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'of-others'\nversion = '1'\n")
    assert installed_version() == "9.8.7"
    monkeypatch.setattr(metadata, "version", Mock(side_effect=metadata.PackageNotFoundError))
    assert installed_version() == "0.0+unknown"


def test_the_version_to_cite_is_that_of_the_package() -> None:
    cited = re.findall(r"(?m)^version: (.*)$", (ROOT / "CITATION.cff").read_text())
    assert cited == [VERSION]
    assert {*git("tag", "--points-at", "HEAD", "v[0-9]*").split()} <= {f"v{VERSION}"}


@pytest.mark.slow
def test_an_archive_of_git_has_the_same_version(wheels: list[Path], tmp_path: Path) -> None:
    """So have a wheel of the clone, and a source archive with what is built from it."""
    archive = tmp_path / "archive.tar"
    git("archive", "--prefix=tree/", "-o", str(archive), "HEAD")
    shutil.unpack_archive(archive, tmp_path)
    (tmp_path / "tree" / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    built = [x.name.split("-")[1] for x in (build(tmp_path / "tree", tmp_path), *wheels)]
    assert built == [VERSION] * 3


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


def test_the_description_for_conda_lists_what_the_project_needs() -> None:
    """The tools of the build, with what compiles the extension, and the dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    text = (ROOT / "docs" / "releases.md").read_text("utf-8")
    recipe = text.partition("```yaml")[2].partition("```")[0]
    listed = {*re.findall(r"^    - ([\w-]+)", recipe, re.M)}
    hook = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["dependencies"]
    compiler = project["project"]["optional-dependencies"]["compile"]
    needed = {re.match(r"[\w-]+", x)[0] for x in [*hook, *compiler]}  # type: ignore[index]
    assert listed == needed - {"matplotlib"} | {"matplotlib-base", "python"}
    host = re.search(r"host: \[(.*)\]", recipe)
    tools = {x.split()[0] for x in host[1].split(", ")} if host else set()
    required = {re.match(r"[\w-]+", x)[0] for x in project["build-system"]["requires"]}  # type: ignore[index]
    assert tools == required | {"python", "pip", "setuptools", "numpy"}


def test_kernels_of_wheels_do_not_depend_on_what_was_compiled_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each level of processors is compiled with a new cache: code from a cache has other bytes."""
    pytest.importorskip("numba")
    if compiler() is None:
        pytest.skip("no C compiler (cc) is installed")
    caches: list[str] = []
    ended = Mock(returncode=0, communicate=lambda: ("", ""))

    def begin(command: list[str], env: dict[str, str], **_: object) -> Mock:
        caches.append(env["NUMBA_CACHE_DIR"])
        return ended

    monkeypatch.setattr(subprocess, "Popen", begin)
    shipped.build_kernels(tmp_path, ["aarch64", "native"], ["ID"])
    shipped.build_kernels(tmp_path, ["native"], ["ID"])
    assert len({*caches}) == 3 and not any(Path(x).exists() for x in caches)
