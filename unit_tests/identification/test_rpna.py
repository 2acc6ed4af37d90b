"""RPNA and its bases: the null space of sampled regressors for every joint, and
MATLAB's numbers.
"""

from collections.abc import Callable
from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import for_each, near
from scipy.linalg import null_space

from spatial_v2 import (
    INERTIAL_PARAMETERS,
    RPNA,
    ArrayShapeError,
    CleanMat,
    ComputeBases,
    ComputeSampledRegressor,
    IsIdentifiable,
    IsUnidentifiable,
    Model,
    ModelError,
    Output_InnerProduct,
    OutputMatrix,
    PrintParameterSummary,
    Puma560_model,
    RangeBasis,
    Rate_Parameters,
    RPNA_rotor,
    SpatialError,
    SwitchedControllabilityMatrix,
    SwitchedObservabilityMatrix,
    Transform_Parameters,
    UnitVectorComplementarySubspace,
    autoTree,
    autoTree_rotor,
    crf,
    crm,
    floatbase,
    getModelInertialParams,
    inertiaMatToVec,
    inertiaVecToMat,
    load_model,
    planar,
    plux,
    rq,
    symmetric_rotor,
)
from spatial_v2.joints import JOINT_TYPES

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
SAMPLES = 40
MATLAB = {
    "Puma560": (24, 18, 80),
    "Scara": (32, 15, 69),
    "Panda": (27, 21, 92),
    "CheetahLeg": (13, 9, None),
    "TX40": (26, 18, None),
    "Test": (12, 6, 32),
}
"""Dimensions of the null spaces in MATLAB: fixed base, free base, with rotors."""


def robot(name: str, rotors: bool = False) -> Model:
    """Return a robot of MATLAB's library, with MATLAB's rotors if requested."""
    model = golden_io.model_of(golden_io.load("h_robots"), name)
    if not rotors:
        return model.replace(has_rotor=None)
    if name == "Panda":
        n = model.NB
        gears = {"jtype_rotor": model.jtype, "Xrotor": model.Xtree, "I_rotor": model.I}
        return model.replace(has_rotor=[True] * n, gr=[5.0] * n, **gears)
    return model


def sampled(model: Model, rotors: bool = False, constraint: Any = None) -> np.ndarray:
    """Return regressors at random states, those of rotors multiplied by a projector."""
    rng = np.random.default_rng(list(model.name.encode()))
    Y = ComputeSampledRegressor(model, SAMPLES, rng=rng)
    links, n = 10 * model.NB, Y.shape[1]
    if not rotors:
        return Y[:, :links]
    P = np.eye(10) if constraint is None else constraint
    parts = [Y[:, k : k + 10] @ P for k in range(links, n, 10)]
    return np.hstack([Y[:, :links], *parts])


def found(model: Model, rotors: bool, constraint: Any = None) -> Any:
    return RPNA_rotor(model, rotor_constraint=constraint) if rotors else RPNA(model)


def missing(rows: list[np.ndarray]) -> int:
    return sum(x.shape[1] - len(x) for x in rows)


CASES = [(name, False, None) for name in zoo.NAMES]
CASES += [(name, True, axis) for name in zoo.ROTORS for axis in (None, "z", "x")]


@pytest.mark.parametrize(("name", "rotors", "axis"), zoo.over(CASES), ids=str)
def test_bases_are_those_of_sampled_regressors(name: str, rotors: bool, axis: Any) -> None:
    """Rank, null space and base parameters agree with those of sampled regressors, for any
    parameters.
    """
    model = zoo.build(name)
    P = np.eye(10) if axis is None else symmetric_rotor(axis)
    N, M, _, _ = found(model, rotors, P)
    Y = sampled(model, rotors, P)
    Null, Minimal, Perp, names = ComputeBases(model, N, M, rotor_constraint=P)
    size = np.linalg.norm(Y, 2)
    rank = int(np.linalg.matrix_rank(Y, 1e-9 * size))
    assert rank == Y.shape[1] - missing(N) == Minimal.shape[1] == len(names)
    near(Y @ Null / size, np.zeros((len(Y), missing(N))), 1e-12)
    pi = np.random.default_rng(1).normal(size=Y.shape[1])
    near(Y @ Minimal @ (Perp.T @ pi) / size, Y @ pi / size, 1e-12)
    near(Perp.T @ Minimal, np.eye(rank), 1e-15)
    near(Null.T @ Perp, np.zeros((missing(N), rank)), 1e-8)
    assert int(np.linalg.matrix_rank(Null)) == missing(N)


