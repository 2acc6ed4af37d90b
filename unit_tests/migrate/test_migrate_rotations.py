"""Functions of MATLAB's Robotics System Toolbox for rotations, and files of text."""

from pathlib import Path

import numpy as np
import pytest

import spatial_v2 as sv
import spatial_v2.matlab.runtime as ml

RNG = np.random.default_rng(4)
AXES = (sv.rotz, sv.roty, sv.rotx)
FORMS = ("quat", "rotm", "tform", "axang", "eul")


def a(x: object) -> np.ndarray:
    return np.asarray(getattr(x, "a", x))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("other", FORMS)
def test_forms_of_a_rotation_are_those_of_one_matrix(form: str, other: str) -> None:
    if form == other:
        return
    R = sv.randomRotation(RNG)
    given = ml.value(R) if form == "rotm" else getattr(ml, f"rotm2{form}")(ml.value(R))
    found = getattr(ml, f"{form}2{other}")(given)
    back = found if other == "rotm" else getattr(ml, f"{other}2rotm")(found)
    assert np.allclose(a(back), R, atol=1e-14)


def test_angles_and_quaternions_have_the_order_of_matlab() -> None:
    angles = ml.row(0.3, -0.2, 0.7)
    Rz, Ry, Rx = (f(-x)[:3, :3] for f, x in zip(AXES, a(angles)[0], strict=True))
    assert np.allclose(a(ml.eul2rotm(angles)), Rz @ Ry @ Rx, atol=1e-15)
    assert np.allclose(a(ml.eul2rotm(ml.row(0.3, -0.2, 0.7), "XYZ")), _xyz(), atol=1e-15)
    q = a(ml.rotm2quat(ml.value(Rz)))
    assert np.allclose(q, [[np.cos(0.15), 0, 0, np.sin(0.15)]])
    p = ml.rotm2quat(ml.value(Ry))
    assert np.allclose(a(ml.quat2rotm(ml.quatmultiply(ml.value(q), p))), Rz @ Ry, atol=1e-15)
    one = ml.quatmultiply(ml.quatinv(p), p)
    assert np.allclose(a(one), [[1, 0, 0, 0]])


def _xyz() -> np.ndarray:
    return sv.rotx(-0.3)[:3, :3] @ sv.roty(0.2)[:3, :3] @ sv.rotz(-0.7)[:3, :3]


def test_several_rotations_are_pages() -> None:
    angles = RNG.normal(size=(4, 3))
    found = a(ml.eul2rotm(ml.value(angles)))
    assert found.shape == (3, 3, 4)
    assert np.allclose(found[:, :, 2], a(ml.eul2rotm(ml.value(angles[[2]]))))
    T = ml.trvec2tform(ml.row(1, 2, 3))
    assert a(T)[:3, 3].tolist() == [1, 2, 3] and a(ml.tform2trvec(T)).tolist() == [[1, 2, 3]]


def test_angles_are_wrapped() -> None:
    x = ml.row(0, np.pi, -np.pi, 3 * np.pi, -3.5 * np.pi, 7)
    expected = [0, np.pi, -np.pi, np.pi, np.pi / 2, 7 - 2 * np.pi]
    assert np.allclose(a(ml.wrapToPi(x)).ravel(), expected)
    assert np.allclose(a(ml.angdiff(ml.value(3.0), ml.value(-3.0))), 2 * np.pi - 6)


def test_tables_keep_places_and_pass_over_titles(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("time, x\n1, 2\n3,\n")
    found = a(ml.readmatrix(str(file)))
    assert np.array_equal(found, [[1, 2], [3, np.nan]], equal_nan=True)
    assert a(ml.csvread(str(file), 1, 0)).tolist() == [[1, 2], [3, 0]]
    with pytest.raises(ml.MatlabError, match="want numbers"):
        ml.importdata(str(file))
