"""Every number of the original library is compared by a test; those that no other test reads, by
tests of this file.
"""

import ast
import re
from functools import partial
from pathlib import Path

import golden_io
import numpy as np
import pytest
from helpers import near
from numpy.testing import assert_array_equal

import spatial_v2 as sv
import tensor_sva as sva
from derivatives import modFD, modID
from spatial_v2 import matlab, orientation

FILES = sorted(path.stem for path in golden_io.FOLDER.glob("*.mat"))
STRUCTS = sorted(path.name for path in (golden_io.FOLDER / "model_structs").iterdir())
TEXTS = [path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].glob("*/*.py")]
INPUTS = r"in_.*|model_.*"
COMPOSED = {
    "b_joints": r"nq|nv",
    "d_dynamics_core": r"HD_.*",
    "d_floatbase": r"FDfb_.*|IDfb_.*",
    "d_planar": r"HD_.*",
    "d_regressors": r"Regressor.*",
    "d_rotor": r"Regressor.*",
    "e_spatial_force": r"spatial_force_.*",
    "g_orientation_inertia": r".*Rate(Left|Right)",
}
"""By file, patterns of names that tests compose of several words or of names of functions."""
DEFECTS = {
    "a_spatial": {"rv_v": "zero at half-turns, where the vector has length pi"},
    "e_kkt_impact": {"Impact_dyn_e025": "the restitution has the wrong sign"},
    "h_robots": {"patched": "says which misnamed field was mended"},
}
"""By file, numbers that are wrong in MATLAB or do not matter, with the reason."""


near = partial(near, tolerance=1e-9, least=1e-3)


def names_of(text: str) -> set[str]:
    """Return patterns of the words in the strings of a module, but not in its docstrings; the
    variable parts of an f-string match any text, and so does what follows an underscore at the end.
    """
    tree = ast.parse(text)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            found |= {re.escape(word) for word in node.value.split()}
        elif isinstance(node, ast.JoinedStr):
            parts = [v.value if isinstance(v, ast.Constant) else "" for v in node.values]
            if len("".join(parts)) > 1:
                found |= set("".join(re.escape(x) or ".+" for x in parts).split("\\ "))
    return {
        re.sub("_$", "_.*", pattern) for pattern in found if pattern.strip(".+") not in ("", "_")
    }


@pytest.mark.parametrize("file", FILES)
def test_every_number_is_read(file: str) -> None:
    """The name of every number occurs in a test module that reads its file."""
    named = re.compile(rf'[" ]{file}(?: |"(?!:))')
    readers = [text for text in TEXTS if named.search(text)]
    patterns = set().union({INPUTS, COMPOSED.get(file, "")}, *map(names_of, readers))
    known = re.compile("|".join(f"(?:{pattern})" for pattern in sorted(patterns)))
    whats = {key.split("__", 1)[1] for key in golden_io.load(file)}
    unread = {what for what in whats if not known.fullmatch(what)}
    assert readers and not unread - DEFECTS.get(file, {}).keys()


@pytest.mark.parametrize("name", STRUCTS)
def test_every_struct_is_read(name: str) -> None:
    stem = name.removesuffix(".mat")
    assert any(f'"{stem}"' in text or '"model_structs").glob' in text for text in TEXTS)


@pytest.mark.parametrize(("file", "name"), [(f, n) for f, names in DEFECTS.items() for n in names])
def test_listed_defects_are_of_existing_numbers(file: str, name: str) -> None:
    assert any(key.endswith(f"__{name}") for key in golden_io.load(file))


MODELS = [(file, case) for file in FILES for case in golden_io.cases(file, "model_parent")]