@pytest.mark.parametrize(("name", "rotors", "axis"), zoo.over(CASES), ids=str)
def test_identifiable_parameters_are_orthogonal_to_the_null_space(
    name: str, rotors: bool, axis: Any
) -> None:
    """A parameter is identifiable if it is zero in all vectors of the null space.

    It is unidentifiable if its column of the regressors is zero.
    """
    model = zoo.build(name)
    P = np.eye(10) if axis is None else symmetric_rotor(axis)
    N = found(model, rotors, P).N
    Y = sampled(model, rotors, P)
    Y = Y / np.linalg.norm(Y, 2)
    unseen = null_space(Y, 1e-9)
    bodies = [*range(model.NB)]
    if rotors:
        bodies += [model.NB + int(j) for j in np.flatnonzero(model.has_rotor)]
    for b, i in enumerate(bodies):
        for k in range(10):
            place = 10 * b + k
            known = bool(np.all(np.abs(unseen[place]) < 1e-7))
            absent = bool(np.all(np.abs(Y[:, place]) < 1e-12))
            assert IsIdentifiable(model, N, i, k, rotor_constraint=P) == known, (i, k)
            assert IsUnidentifiable(model, N, i, k, rotor_constraint=P) == absent, (i, k)


@pytest.mark.parametrize("name", MATLAB)
def test_dimensions_agree_with_matlab(name: str) -> None:
    fixed, free, geared = MATLAB[name]
    model = robot(name)
    assert missing(RPNA(model).N) == fixed
    assert missing(RPNA(model, free_base=True).N) == free
    if geared:
        rotors = RPNA_rotor(robot(name, rotors=True))
        assert missing(rotors.N) == geared


@for_each([x for x in JOINT_TYPES if len(JOINT_TYPES[x].S) == 6 and JOINT_TYPES[x].nv == 1])
def test_rotors_are_symmetric_about_the_axes_of_their_joints(code: str) -> None:
    """Without another constraint, rotors that turn are symmetric about the axis of their joint;
    those that slide have any inertia.
    """
    rotor = zoo.build("one_rotor")
    kinds = [{"code": code, "pars": {"pitch": 0.2}} if x else None for x in rotor.has_rotor]
    model = rotor.replace(jtype_rotor=kinds)
    turn = JOINT_TYPES[code].S[:3, 0]
    P = symmetric_rotor("xyz"[int(np.abs(turn).argmax())]) if turn.any() else np.eye(10)
    for a, b in zip(RPNA_rotor(model).N, RPNA_rotor(model, rotor_constraint=P).N, strict=True):
        np.testing.assert_array_equal(a, b)


def test_rows_of_the_puma_are_the_published_ones() -> None:
    assert [len(x) for x in RPNA(Puma560_model()).N] == [1, 7, 7, 7, 7, 7]


def test_a_free_base_is_a_floating_body_of_unknown_inertia() -> None:
    """Its null space is that of the tree on a floating body, and so are the single parameters that
    are identifiable; none of them is unidentifiable.
    """
    model = autoTree(4, 2, 0.7)
    floating = Model(
        parent=[-1, *(model.parent + 1)],
        jtype=["Fb", *model.jtype],
        Xtree=np.concatenate([np.eye(6)[None], model.Xtree]),
        I=np.concatenate([model.I[:1], model.I]),
    )
    free, fixed = RPNA(model, free_base=True).N, RPNA(floating).N
    assert missing(free) == missing(fixed) < missing(RPNA(floatbase(model)).N)
    for i, k in np.ndindex(4, 10):
        assert IsIdentifiable(model, free, i, k) == IsIdentifiable(floating, fixed, i + 1, k)
        assert not IsUnidentifiable(model, free, i, k, free_base=True)
        assert not IsUnidentifiable(floating, fixed, i + 1, k)
    assert IsUnidentifiable(model, RPNA(model).N, 0, "m")


@pytest.mark.parametrize("name", ["panda", "ur5", "solo12", "talos_arm"])
def test_rounded_angles_of_files_add_no_parameters(name: str) -> None:
    """Otherwise the base parameters would have very large coefficients."""
    model = load_model(name, couplings="free")
    N, M, _, _ = RPNA(model)
    bases = ComputeBases(model, N, M)
    Y = sampled(model)
    size = np.linalg.norm(Y, 2)
    assert np.linalg.matrix_rank(Y, 1e-9 * size) == bases.Perp_Basis.shape[1]
    pi = getModelInertialParams(model).a
    near(Y @ bases.Minimal_Basis @ (bases.Perp_Basis.T @ pi) / size, Y @ pi / size, 1e-9)
    assert np.abs(bases.Perp_Basis).max() < 5


