"""Files are written completely or not at all, through links, and never over devices."""

import os
from pathlib import Path

import pytest

from spatial_v2.files.part_file import PartFile
from spatial_v2.io import to_urdf
from spatial_v2.models import autoTree

LINKS = pytest.mark.skipif(os.name != "posix", reason="links and devices of POSIX systems")


def write(path: Path | str) -> None:
    with PartFile(path) as part:
        part.file.write(b"new")
        part.finish()


@LINKS
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(tmp_path: Path, there: bool) -> None:
    """The file that a link leads to is written, in its own folder; the link remains, and no other
    file.
    """
    target, link = tmp_path / "a" / "file.txt", tmp_path / "b" / "link.txt"
    for folder in (target.parent, link.parent):
        folder.mkdir()
    link.symlink_to(Path("..", "a", "file.txt"))
    if there:
        target.write_text("old")
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert [len(os.listdir(x)) for x in (target.parent, link.parent)] == [1, 1]


@LINKS
def test_targets_that_are_no_files_are_refused_first(tmp_path: Path) -> None:
    """A target that is not a regular file is an error before anything is written.

    This holds for a directory, an empty name, a pipe and a link to itself, and for all functions
    that write files.
    """
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    for name, said in (("pipe", "Not a regular"), ("loop", "Not a regular"), ("folder", "Is a")):
        with pytest.raises(OSError, match=said) as caught:
            write(tmp_path / name)
        assert caught.value.filename == str(tmp_path / name)
    for call in (write, lambda path: to_urdf(autoTree(2), path)):
        with pytest.raises(IsADirectoryError):
            call("")
    assert sorted(os.listdir(tmp_path)) == ["folder", "loop", "pipe"]