@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
@pytest.mark.parametrize(("file", "case"), MODELS)
def test_sizes_and_ancestors_of_models_agree_with_matlab(file: str, case: str) -> None:
    """The sizes and ancestors that `Model` derives are equal to MATLAB's."""
    data = golden_io.load(file)
    model = golden_io.model_of(data, case)
    for what in ("NB", "NV", "NQ", "nq", "nv", "gravity"):
        if golden_io.has(data, case, f"model_{what}"):
            wanted = golden_io.raw(data, case, f"model_{what}").ravel()
            assert_array_equal(np.ravel(getattr(model, what)), wanted, what)
    if golden_io.has(data, case, "model_ancestors"):
        wanted = golden_io.raw(data, case, "model_ancestors")
        for i, path in enumerate(model.ancestors):
            assert set(np.flatnonzero(wanted[i])) == {*path, i}
    if golden_io.has(data, case, "model_rotor_param_inds"):
        places = golden_io.raw(data, case, "model_rotor_param_inds")[model.has_rotor]
        assert_array_equal(places.ravel(), 1 + np.arange(places.size))


def test_rotations_series_and_axes_of_tensors_agree_with_matlab() -> None:
    data = golden_io.load("a_spatial")
    theta = golden_io.raw(data, "ang", "in_theta")[0]
    for f, what in ((sv.Rx, "Rx_R"), (sv.Ry, "Ry_R"), (sv.Rz, "Rz_R")):
        near(f(theta), golden_io.get(data, "ang", what))
    v = golden_io.get(data, "crs", "in_v")
    near(sv.rightJacobianOfExp(sv.crm(v)), golden_io.get(data, "crs", "rightJacobianOfExp_crm"))
    T = golden_io.raw(data, "tens", "in_T")
    near(sva.rotR(T), golden_io.raw(data, "tens", "tensorRotR"))
    near(sva.rotT(T), golden_io.raw(data, "tens", "tensorRotT"))


@pytest.mark.parametrize("case", golden_io.cases("d_planar", "modID_out"))
def test_contractions_of_planar_models_agree_with_matlab(case: str) -> None:
    data = golden_io.load("d_planar")
    model = golden_io.model_of(data, case)
    q, qd, x, tau, lambda_ = (
        golden_io.get(data, case, f"in_{name}") for name in ("q", "qd", "qdd", "tau", "lambda")
    )
    near(modID(model, q, qd, x, lambda_), golden_io.raw(data, case, "modID_out")[0])
    near(modFD(model, q, qd, tau, lambda_), golden_io.raw(data, case, "modFD_out")[0])


@pytest.mark.parametrize("case", golden_io.cases("d_dynamics_matrices", "CMM_Ad_qd"))
def test_second_result_of_cmm_agrees_with_matlab(case: str) -> None:
    data = golden_io.load("d_dynamics_matrices")
    model = golden_io.model_of(data, case)
    states = (golden_io.get(data, case, name) for name in ("in_q", "in_qd", "CMM_Ad_qd"))
    for q, qd, wanted in zip(*states, strict=True):
        near(matlab.CMM(model, q, qd, nargout=2)[1], wanted)


@pytest.mark.parametrize("case", golden_io.cases("d_rotor", "HandC_gravity_C"))
def test_gravity_and_rotors_agree_with_matlab(case: str) -> None:
    data = golden_io.load("d_rotor")
    q, qd = (golden_io.get(data, case, f"in_{x}") for x in ("q", "qd"))
    found = sv.HandC(golden_io.model_of(data, case), q, 0 * qd).C
    near(found, golden_io.get(data, case, "HandC_gravity_C"))


@pytest.mark.parametrize("case", golden_io.cases("e_derivatives_first", "FDab_qdd"))
def test_dynamics_stored_with_derivatives_agrees_with_matlab(case: str) -> None:
    data = golden_io.load("e_derivatives_first")
    model = golden_io.model_of(data, case)
    q, qd, qdd, tau = (golden_io.get(data, case, f"in_{x}") for x in ("q", "qd", "qdd", "tau"))
    near(sv.ID(model, q, qd, qdd), golden_io.get(data, case, "ID_tau"))
    near(sv.FDab(model, q, qd, tau), golden_io.get(data, case, "FDab_qdd"))


