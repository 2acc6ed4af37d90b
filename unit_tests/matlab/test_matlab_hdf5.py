"""MATLAB files of version 7.3 are read with h5py; without it one sentence says what to do."""

import itertools
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
from golden_io import FOLDER
from numpy.testing import assert_array_equal
from scipy.io import loadmat
from scipy.sparse import csc_array, issparse

from spatial_v2 import Model, ModelFileError
from spatial_v2.files.matlab_file import read_variables
from spatial_v2.files.matlab_values import plain

h5py = pytest.importorskip("h5py")

STRUCTS = sorted((FOLDER / "model_structs").glob("*.mat"))
USERBLOCK = 512
NUMBERS = itertools.count()


def write(file: Path, variables: dict[str, Any]) -> None:
    """Write a file as MATLAB does: a text header, then HDF5 with the MATLAB classes as
    attributes.
    """
    with h5py.File(file, "w", userblock_size=USERBLOCK) as root:
        for name, value in variables.items():
            put(root, root, name, value)
    header = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM"
    with file.open("r+b") as f:
        f.write(header)


def put(root: Any, group: Any, name: str, value: Any) -> None:
    if isinstance(value, dict) and value:
        inside = group.create_group(name)
        inside.attrs["MATLAB_class"] = np.bytes_("struct")
        for field, x in value.items():
            put(root, inside, field, x)
        return
    if issparse(value):
        inside = group.create_group(name)
        inside.attrs["MATLAB_class"] = np.bytes_("double")
        inside.attrs["MATLAB_sparse"] = np.uint64(value.shape[0])
        inside.update({"data": value.data, "ir": value.indices, "jc": value.indptr})
        return
    kind, stored = "double", np.atleast_2d(value).T if isinstance(value, np.ndarray) else None
    if isinstance(value, str):
        kind, stored = "char", np.array([[ord(c)] for c in value], dtype=np.uint16)
    elif isinstance(value, list):
        kind, stored = "cell", np.array([[refer(root, x)] for x in value], dtype=h5py.ref_dtype)
    elif isinstance(value, dict):
        kind = "struct"
    empty = stored is None or stored.size == 0
    if empty:
        stored = np.array([1, 1] if isinstance(value, dict) else [0, 0], dtype=np.uint64)
    elif stored.dtype.kind == "c":
        pair = np.zeros(stored.shape, dtype=[("real", "f8"), ("imag", "f8")])
        pair["real"], pair["imag"], stored = stored.real, stored.imag, pair
    item = group.create_dataset(name, data=stored)
    item.attrs["MATLAB_class"] = np.bytes_(kind)
    if empty:
        item.attrs["MATLAB_empty"] = np.uint8(1)


def refer(root: Any, value: Any) -> Any:
    """Return a reference to a value in the group where MATLAB stores the contents of cells."""
    store = root.require_group("#refs#")
    name = f"r{next(NUMBERS)}"
    put(root, store, name, value)
    return store[name].ref


@pytest.mark.parametrize("file", STRUCTS, ids=lambda f: f.stem)
def test_a_model_is_the_same_in_every_version(file: Path, tmp_path: Path) -> None:
    write(tmp_path / "m.mat", {"model": plain(loadmat(file)["model"]), "x": np.eye(2)})
    ours, wanted = Model.from_matlab(tmp_path / "m.mat"), Model.from_matlab(file)
    assert repr(ours) == repr(wanted)
    for field in ("parent", "Xtree", "I", "gravity", "has_rotor", "Xrotor", "I_rotor", "gr"):
        assert_array_equal(getattr(ours, field), getattr(wanted, field), field)


def test_values_of_every_class_are_read(tmp_path: Path) -> None:
    wanted = {
        "text": "Rx\N{GREEK SMALL LETTER ALPHA}", "empty_text": "", "cell": ["a", [np.eye(2)], []],
        "numbers": np.arange(6.0).reshape(2, 3), "complex": np.array([[1 + 2j, 3]]),
        "struct": {"a": np.eye(1), "b": {}}, "no_fields": {}, "empty": np.zeros((0, 0)),
    }  # fmt: skip
    file = tmp_path / "m.mat"
    write(file, {**wanted, "sparse": csc_array(np.triu(np.ones((2, 3))))})
    found = read_variables(file)
    assert {name: repr(found[name]) for name in wanted} == {k: repr(x) for k, x in wanted.items()}
    assert_array_equal(plain(found["sparse"]), np.triu(np.ones((2, 3))))


def test_an_array_of_structs_is_read(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    write(file, {})
    with h5py.File(file, "r+") as root:
        group = root.create_group("s")
        group.attrs["MATLAB_class"] = np.bytes_("struct")
        group["a"] = np.array([[refer(root, x)] for x in ("x", "y")], dtype=h5py.ref_dtype)
    assert read_variables(file)["s"] == [{"a": "x"}, {"a": "y"}]


def test_a_function_handle_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    model = plain(loadmat(STRUCTS[0])["model"])
    write(file, {"model": model})
    with h5py.File(file, "r+") as root:
        handle = root["model"].create_group("gamma_q")
        handle.attrs["MATLAB_class"] = np.bytes_("function_handle")
    with pytest.warns(UserWarning, match="fields not read: gamma_q"):
        assert Model.from_matlab(file).parent.size == model["NB"]


def test_a_file_written_by_matlab_is_read() -> None:
    folder = Path(scipy.io.__file__).parent / "matlab" / "tests" / "data"
    file = folder / "testhdf5_7.4_GLNX86.mat"
    if not file.exists():
        pytest.skip("this SciPy is installed without its test data")
    wanted = np.linspace(0, 2 * np.pi, 9)[None]
    np.testing.assert_allclose(read_variables(file)["testdouble"], wanted, atol=1e-15)
    with pytest.raises(ModelFileError, match="it holds testdouble"):
        Model.from_matlab(file)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.mat"
    write(file, {"model": plain(loadmat(STRUCTS[0])["model"])})
    whole = file.read_bytes()
    for length in range(USERBLOCK, len(whole), len(whole) // 7):
        file.write_bytes(whole[:length])
        with pytest.raises(ModelFileError, match=r"m.mat: the file of version 7.3 is damaged: "):
            Model.from_matlab(file)


def test_without_h5py_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "m.mat", {"x": np.eye(2)})
    monkeypatch.delitem(sys.modules, "spatial_v2.files.matlab_hdf5", raising=False)
    monkeypatch.setitem(sys.modules, "h5py", None)
    message = r"m.mat: reading a file of version 7.3 needs h5py: pip install h5py; or .* -v7$"
    with pytest.raises(ModelFileError, match=message):
        Model.from_matlab(tmp_path / "m.mat")
