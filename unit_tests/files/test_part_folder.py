"""Folders that are written completely or not at all."""

import os
from pathlib import Path

import pytest

from spatial_v2.files import part_folder as module
from spatial_v2.files.part_folder import part_folder


def contents(folder: Path) -> dict[str, str]:
    """Return the files in a folder, hidden ones too, and what is in them."""
    return {str(x.relative_to(folder)): x.read_text() for x in folder.rglob("*") if x.is_file()}


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_new_folder_is_there_at_the_end_only(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "library"
    with part_folder(target) as part:
        write(part, src__a="1", b="2")
        assert not target.parent.exists()
    assert contents(tmp_path) == {"deep/library/src/a": "1", "deep/library/b": "2"}


def test_files_are_replaced_and_stale_ones_removed(tmp_path: Path) -> None:
    write(tmp_path, src__a="1", src__old="2", mine="3")
    with part_folder(tmp_path, ["src/*"]) as part:
        write(part, src__a="4", src__new="5")
        assert (tmp_path / "src" / "a").read_text() == "1"
    assert contents(tmp_path) == {"src/a": "4", "src/new": "5", "mine": "3"}


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("exists", [False, True])
def test_an_interruption_changes_nothing(
    tmp_path: Path, error: type[BaseException], exists: bool
) -> None:
    target = tmp_path / "library"
    if exists:
        write(target, src__a="1")
    before = contents(tmp_path)
    with pytest.raises(error), part_folder(target, ["src/*"]) as part:
        write(part, src__a="2")
        raise error
    assert contents(tmp_path) == before and target.exists() == exists


def test_an_interruption_while_files_are_moved_moves_them_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of the moves fails, the folder is as it was."""
    for fails_at in range(5):
        target = tmp_path / str(fails_at)
        write(target, src__a="1", src__old="2", b="3")
        before, calls = contents(target), list[int]()

        def replace(*paths: Path, at: int = fails_at, seen: list[int] = calls) -> None:
            seen.append(1)
            if len(seen) == at + 1:
                raise KeyboardInterrupt
            os.rename(*paths)

        with monkeypatch.context() as patch:
            patch.setattr(module.os, "replace", replace)
            with pytest.raises(KeyboardInterrupt), part_folder(target, ["src/*"]) as part:
                write(part, src__a="4", b="5")
        assert len(calls) > fails_at and contents(target) == before


def test_what_is_no_folder_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for wrong in (tmp_path / "file", tmp_path / "file" / "library"):
        with pytest.raises(NotADirectoryError) as said, part_folder(wrong):
            pytest.fail("the context was entered")
        assert said.value.filename == str(wrong)
    with pytest.raises(TypeError, match="folder: want a string"), part_folder(3):  # type: ignore[arg-type]
        pass