def test_rounded_angles_count_by_the_tolerance() -> None:
    """An angle that is rounded to four digits of pi/2 counts as pi/2 or not, depending on the
    tolerance.
    """
    model = Puma560_model().replace(has_rotor=None)
    E = rq(np.array([np.cos(0.78538), np.sin(0.78538), 0, 0]))
    rounded = model.replace(Xtree=[X @ plux(E @ E @ E @ E, np.zeros(3)) for X in model.Xtree])
    assert missing(RPNA(rounded, tol=1e-3).N) >= missing(RPNA(model).N)
    assert missing(RPNA(rounded).N) < missing(RPNA(rounded, tol=1e-3).N)


def test_gravity_determines_what_is_identifiable() -> None:
    """A robot with a vertical axis has fewer identifiable parameters than with a tilted one,
    without gravity even fewer.
    """
    model = zoo.build("one_R")
    assert missing(RPNA(model.replace(gravity=[0, 0, 0])).N) == 9
    assert missing(RPNA(model).N) == 7


def test_regrouping_of_two_links_is_the_classical_result() -> None:
    """The base parameters of two links in a plane are the classical ones."""
    model = planar(2).replace(gravity=[0, -9.81])
    N, M, _, _ = RPNA(model)
    names = ComputeBases(model, N, M).names
    assert names == ["mcx0 + m1", "mcy0", "Izz0 + m1", "mcx1", "mcy1", "Izz1"]
    minus = model.replace(Xtree=[model.Xtree[0], np.linalg.inv(model.Xtree[1])])
    N, M, _, _ = RPNA(minus)
    assert ComputeBases(minus, N, M).names[0] == "mcx0 - m1"


@pytest.mark.parametrize("name", ["mixed", "rotors"])
def test_sampled_regressors_of_both_kinds_have_one_rank(name: str) -> None:
    model, rng = zoo.build(name), np.random.default_rng(2)
    both = [ComputeSampledRegressor(model, SAMPLES, hg, rng=rng) for hg in (False, True)]
    assert len({x.shape[1] for x in both}) == 1
    assert len({int(np.linalg.matrix_rank(x, 1e-9 * np.linalg.norm(x, 2))) for x in both}) == 1


def test_transforms_rates_and_products_agree_with_the_matrices() -> None:
    """Transforms, rates and products of inertial parameters agree with those of matrices."""
    rng = np.random.default_rng(4)
    X, v, w = zoo.random_transform(rng), *rng.normal(size=(2, 6))
    a, b = (inertiaMatToVec(zoo.random_inertia(rng)) for _ in range(2))
    I = inertiaVecToMat(a)
    near(inertiaVecToMat(Transform_Parameters(X) @ a), X.T @ I @ X, 1e-13)
    near(inertiaVecToMat(Rate_Parameters(v) @ a), crf(v) @ I - I @ crm(v), 1e-13)
    near(Output_InnerProduct(v, w) @ a, v @ I @ w, 1e-13)
    pairs = np.append(v, w), np.append(w, v)
    near(
        Output_InnerProduct(*pairs) @ np.append(a, b), v @ I @ w + w @ inertiaVecToMat(b) @ v, 1e-13
    )


def test_subspaces_are_closed_under_transforms_and_rates() -> None:
    rng = np.random.default_rng(5)
    A = rng.normal(size=(6, 2)) @ rng.normal(size=(2, 4))
    Q, c = RangeBasis(A)
    assert Q.shape == (6, 2) and c >= 1
    near(Q @ (Q.T @ A), A, 1e-13)
    turn = np.kron(np.eye(2), [[0, -1], [1, 0]])
    R = SwitchedControllabilityMatrix([turn], np.eye(4)[:, :1])
    assert R.shape == (4, 2)
    near(R @ (R.T @ turn @ R), turn @ R, 1e-14)
    assert SwitchedObservabilityMatrix(np.eye(4)[:1], [turn]).shape == (2, 4)
    assert OutputMatrix(np.eye(6)[:, 5:], np.eye(6)[:, 5:]).shape == (1, 10)
    assert OutputMatrix(np.eye(12), np.eye(12)).shape == (20, 20)
    unit = UnitVectorComplementarySubspace(A)
    assert unit.shape == (6, 4) and np.linalg.matrix_rank(np.hstack([A, unit])) == 6
    wide = UnitVectorComplementarySubspace([[1.0], [1e-5]])
    near(wide, np.array([[0.0], [1.0]]), 0)
    for part in (0.09, 0.009, 9e-5):
        last = UnitVectorComplementarySubspace([[1.0], [part], [0.0]])
        near(last, np.eye(3)[:, 1:], 0)  # the span of S nearly contains the first unit vector
    near(CleanMat([1 + 1e-10, -1e-10, 0.3]), np.array([1, 0, 0.3]), 0)


