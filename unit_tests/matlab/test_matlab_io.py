"""Model structs of MATLAB: round trips, every form in which `loadmat` returns them, and damaged
files.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from golden_io import FOLDER
from matlab_struct import struct
from numpy.testing import assert_allclose, assert_array_equal
from scipy.io import loadmat, savemat

from spatial_v2 import (
    ID,
    Model,
    ModelError,
    autoTree,
    autoTree_rotor,
    floatbase,
    planar,
    read_matlab,
)
from spatial_v2.files.matlab_values import plain
from spatial_v2.model.matlab_derived import derived_fields

STRUCTS = sorted((FOLDER / "model_structs").glob("*.mat"))
OPTIONS: list[dict[str, Any]] = [
    {},
    {"squeeze_me": True},
    {"struct_as_record": False},
    {"squeeze_me": True, "struct_as_record": False},
    {"simplify_cells": True},
    {"mat_dtype": True},
]


def variables(file: Path) -> dict[str, Any]:
    return plain(loadmat(file))


def assert_same_value(ours: Any, theirs: Any, path: str) -> None:
    """Check that values returned by `plain` are equal.

    A row vector equals a column vector with the same numbers; structs of `ours` may have more
    fields.
    """
    if isinstance(theirs, dict):
        assert theirs.keys() <= ours.keys(), path
        for key in theirs:
            assert_same_value(ours[key], theirs[key], f"{path}.{key}")
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs), path
        for k, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            assert_same_value(a, b, f"{path}{{{k}}}")
    elif isinstance(theirs, str):
        assert ours == theirs, path
    else:
        assert_array_equal(np.ravel(ours, order="F"), np.ravel(theirs, order="F"), path)
        assert np.ndim(theirs) < 2 or min(np.shape(theirs)) < 2 or ours.shape == theirs.shape, path


def assert_same_model(a: Model, b: Model) -> None:
    for field in ("parent", "Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr"):
        assert_array_equal(getattr(a, field), getattr(b, field), field)
    assert a.jtype == b.jtype
    assert a.jtype_rotor == b.jtype_rotor


@pytest.mark.parametrize("file", STRUCTS, ids=lambda f: f.stem)
def test_a_matlab_file_read_and_written_keeps_every_field(file: Path, tmp_path: Path) -> None:
    Model.from_matlab(file).to_matlab(tmp_path / "again.mat")
    ours, theirs = variables(tmp_path / "again.mat")["model"], variables(file)["model"]
    assert_same_value(ours, theirs, "model")


@pytest.mark.parametrize(
    ("name", "model"),
    [("autoTree_7_2", autoTree(7, 2, 0.4, 0.9)), ("planar_4", planar(4)),
     ("floatbase", floatbase(autoTree(3))), ("autoTree_rotor", autoTree_rotor(4, 1.5, 0.3, 0.9))],
)  # fmt: skip
def test_models_of_matlab_are_those_of_the_library(name: str, model: Model) -> None:
    theirs = Model.from_matlab(FOLDER / "model_structs" / f"{name}.mat")
    assert theirs.parent.tolist() == model.parent.tolist()
    assert theirs.jtype == model.jtype
    for field in ("I", "gravity", "gr", "I_rotor"):
        assert_allclose(getattr(theirs, field), getattr(model, field), atol=1e-15)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("file", STRUCTS, ids=lambda f: f.stem)
def test_every_form_of_loadmat_gives_the_same_model(file: Path, options: dict[str, Any]) -> None:
    contents = loadmat(file, **options)
    wanted = Model.from_matlab(file)
    assert_same_model(Model.from_matlab(contents["model"]), wanted)
    assert_same_model(Model.from_matlab(contents), wanted)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", zoo.MODELS)
def test_models_written_and_read_are_the_same(
    name: str, options: dict[str, Any], tmp_path: Path
) -> None:
    model = zoo.build(name)
    model.to_matlab(tmp_path / "zoo.mat", "robot")
    for source in (tmp_path / "zoo.mat", loadmat(tmp_path / "zoo.mat", **options)["robot"]):
        assert_same_model(Model.from_matlab(source), model)
        assert repr(Model.from_matlab(source)) == repr(model)


def test_integer_storage_is_not_wrapped_around(tmp_path: Path) -> None:
    """Whole numbers that MATLAB stores as uint8 do not overflow: parent 0 becomes -1, not 255."""
    savemat(tmp_path / "m.mat", {"m": struct(parent=np.array([[0, 1]], dtype=np.uint8))})
    assert Model.from_matlab(tmp_path / "m.mat").parent.tolist() == [-1, 0]


def test_one_stands_for_the_identity() -> None:
    model = Model.from_matlab(struct(Xtree=np.array([[1.0, 1.0]], dtype=object)))
    assert_array_equal(model.Xtree, [np.eye(6)] * 2)
    assert_array_equal(model.gravity, [0, 0, -9.81])


def test_numbers_of_bodies_and_vertices_are_turned(tmp_path: Path) -> None:
    drawing = ["vertices", np.eye(3), "line", [0, 1, 2], ["triangles", [[0, 1, 2]], "facets", 8.0]]
    points = [["line", [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]]]
    model = autoTree(2).replace(
        appearance={"base": drawing, "body": [drawing, points]},
        camera={"body": -1, "direction": [1.0, 0.0, 0.1], "zoom": 0.9},
        gc={"point": np.arange(9.0).reshape(3, 3), "body": [0, 1, 1]},
    )
    model.to_matlab(tmp_path / "m.mat")
    written = variables(tmp_path / "m.mat")["model"]
    assert written["camera"]["body"] == 0
    assert_array_equal(written["gc"]["body"], [[1, 2, 2]])
    assert_array_equal(written["gc"]["point"], np.arange(9.0).reshape(3, 3).T)
    assert_array_equal(np.ravel(written["appearance"]["base"][3]), [1, 2, 3])
    read = Model.from_matlab(tmp_path / "m.mat")
    assert read.camera is not None and read.camera["body"] == -1 and read.camera["zoom"] == 0.9
    assert_array_equal(read.camera["direction"], [1, 0, 0.1])
    assert read.gc is not None
    assert_array_equal(read.gc["point"], [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
    assert read.gc["body"].tolist() == [0, 1, 1]
    assert read.appearance is not None
    base = read.appearance["base"]
    assert_array_equal(np.ravel(base[3]), [0, 1, 2])
    assert_array_equal(base[4][1], [[0, 1, 2]])
    assert base[4][3] == 8.0
    assert_array_equal(read.appearance["body"][1][0][1], [[0, 0, 0], [1, 0, 0]])


def test_numbers_of_vertices_are_turned_and_coordinates_are_not(tmp_path: Path) -> None:
    """Vertices, numbered from one in the file, are renumbered; coordinates of the points of a line
    are not changed.
    """
    triangles, points = [[0, 1, 2], [2, 1, 3]], [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0]]
    drawing = ["vertices", np.eye(4)[:, :3], "triangles", triangles, "line", points]
    autoTree(1).replace(appearance={"base": drawing, "body": [[]]}).to_matlab(tmp_path / "m.mat")
    written = variables(tmp_path / "m.mat")["model"]["appearance"]["base"]
    assert_array_equal(written[3], [[1, 2, 3], [3, 2, 4]])
    assert_array_equal(written[5], points)
    read = Model.from_matlab(tmp_path / "m.mat").appearance
    assert read is not None
    assert_array_equal(read["base"][3], triangles)
    assert_array_equal(read["base"][5], points)


def test_a_rotor_is_read_and_moves(tmp_path: Path) -> None:
    model = zoo.build("one_rotor")
    model.to_matlab(tmp_path / "m.mat")
    state = zoo.states(model, np.random.default_rng(1))
    again = Model.from_matlab(tmp_path / "m.mat")
    assert_array_equal(ID(again, *state[:3]), ID(model, *state[:3]))


def test_stale_and_unknown_fields_are_told() -> None:
    with pytest.warns(UserWarning, match="do not fit the tree and are recomputed: NV, nv"):
        Model.from_matlab(struct(nv=[[1, 3]], NV=4, NQ=2))
    with pytest.warns(UserWarning, match="fields not read: colour"):
        Model.from_matlab(struct(colour=len))


def test_every_derived_field_that_is_wrong_is_told(tmp_path: Path) -> None:
    """Empty fields, and those with other numbers, are told by their names; true ones are not."""
    for model in (zoo.build("branched"), zoo.build("rotors")):
        model.to_matlab(tmp_path / "m.mat")
        fields = loadmat(tmp_path / "m.mat")["model"][0, 0]
        given = {x: fields[x] for x in fields.dtype.names}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Model.from_matlab(given)
        for name, ours in derived_fields(model).items():
            if name == "has_rotor":
                continue
            other = np.array(ours) + 1.0
            for wrong in (np.empty((0, 0)), other):
                with pytest.warns(UserWarning, match=f"fields do not fit .*: {name}$"):
                    Model.from_matlab({**given, name: wrong})


@pytest.mark.parametrize("read", [Model.from_matlab, read_matlab])
def test_warnings_are_about_the_line_that_reads(read: Callable[..., Model]) -> None:
    with pytest.warns(UserWarning, match="fields not read: colour") as caught:
        read(struct(colour=len))
    assert [x.filename for x in caught] == [__file__]


def test_a_function_cannot_be_written(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="gamma_q is a function"):
        autoTree(1).replace(gamma_q=len).to_matlab(tmp_path / "m.mat")


def test_writing_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def disk_full(file: Any, *_: Any, **__: Any) -> None:
        file.write(b"half of it")
        raise OSError("No space left on device")

    model, file = autoTree(2), tmp_path / "m.mat"
    model.to_matlab(file)
    before = file.read_bytes()
    monkeypatch.setattr("scipy.io.savemat", disk_full)
    with pytest.raises(OSError, match="No space left"):
        model.to_matlab(file)
    assert file.read_bytes() == before
    assert [f.name for f in tmp_path.iterdir()] == ["m.mat"]


@pytest.mark.parametrize("name", ["1x", "a b", "", "_m", "x" * 32, "é"])
def test_wrong_variable_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is not a name of a MATLAB variable"):
        autoTree(1).to_matlab(tmp_path / "m.mat", name)


@pytest.mark.parametrize("length", [1, 30, 31, 32])
def test_names_of_matlab_variables_have_at_most_31_letters(length: int, tmp_path: Path) -> None:
    if length <= 31:
        autoTree(1).to_matlab(tmp_path / "m.mat", name="a" * length)
        assert "a" * length in variables(tmp_path / "m.mat")
    else:
        with pytest.raises(ModelError, match="not a name of a MATLAB variable"):
            autoTree(1).to_matlab(tmp_path / "m.mat", name="a" * length)


def test_joint_terms_that_matlab_has_not_are_named_by_a_warning(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="no damping: not written"):
        autoTree(2).replace(damping=[0.1, 0.2]).to_matlab(tmp_path / "m.mat")


@pytest.mark.parametrize("dtype", [complex, object])
@pytest.mark.parametrize("field", ["Xtree", "I", "gravity", "Xrotor", "I_rotor", "gr"])
def test_numbers_that_no_file_can_have_are_refused(field: str, dtype: Any, tmp_path: Path) -> None:
    """Complex numbers were written into a file that could not be read."""
    model = autoTree_rotor(2)
    setattr(model, field, getattr(model, field).astype(dtype))
    with pytest.raises(ModelError, match=f"^{field}: want real numbers for a .mat file"):
        model.to_matlab(tmp_path / "model.mat")
    assert not [*tmp_path.iterdir()]
