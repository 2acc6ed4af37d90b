"""Unusual and invalid MATLAB files: either the model is read, or an error names the field."""

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden_io import FOLDER
from matlab_struct import struct
from numpy.testing import assert_array_equal
from scipy.io import loadmat, savemat
from scipy.io.matlab import MatlabFunction, MatlabObject, MatlabOpaque
from scipy.sparse import csc_array, eye_array

from spatial_v2 import InertiaWarning, Model, ModelFileError
from spatial_v2.files.matlab_values import MatlabInstance, cell, plain

OPTIONS: list[dict[str, Any]] = [
    {}, {"squeeze_me": True}, {"struct_as_record": False}, {"simplify_cells": True},
    {"squeeze_me": True, "struct_as_record": False},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_other_variables_of_a_file_do_not_matter(options: dict[str, Any], tmp_path: Path) -> None:
    """Other variables of a file have no effect on the model.

    They may be sparse matrices, even ones too large to be made dense, empty structs and empty
    cells.
    """
    others = {
        "a": eye_array(3, format="csc"), "b": {}, "c": {"d": {}, "e": csc_array(np.eye(2))},
        "f": np.empty((0, 0), dtype=object), "g": csc_array((10**9, 2)), "h": [],
    }  # fmt: skip
    file = tmp_path / "m.mat"
    savemat(file, {**others, "model": struct(camera={}, appearance={})})
    contents = loadmat(file, **options)
    for read in (
        Model.from_matlab(file),
        Model.from_matlab(file, "model"),
        Model.from_matlab(contents),
        Model.from_matlab(contents["model"]),
    ):
        assert read.parent.tolist() == [-1, 0]
        assert not read.camera


def test_fields_that_are_not_read_may_be_anything() -> None:
    handle = MatlabFunction(np.zeros((1, 1), dtype=[("function_handle", "O")]))
    large = csc_array((10**9, 2))
    with pytest.warns(UserWarning, match="fields not read: gamma_q, pattern"):
        Model.from_matlab(struct(gamma_q=handle, pattern=large))


def test_sparse_matrices_are_matrices(tmp_path: Path) -> None:
    two = cell([csc_array(np.eye(6)), csc_array(np.eye(6))])
    fields = struct(Xtree=two, I=two, parent=csc_array(np.array([[0.0, 1.0]])))
    savemat(tmp_path / "m.mat", {"m": fields})
    assert_array_equal(Model.from_matlab(tmp_path / "m.mat").I, [np.eye(6)] * 2)


HANDLE = MatlabFunction(np.zeros((1, 1), dtype=[("function_handle", "O")]))
BAD: dict[str, Any] = {
    "text": "abc", "empty text": "", "number": 7.5, "negative": -3, "nan": np.nan, "inf": np.inf,
    "complex": 1j, "empty": np.zeros((0, 0)), "row": np.arange(5.0)[None],
    "page": np.ones((2, 2, 2)), "matrix": np.ones((4, 4)), "one": cell([np.eye(2)]),
    "cell": cell([1.0, "a", cell([2.0])]),
    "structs": np.array([[(1, "x"), (2, "y")]], dtype=[("a", "O"), ("b", "O")]),
    "struct": {"a": 1.0}, "no fields": {}, "sparse": csc_array(np.eye(4)),
    "large": csc_array((10**9, 6)), "handle": HANDLE, "rows": np.array(["ab", "cd"]),
}  # fmt: skip
FIELDS = (
    "parent", "jtype", "jtype.1", "jtype.1.code", "jtype.1.pars", "jtype.1.pars.pitch", "Xtree",
    "Xtree.1", "I", "I.0", "gravity", "has_rotor", "jtype_rotor", "jtype_rotor.0", "Xrotor",
    "Xrotor.0", "I_rotor", "I_rotor.0", "gr", "gr.0", "name", "joint_names", "joint_names.1",
    "body_names", "appearance", "appearance.base", "appearance.body", "appearance.body.0",
    "appearance.body.0.1", "appearance.body.0.3", "appearance.body.0.4", "camera", "camera.body",
    "camera.zoom", "gc", "gc.body", "gc.point", "NB", "nq", "vinds", "vinds.0",
)  # fmt: skip


def good() -> dict[str, Any]:
    """Return a struct with every field, a rotor at the first joint, and a helical second joint."""
    drawing = cell(["line", np.eye(3), "triangles", np.ones((1, 3)), cell(["facets", 8.0])])
    return struct(
        jtype=cell(["Rx", {"code": "H", "pars": {"pitch": 0.5}}]),
        gravity=np.zeros((1, 3)),
        has_rotor=np.array([[1.0], [0.0]]),
        jtype_rotor=cell(["Rx"]), Xrotor=cell([np.eye(6)]), I_rotor=cell([np.eye(6)]),
        gr=cell([5.0]), name="robot",
        joint_names=cell(["a", "b"]), body_names=cell(["c", "d"]),
        appearance={"base": drawing, "body": cell([drawing, drawing])},
        camera={"body": 2.0, "zoom": 0.9},
        gc={"point": np.ones((3, 2)), "body": np.array([[1, 2]])},
        nq=np.ones((1, 2)), vinds=cell([1.0, 2.0]),
    )  # fmt: skip


def test_the_unchanged_struct_is_accepted() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Model.from_matlab(good())
    assert model.gc is not None and model.gc["point"].shape == (2, 3)


def put(value: Any, path: list[str], new: Any) -> Any:
    """Return a copy of nested structs and cells with one value replaced."""
    if not path:
        return new
    if isinstance(value, dict):
        return {**value, path[0]: put(value[path[0]], path[1:], new)}
    out = value.copy()
    out[0, int(path[0])] = put(value[0, int(path[0])], path[1:], new)
    return out


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("path", FIELDS)
def test_a_bad_value_is_read_or_named(path: str, kind: str) -> None:
    """For any value in place of a field, either a model is read or an error names the field."""
    keys = path.split(".")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            model = Model.from_matlab({"robot": put(good(), keys, BAD[kind])}, "robot")
        except ModelFileError as error:
            assert str(error).startswith("struct: robot")
            assert re.search(rf"\b{keys[0]}\b", str(error))
            return
    assert np.isfinite(model.parent).all()
    assert isinstance(model, Model)


@pytest.mark.parametrize(
    ("path", "kind", "message"),
    [
        ("camera", "sparse", "camera: want a struct, got a 4x4 matrix"),
        ("camera.body", "number", "camera.body: want numbers of bodies, 0 .. 2, got [7.5]"),
        ("gc", "struct", "gc: want a struct with body and point, got a struct with a"),
        ("gc.body", "negative", "gc.body: want numbers of bodies, 1 .. 2, got [-3]"),
        ("gc.point", "matrix", "gc.point: want a 3x2 or 2x2 matrix, a column for a point, got a "
         "4x4 matrix"),
        ("gr", "text", "gr{1}: want a number, got the text 'abc'"),
        ("gr.0", "handle", "gr{1}: want a number, got a function handle"),
        ("parent", "cell", "parent: want the number of a body before it, or 0 for the fixed base, "
         "for each body, got a cell of 3"),
        ("appearance", "cell", "appearance: want a struct, got a cell of 3"),
        ("appearance.body.0.3", "negative",
         "appearance.body{1}{4}: want whole numbers of vertices, counted from 1, got the number "
         "-3"),
        ("appearance.base", "text",
         "appearance.base: want a cell of drawing instructions, got the text 'abc'"),
        ("Xtree.1", "large", "Xtree{2}: want a 6x6 matrix, or a number for that times the "
         "identity, got a sparse 1000000000x6 matrix"),
        ("jtype.1", "struct", "jtype{2}: want a joint code, or a struct with code and pars, got a "
         "struct with a"),
        ("jtype.1.pars.pitch", "text", "jtype{2}.pars.pitch: want a number, got the text 'abc'"),
        ("I.0", "matrix", "I{1}: want a 6x6 matrix, or a number for that times the identity, got a "
         "4x4 matrix"),
        ("has_rotor", "row", "has_rotor: want 2 truth values, one for each body, got a 1x5 matrix"),
        ("joint_names", "one",
         "joint_names: want a cell of 2, one for each number in parent, got a cell of 1"),
        ("name", "structs", "name: want a string, got a cell of 2"),
    ],
)  # fmt: skip
def test_messages_say_what_came_and_what_was_wanted(path: str, kind: str, message: str) -> None:
    with pytest.raises(ModelFileError, match=re.escape(f"struct.{message}")):
        Model.from_matlab(put(good(), path.split("."), BAD[kind]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"I": ...}, "the field 'I' is missing"),
        ({"parent": [[0, 2]]}, r"parent\(2\): want the number of a body before it.* got 2"),
        ({"parent": [[-1, 0]]}, r"parent\(1\): want .*, got -1"),
        ({"jtype": cell(["Rx", "Rw"])}, r"jtype\{2\}: unknown joint code 'Rw'"),
        ({"jtype": cell(["Rx"])}, "jtype: want a cell of 2, one for each number in parent"),
        ({"Xtree": cell([1, np.ones((6, 6))])}, r"Xtree\{2\} is not a Pl"),
        ({"gravity": [[1, 2]]}, "gravity: want 3 components"),
    ],
)  # fmt: skip
def test_wrong_structs_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        Model.from_matlab(struct(**changes))