@pytest.mark.parametrize("case", golden_io.cases("e_tensor_tools", "bodyFrame_dyn_a"))
def test_quantities_in_both_frames_agree_with_matlab(case: str) -> None:
    """The quantities that MATLAB's second repository stores for bodies, one body per
    column, agree.
    """
    data = golden_io.load("e_tensor_tools")
    model = golden_io.model_of(data, case)
    q, qd, qdd, m6, f6 = (
        golden_io.raw(data, case, f"in_{x}")[:, 0] for x in ("q", "qd", "qdd", "m6", "f6")
    )
    g, info = sv.GlobalDynamics(model, q, qd, qdd, m6=m6, f6=f6, return_info=True)
    for what in ("Ia", "If", "Im", "Iv", "vlam", "vxsf"):
        near(getattr(info, what).T, golden_io.raw(data, case, f"GlobalDynamics_{what}"))
    near(info.STf[:, None], golden_io.raw(data, case, "GlobalDynamics_STf"))
    near(info.vJxS, golden_io.raw(data, case, "GlobalDynamics_vJxS"))
    near(info.OXi, golden_io.get(data, case, "GlobalDynamics_OXi"))
    near(g.X0, golden_io.get(data, case, "GlobalDynamics_iXO"))
    body = sv.bodyFrame_dyn(model, q, qd, qdd)
    for what in ("a", "f", "fC"):
        near(getattr(body, what).T, golden_io.raw(data, case, f"bodyFrame_dyn_{what}"))


def test_tensors_of_one_row_or_column_agree_with_matlab() -> None:
    """Indexing gives what two helper functions of MATLAB give for tensors of one row or column."""
    data = golden_io.load("e_tensor_tools")
    first, second = (golden_io.raw(data, "tens", f"in_Hess{k}") for k in (1, 2))
    near(first[None][0].T, golden_io.raw(data, "tens", "hess_to_mat"))
    near(second[:, None][:, 0, :], golden_io.raw(data, "tens", "hess_to_mat2"))


def test_rates_at_the_identity_agree_with_matlab() -> None:
    data = golden_io.load("g_orientation_inertia")
    w = golden_io.raw(data, "ident", "in_w").ravel()
    for name in (n for n in orientation.__all__ if "Rate" in n):
        at = np.eye(4)[0] if name.startswith("quat") else np.zeros(3)
        wanted = golden_io.raw(data, "ident", name).ravel()
        near(getattr(orientation, name)(at, w), wanted)


def test_the_other_roll_pitch_and_yaw_agrees_with_matlab() -> None:
    """MATLAB returns the first of the two solutions from its conversions of other
    representations.
    """
    data = golden_io.load("g_orientation_inertia")
    R = golden_io.get(data, "ori", "in_rot")
    first, _ = sv.rotToFixedAngles(R, (1, 2, 3))
    for name in ("rotToRpy_1", "rotToRpy", "angleAxisToRpy", "cayleyToRpy", "mrpToRpy"):
        if golden_io.has(data, "ori", name):
            near(first, golden_io.get(data, "ori", name).real)
    for n in (2, 3):
        R = orientation.cayleyToRot(golden_io.get(data, "ori", "in_cayley_hi"), n)
        near(sv.rotToFixedAngles(R, (1, 2, 3))[0], golden_io.get(data, "ori", f"cayleyToRpy_n{n}"))
    q = golden_io.get(data, "ori", "in_quat")
    near(orientation.quatToRpy(q), golden_io.get(data, "ori", "quatToRpy").real)
    U = orientation.quatToSU2(q)
    near(sv.SU2toQuat(U), golden_io.get(data, "ori", "SU2toQuat"))


@pytest.mark.parametrize("robot", golden_io.cases("h_robots", "rotor_constraint"))
def test_rotors_of_robots_are_round(robot: str) -> None:
    wanted = golden_io.raw(golden_io.load("h_robots"), robot, "rotor_constraint")
    near(sv.symmetric_rotor("z"), wanted)


def test_sizes_of_the_quadruped_agree_with_matlab() -> None:
    data, sizes = golden_io.load("e_kkt_impact"), sv.get_miniCheetah_params()
    assert sizes.hip_link_length == golden_io.raw(data, "quad", "hiplinkLength").item()
    assert sizes.knee_link_length == golden_io.raw(data, "quad", "kneelinkLength").item()
    near(
        np.abs(golden_io.raw(data, "quad", "hip_x")).ravel(),
        np.full(2, sizes.abad_location[0]),
    )
