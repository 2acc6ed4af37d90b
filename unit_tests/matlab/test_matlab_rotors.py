"""Rotor fields of MATLAB's model struct: complete, incomplete, and for joints without a rotor."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from golden_io import get, load, raw
from matlab_struct import struct
from numpy.testing import assert_allclose, assert_array_equal
from scipy.io import loadmat, savemat

from spatial_v2 import ID, FDab, Model, ModelFileError, mcI, xlt
from spatial_v2.files.matlab_values import cell

ROTOR = ("jtype_rotor", "Xrotor", "I_rotor", "gr")


def robot(case: str) -> dict[str, Any]:
    """Return the struct of a robot as its MATLAB constructor makes it, with all rotor fields under
    their right names.
    """
    data = load("h_robots")

    def stack(what: str) -> np.ndarray:
        return cell(list(np.moveaxis(raw(data, case, f"model_{what}"), -1, 0)))

    n = int(raw(data, case, "model_NB").item())
    return {
        "NB": n,
        "parent": raw(data, case, "model_parent"),
        "jtype": cell([str(code).strip() for code in raw(data, case, "model_jtype")]),
        "Xtree": stack("Xtree"),
        "I": stack("I"),
        "gravity": raw(data, case, "model_gravity"),
        "has_rotor": np.ones((1, n)),
        "jtype_rotor": cell([str(code).strip() for code in raw(data, case, "model_jtype_rotor")]),
        "Xrotor": stack("Xrotor"),
        "I_rotor": stack("I_rotor"),
        "gr": cell(raw(data, case, "model_gr").ravel().tolist()),
    }


@pytest.mark.parametrize(
    ("case", "field", "other"),
    [("TX40", "I_rotor", "I_rot"), ("CheetahLeg", "Xrotor", "Xtree_motor")],
)  # fmt: skip
def test_rotors_under_names_of_their_own_are_kept(
    case: str, field: str, other: str, tmp_path: Path
) -> None:
    """A rotor field under the wrong name that MATLAB's constructors give it is read without a
    warning.
    """
    fields = robot(case)
    right = Model.from_matlab(dict(fields))
    fields[other] = fields.pop(field)
    savemat(tmp_path / "m.mat", {"model": fields})
    model = Model.from_matlab(tmp_path / "m.mat")
    assert model.has_rotor.all()
    for name in ROTOR:
        assert_array_equal(getattr(model, name), getattr(right, name))


@pytest.mark.parametrize("case", ["TX40_norot", "CheetahLeg_norot"])
def test_robots_without_their_rotors_agree_with_matlab(case: str) -> None:
    """A robot without its rotors agrees with MATLAB, which ignores them because of a misnamed
    field.
    """
    data, model = load("h_robots"), Model.from_matlab(robot(case[: case.index("_")]))
    model = model.replace(has_rotor=None)
    q, qd, qdd = (get(data, case, f"in_{x}") for x in ("q", "qd", "qdd"))
    assert_allclose(ID(model, q, qd, qdd), get(data, case, "ID_tau"), atol=1e-12)
    tau = get(data, case, "in_tau")
    assert_allclose(FDab(model, q, qd, tau), get(data, case, "FDab_qdd"), atol=1e-12)


@pytest.mark.parametrize("case", ["TX40", "CheetahLeg", "Puma560", "Scara"])
def test_complete_rotors_are_as_in_matlab(case: str) -> None:
    model = Model.from_matlab(robot(case))
    data, case = load("h_robots"), f"{case}_rot"
    q, qd, qdd = (get(data, case, f"in_{x}") for x in ("q", "qd", "qdd"))
    assert_allclose(ID(model, q, qd, qdd), get(data, case, "ID_tau"), atol=1e-12)


@pytest.mark.parametrize("name", ROTOR)
def test_only_rotors_without_data_are_left_out(name: str, tmp_path: Path) -> None:
    fields = robot("Scara")
    kept = [x for k, x in enumerate(fields[name][0]) if k != 1]
    fields[name] = cell([kept[0], "" if name == "jtype_rotor" else [], *kept[1:]])
    savemat(tmp_path / "m.mat", {"model": fields})
    with pytest.warns(UserWarning, match=rf"does not have {name} of joint 2 \(joints from 1\)"):
        model = Model.from_matlab(tmp_path / "m.mat")
    assert model.has_rotor.tolist() == [True, False, True, True]


def test_data_of_joints_without_a_rotor_are_kept(tmp_path: Path) -> None:
    fields = robot("Puma560")
    fields["has_rotor"] = np.array([[1, 0, 1, 0, 0, 0]])
    fields["gr"] = cell([2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    savemat(tmp_path / "a.mat", {"model": fields})
    model = Model.from_matlab(tmp_path / "a.mat")
    model.to_matlab(tmp_path / "b.mat")
    for again in (model, Model.from_matlab(tmp_path / "b.mat")):
        assert again.has_rotor.tolist() == [True, False, True, False, False, False]
        assert again.gr.tolist() == [2, 3, 4, 5, 6, 7]
        assert again.jtype_rotor == ("Rz",) * 6
        for name in ("Xrotor", "I_rotor"):
            assert_array_equal(getattr(again, name), np.stack(list(fields[name][0])))


def test_a_gear_ratio_alone_is_kept(tmp_path: Path) -> None:
    """Gear ratios without rotors, as in MATLAB's Panda, are kept."""
    fields = struct(has_rotor=np.zeros((1, 2)), gr=cell([5.0, 5.0]))
    Model.from_matlab(fields).to_matlab(tmp_path / "m.mat")
    assert Model.from_matlab(tmp_path / "m.mat").gr.tolist() == [5, 5]
    assert [x.item() for x in loadmat(tmp_path / "m.mat")["model"]["gr"][0, 0][0]] == [5, 5]