BEYOND = [
    ({"Xtree": cell([np.eye(6)] * 3)}, 2, "Xtree; a transform to an end effector is a frame"),
    ({"Xtree": cell([np.eye(6)] * 3), "NB": ...}, 2, "Xtree; a transform"),
    ({"parent": [[0, 1, 2]]}, 2, "parent$"),
    ({"parent": [[0, 1, 9]]}, 2, "parent$"),
    ({"parent": [[0, 1, 2]], "I": cell([np.eye(6)] * 3)}, 2, "parent, I$"),
    ({"NB": 1}, 1, "parent, jtype, Xtree, I$"),
]


@pytest.mark.parametrize(("changes", "n", "names"), BEYOND)
def test_entries_beyond_the_bodies_are_not_read(
    changes: dict[str, Any], n: int, names: str
) -> None:
    """MATLAB uses the entries 1 to NB; models often have a transform to a hand behind them."""
    with pytest.warns(UserWarning, match=f"more entries than the {n} bodies.*are read: {names}"):
        model = Model.from_matlab(struct(**changes))
    assert (model.NB, model.jtype, len(model.Xtree)) == (n, ("Rx", "Ry")[:n], n)


OPAQUE = np.array([(b"", b"MCOS", b"casadi.SX", None)], dtype=[(f"s{k}", "O") for k in range(3)]
                  + [("arr", "O")]).view(MatlabOpaque)  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (OPAQUE, r"struct.Xtree\{1\}: .*an object of class casadi.SX; convert it in MATLAB"),
        (MatlabInstance("casadi.DM"), r"class casadi.DM; .* save it: full$"),
        (
            MatlabObject(np.zeros((1, 1), dtype=[("a", "O")]), "tree"),
            r"got an object of class tree$",
        ),
        (MatlabInstance("function_handle"), r"got a function handle$"),
    ],
)
def test_objects_of_classes_are_named(given: Any, message: str) -> None:
    """Objects of CasADi in a model struct, as files of both versions have them."""
    two = np.empty((1, 2), dtype=object)
    two[0, 0], two[0, 1] = given, np.eye(6)
    with pytest.raises(ModelFileError, match=message):
        Model.from_matlab(struct(Xtree=two))


