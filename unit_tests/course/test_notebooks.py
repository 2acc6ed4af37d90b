"""Notebooks that the library writes are valid in the version of the format that they name."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spatial_v2.course.assignment import assignment
from spatial_v2.course.notebook import notebook
from spatial_v2.course.slides import slides
from spatial_v2.course.text import chapters
from spatial_v2.course.write_problems import write_problems

ROOT = Path(__file__).parents[2]


def of_scripts(folder: Path) -> Iterator[str]:
    pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
    from spatial_v2.migrate import translate

    for path in sorted((ROOT / "unit_tests" / "support" / "migrate_scripts").glob("*.m")):
        yield json.dumps(translate(path)[0].notebook())


def of_chapters(folder: Path) -> Iterator[str]:
    for name in chapters():
        yield from (notebook(name), notebook(name, solved=True), assignment(name), slides(name))


def of_problems(folder: Path) -> Iterator[str]:
    for solutions in (False, True):
        for path in write_problems(folder, solutions=solutions):
            yield Path(path).read_text("utf-8")


WRITERS = {
    "spatial_v2/migrate/program.py": [of_scripts],
    "spatial_v2/course/notebook.py": [of_chapters, of_problems],
}
"""Files of the library that write notebooks, and what they write."""


def test_every_writer_of_notebooks_is_tried() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "spatial_v2").rglob("*.py")
        if '"nbformat_minor":' in path.read_text("utf-8")
    }
    assert found == set(WRITERS)


@pytest.mark.parametrize("write", [x for some in WRITERS.values() for x in some])
def test_notebooks_are_valid(write: Callable[[Path], Iterator[str]], tmp_path: Path) -> None:
    """Jupyter knows the version of the format, and each cell has all that this version asks for."""
    nbformat = pytest.importorskip("nbformat")
    count = 0
    for text in write(tmp_path):
        found = json.loads(text)
        version = found["nbformat"], found["nbformat_minor"]
        assert (4, 5) <= version <= (nbformat.v4.nbformat, nbformat.v4.nbformat_minor)
        nbformat.validate(found)
        names = [cell["id"] for cell in found["cells"]]
        assert len(set(names)) == len(names)
        assert names
        count += 1
    assert count > 1
