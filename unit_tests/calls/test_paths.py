"""Functions that read or write files name a path that is none, and leave no part of a file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spatial_v2 import ModelFileError, show
from spatial_v2.exceptions import SpatialError
from spatial_v2.export import write_model
from spatial_v2.io import (
    load_mjcf,
    load_model,
    load_sdf,
    load_urdf,
    read_matlab,
    to_mjcf,
    to_urdf,
    write_matlab,
)  # fmt: skip
from spatial_v2.migrate.mat_files import load_mat, save_mat
from spatial_v2.models import autoTree

READERS: list[Callable[[Any], Any]] = [load_mjcf, load_model, load_sdf, load_urdf, load_mat]
TREE = autoTree(2)
WRITERS: dict[str, Callable[[Any], Any]] = {
    "to_urdf": lambda path: to_urdf(TREE, path),
    "to_mjcf": lambda path: to_mjcf(TREE, path),
    "write_matlab": lambda path: write_matlab(TREE, path),
    "to_matlab": TREE.to_matlab,
    "write_model": lambda path: write_model(TREE, path),
    "save_mat": lambda path: save_mat(path, x=1.0),
    "save": lambda path: show(TREE).save(path),
}


def test_anything_else_than_a_path_is_named() -> None:
    for bad in (3, b"a.urdf", ["a.urdf"]):
        for call in (*READERS, *WRITERS.values()):
            with pytest.raises(TypeError, match=r"want a string or a pathlib.Path, got \w+$"):
                call(bad)


def test_names_that_no_file_has_are_errors_of_the_library() -> None:
    for call in (*READERS, read_matlab):
        with pytest.raises(SpatialError, match=r"not the name of a file|embedded null|not a known"):
            call("a\0.mat" if call in (read_matlab, load_mat) else "a\0.urdf")
    for name, write in WRITERS.items():
        with pytest.raises(OSError, match="Not the name of a file"):
            write("a\0.png" if name == "save" else "a\0")


def test_a_missing_folder_is_named_as_it_was_given(tmp_path: Path) -> None:
    """The message names the file, not a temporary one."""
    path = tmp_path / "missing" / "a.png"
    for name, write in WRITERS.items():
        with pytest.raises(FileNotFoundError) as caught:
            write(path)
        assert caught.value.filename == str(path), name


def test_an_animation_that_fails_keeps_the_file_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.png"
    path.write_text("kept")
    animation = show(TREE)

    def fails(file: Any) -> None:
        file.write(b"half")
        raise ModelFileError("no")

    monkeypatch.setattr(type(animation), "writer", lambda *_, **__: fails)
    with pytest.raises(ModelFileError):
        animation.save(path)
    assert path.read_text() == "kept"
    assert [x.name for x in tmp_path.iterdir()] == ["a.png"]


def test_no_variable_of_matlab_has_the_name_of_a_keyword(tmp_path: Path) -> None:
    for name in ("for", "end", "function", 3, None, np.str_("while")):
        with pytest.raises(SpatialError, match="is not a name of a MATLAB variable"):
            write_matlab(TREE, tmp_path / "a.mat", name)
    assert not list(tmp_path.iterdir())