def test_an_impossible_inertia_is_told_with_its_file(tmp_path: Path) -> None:
    I = np.diag([30.0, 1, 1, 1, 1, 1])
    savemat(tmp_path / "m.mat", {"model": struct(I=cell([np.eye(6), I]))})
    with pytest.warns(InertiaWarning, match=r"m.mat: model: I\{2\} is the inertia of no"):
        Model.from_matlab(tmp_path / "m.mat")


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    with pytest.raises(ModelFileError, match=r"m.mat: cannot be read: No such file"):
        Model.from_matlab(file)
    file.write_text("not a .mat file")
    with pytest.raises(ModelFileError, match=r"m.mat: not a .mat file"):
        Model.from_matlab(file)
    with pytest.raises(ModelFileError, match="cannot be read: File name too long"):
        Model.from_matlab("m" * 300 + ".mat")
    with pytest.raises(ModelFileError, match="want a MATLAB struct or a path, got int"):
        Model.from_matlab(3)


def test_the_variable_is_chosen_and_named(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    savemat(file, {"x": 1, "y": csc_array(np.eye(2)), "z": {"parent": 1.0}, "e": {}})
    held = (
        r"it holds x \(the number 1\), y \(a sparse 2x2 matrix\), z \(a struct with parent\), "
        r"e \(a struct without fields\); a model is a struct with the fields parent, jtype, Xtree"
    )
    with pytest.raises(ModelFileError, match=held):
        Model.from_matlab(file)
    savemat(file, {"a": struct(), "b": struct(parent=[[0, 0]]), "x": 1})
    with pytest.raises(
        ModelFileError,
        match="m.mat: there are several .*; want one of these as name=: a, b",
    ):
        Model.from_matlab(file)
    asked = "'x' is not a model struct but the number 1; want one of these as name=: a, b"
    with pytest.raises(ModelFileError, match=asked):
        Model.from_matlab(file, "x")
    with pytest.raises(ModelFileError, match="variable 'c' is not there; want one of"):
        Model.from_matlab(file, "c")
    assert Model.from_matlab(file, "b").parent.tolist() == [-1, -1]


@pytest.mark.parametrize("length", [0, 1, 100, 128, 129, 135, 136, 140, 200, 500, 900])
def test_a_truncated_file_is_one_readable_error(length: int, tmp_path: Path) -> None:
    whole = (FOLDER / "model_structs" / "autoTree_rotor.mat").read_bytes()
    (tmp_path / "m.mat").write_bytes(whole[:length])
    with pytest.raises(ModelFileError, match=r"m\.mat: "):
        Model.from_matlab(tmp_path / "m.mat")


def test_other_values_are_returned_unchanged() -> None:
    assert plain(HANDLE) is HANDLE
    assert plain(len) is len
    assert plain(np.array(len, dtype=object)).item() is len


@pytest.mark.parametrize(
    ("begin", "kind"),
    [
        (b"# Created by Octave 7.3.0\n# name: m\n", "a text file"),
        (b"Octave-1-L\x00\x01", "a binary file"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"\x1f\x8b\x08\x00", "a compressed file"),
    ],
)
def test_formats_of_octave_alone_are_refused(begin: bytes, kind: str, tmp_path: Path) -> None:
    file = tmp_path / "model.mat"
    file.write_bytes(begin + bytes(200))
    with pytest.raises(ModelFileError, match=f"{kind} in a format .* save -v7 FILE"):
        Model.from_matlab(file)