def test_the_projector_keeps_symmetric_rotors() -> None:
    """The projector maps to inertias that are symmetric about an axis, and keeps these."""
    for axis, k in (("x", 0), ("y", 1), ("z", 2)):
        P = symmetric_rotor(axis)
        near(P @ P, P, 1e-15)
        turn = Transform_Parameters(plux(rq(np.append(0.8, 0.6 * np.eye(3)[k])), np.zeros(3)))
        near(turn @ P, P, 1e-15)
        assert np.linalg.matrix_rank(P) == 4


ROTORS = autoTree_rotor(2)
FOUND = RPNA(ROTORS)
BAD: list[tuple[type[Exception], str, Callable[[], Any]]] = [
    (ModelError, "3 is not a body|rotor of joint 1",
     lambda: IsIdentifiable(autoTree(2), RPNA(autoTree(2)).N, 3, 0)),
    (ModelError, "want N of RPNA_rotor", lambda: IsIdentifiable(ROTORS, FOUND.N, 3, 0)),
    (ModelError, "want N of RPNA_rotor", lambda: IsUnidentifiable(ROTORS, FOUND.N, 3, 0)),
    *((SpatialError, "is not a parameter", lambda k=k: IsUnidentifiable(ROTORS, FOUND.N, 0, k))
      for k in (10, -1, "mass", 0.5)),
    (ModelError, "the result N of RPNA", lambda: ComputeBases(ROTORS, FOUND.N[:1], FOUND.M)),
    (ArrayShapeError, r"M\[0\]: want shape",
     lambda: ComputeBases(ROTORS, FOUND.N, [np.eye(10), FOUND.M[1]])),
    (ArrayShapeError, "want 10 columns",
     lambda: ComputeBases(ROTORS, [np.eye(3), FOUND.N[1]], FOUND.M)),
    (SpatialError, "between 0 and 1", lambda: RPNA(ROTORS, tol=2.0)),
    (ArrayShapeError, r"want shape \(10, 10\)",
     lambda: RPNA_rotor(ROTORS, rotor_constraint=np.eye(3))),
    (SpatialError, "positive whole number",
     lambda: ComputeSampledRegressor(ROTORS, 0, rng=np.random.default_rng(0))),
    (ArrayShapeError, "must be a matrix", lambda: RangeBasis([1, 2])),
    (ArrayShapeError, "must be finite", lambda: RangeBasis([[np.nan]])),
    (ArrayShapeError, "6 rows, or 12", lambda: OutputMatrix(np.eye(3), np.eye(3))),
    (SpatialError, "'x', 'y' or 'z'", lambda: symmetric_rotor("w")),
    (ModelError, "names: want 20", lambda: PrintParameterSummary(ROTORS, *FOUND, names=["m"])),
]  # fmt: skip


@for_each(BAD)
def test_bad_input_is_refused(
    error: type[Exception], message: str, call: Callable[[], Any]
) -> None:
    with pytest.raises(error, match=message):
        call()


def test_the_summary_classifies_every_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    """The summary prints the right class of every parameter of every body and rotor."""
    model = zoo.build("one_rotor")
    result = RPNA_rotor(model)
    PrintParameterSummary(model, *result)
    text = capsys.readouterr().out
    assert text.count("transfer") == 3 and "and rotor" in text
    lines = [x for x in text.splitlines() if "unidentifiable" in x]
    assert next(x.split()[1:] for x in lines) == [
        f"{name.replace('h', 'mc')}0"
        for name in INERTIAL_PARAMETERS
        if IsUnidentifiable(model, result.N, 0, name)
    ]


def test_the_summary_prints_the_names_of_a_body_and_its_rotor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The parameters below a body are its own and those of its rotor, in the order of the names."""
    model = zoo.build("rotors")
    names = [f"p{k}" for k in range(20 * model.NB)]
    PrintParameterSummary(model, *RPNA_rotor(model), names=names)
    found: list[set[str]] = []
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("body"):
            found.append(set())
        else:
            found[-1] |= {x for x in line.split()[1:] if x != "none"}
    assert len(found) == model.NB
    for i, shown in enumerate(found):
        ours = {*names[10 * i : 10 * (i + 1)]}
        rotors = {*names[10 * (model.NB + i) : 10 * (model.NB + i + 1)]}
        assert shown <= ours | rotors and shown & ours and shown & rotors