def test_missing_data_of_a_rotor_have_defaults() -> None:
    """Missing rotor data have defaults: gear ratio one, transform identity, inertia zero.

    MATLAB's cells may end before the last body.
    """
    one = {name: x[:, :1] for name, x in robot("Puma560").items() if name in ROTOR}
    for end in ([], [[], []]):
        given = {name: cell([x[0, 0], *end]) for name, x in one.items()}
        model = Model.from_matlab(struct3(has_rotor=[[1, 0, 0]], **given))
        assert model.gr.tolist() == [5, 1, 1]
        assert model.jtype_rotor == ("Rz", None, None)
        assert_array_equal(model.Xrotor[1:], [np.eye(6)] * 2)
        assert_array_equal(model.I_rotor[1:], np.zeros((2, 6, 6)))


def struct3(**changes: Any) -> dict[str, Any]:
    """Return a valid struct of three bodies."""
    three = cell([mcI(1.0, [0.1, 0.2, 0.3], np.eye(3))] * 3)
    X = cell([xlt([0.0, 0.0, 1.0])] * 3)
    fields = {"parent": [[0, 1, 2]], "jtype": cell(["Rx", "Ry", "Rz"]), "Xtree": X, "I": three}
    return struct(**{**fields, "NB": 3, **changes})


@pytest.mark.parametrize("has", [[1, 0], [0, 1], [1, 1], [0, 0]])
def test_no_field_of_matlab_is_called_stale(has: list[int], tmp_path: Path) -> None:
    """A struct as MATLAB's `postProcessModel` makes it is read without a warning.

    Its field `rotor_param_inds` ends with the last body that has a rotor.
    """
    fields = robot("Test")
    fields["has_rotor"] = np.array([has])
    count = np.cumsum(has)
    inds = [np.arange(10.0)[None] + 10 * count[k] - 9 if h else [] for k, h in enumerate(has)]
    while inds and np.size(inds[-1]) == 0:
        inds.pop()
    fields |= {"NB_rot": float(sum(has)), "rotor_param_inds": cell(inds)}
    savemat(tmp_path / "m.mat", {"model": fields})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Model.from_matlab(tmp_path / "m.mat").has_rotor.tolist() == [h == 1 for h in has]
    if not any(has):
        return
    fields["rotor_param_inds"] = cell([np.arange(10.0)[None] + 11, *inds[1:]])
    with pytest.warns(UserWarning, match="the tree and are recomputed: rotor_param_inds"):
        Model.from_matlab(fields)


def test_a_model_of_ours_with_a_rotor_comes_back_in_full(tmp_path: Path) -> None:
    model = zoo.build("one_rotor")
    model.to_matlab(tmp_path / "m.mat")
    again = Model.from_matlab(tmp_path / "m.mat")
    assert model.jtype_rotor == again.jtype_rotor and None not in again.jtype_rotor
    for name in ("has_rotor", "gr", "Xrotor", "I_rotor"):
        assert_array_equal(getattr(again, name), getattr(model, name))


def test_a_joint_code_that_is_used_is_checked() -> None:
    fields = robot("Test") | {"jtype_rotor": cell(["Rz", "Rw"])}
    with pytest.raises(ModelFileError, match=r"struct.jtype_rotor\{2\}: unknown joint code 'Rw'"):
        Model.from_matlab(fields)
