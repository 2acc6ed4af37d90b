"""Functions for CasADi have the values and derivatives of the library."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from joint_term_samples import with_terms
from numpy.testing import assert_allclose

import spatial_v2 as sv
from derivatives import (
    FD_derivatives,
    FD_SO_derivatives,
    ID_derivatives,
    ID_SO_derivatives,
    KKT_FO_derivatives,
    modFD_second_derivatives,
    modID_second_derivatives,
    modKKT_second_derivatives,
    symmetrize,
)
from spatial_v2 import SpatialError
from spatial_v2.interop.casadi import to_casadi
from spatial_v2.interop.entries import velocity_map

casadi = pytest.importorskip("casadi")
MODELS = ["branched", "spherical", "floating", "planar_tree"]


def near(a: Any, b: Any) -> None:
    a, b = np.asarray(a), np.asarray(b)
    a = a[:, 0] if a.ndim > b.ndim else a
    assert_allclose(a, b, rtol=0, atol=1e-10 * (1 + np.abs(b).max(initial=0)))


def case(name: str, stretch: float = 1.0) -> tuple[sv.Model, list[np.ndarray]]:
    """Return a model, and a state whose quaternions have the norm `stretch`."""
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(3))
    q = s.q.copy()
    for joint, at in zip(model.layout.joints, model.qinds, strict=True):
        if joint.nq > 1:
            q[at.start : at.start + 4] *= stretch
    return model, [q, s.qd, s.qdd]


def symbols(model: sv.Model) -> list[Any]:
    return [casadi.MX.sym(x, n) for x, n in zip("qva", (model.NQ, model.NV, model.NV), strict=True)]


@pytest.mark.parametrize("kernel", [False, True], ids=["page", "kernel"])
@pytest.mark.parametrize("name", ["spherical", "floating", "SO3", "SE3"])
def test_derivatives_with_respect_to_q_along_rotations_are_the_library_s(
    name: str, kernel: bool
) -> None:
    """Times the rates of q they are those along the velocity variables; they are these times
    `velocity_map` for quaternions, and for kernels.
    """
    model, state = case(name)
    x = symbols(model)
    tau = to_casadi(model, "ID", kernel=kernel)(*x)
    J = casadi.Function("J", x, [casadi.jacobian(tau, x[0])])(*state).full()
    v = np.eye(model.NV)
    rates = sv.configurationRates(model, state[0], v, stabilise=False).T
    D = ID_derivatives(model, *state).dtau_dq
    near(J @ rates, D)
    if kernel or not model.layout.matrices:
        near(J, D @ velocity_map(model, state[0]))


@pytest.mark.parametrize("name", ["planar_chain", "floating"])
@pytest.mark.slow
def test_reference_implementations_become_casadi_functions(name: str) -> None:
    """The functions have the right values and names, and no structural entries beyond the sparsity
    of the tree.
    """
    model, state = case(name)
    n = model.NV
    f = to_casadi(model, "ID_derivatives")
    found = f(q=state[0], qd=state[1], qdd=state[2])
    ours = ID_derivatives(model, *state)
    for key in ("dtau_dq", "dtau_dqd"):
        near(found[key], getattr(ours, key))
        assert found[key].nnz() <= to_casadi(model, "CRBA").nnz_out(0)
    if model.is_planar:
        so = to_casadi(model, "ID_SO_derivatives")(*state)
        for a, b in zip(so, ID_SO_derivatives(model, *state), strict=True):
            near(a, b.reshape(n, n * n))
    assert f.name_in() == ["q", "qd", "qdd"]
    assert to_casadi(model, "ID", symbol="MX").name_out() == ["tau"]


@pytest.mark.parametrize("kernel", [False, True], ids=["page", "kernel"])
@pytest.mark.parametrize("name", MODELS)
def test_derivatives_along_velocity_variables_are_those_of_the_library(
    name: str, kernel: bool
) -> None:
    """Derivatives of CasADi with respect to dq at zero are the library's, second ones in symmetric
    form.
    """
    model, state = case(name)
    f, add = to_casadi(model, "ID", kernel=kernel), to_casadi(model, "configurationAddition")
    q, v, a = symbols(model)
    dq, lam = casadi.MX.sym("dq", model.NV), np.random.default_rng(1).normal(size=model.NV)
    tau = f(add(q, dq), v, a)
    x, zero = casadi.vertcat(dq, v, a), np.zeros(model.NV)
    H = casadi.jacobian(casadi.jacobian(casadi.dot(lam, tau), x).T, dq)
    found = casadi.Function("f", [q, dq, v, a], [tau, casadi.jacobian(tau, dq), H])
    tau, J, H = found(state[0], zero, *state[1:])
    m = modID_second_derivatives(model, *state, lam)
    near(tau, sv.ID(model, *state))
    near(J, m.dtau_dq)
    along = symmetrize(m.dmod_dqq, m.dmod_dq, model)
    dM = np.tensordot(lam, ID_SO_derivatives(model, *state).dM_dq, 1)
    near(H, np.vstack([along, m.dmod_dqv.T, dM]))


@pytest.mark.parametrize("function", ["ID", "FDab"])
@pytest.mark.parametrize("stretch", [1.0, 1.7])
@pytest.mark.parametrize("name", MODELS)
def test_derivatives_with_respect_to_entries_of_q_are_those_of_the_reference(
    name: str, stretch: float, function: str
) -> None:
    """Derivatives with respect to entries of q are those along velocity variables times T.

    Reference implementation and kernel agree.
    """
    model, state = case(name, stretch)
    x, lam = symbols(model), np.random.default_rng(2).normal(size=model.NV)
    found = []
    for kernel in (False, True):
        y = to_casadi(model, function, kernel=kernel)(*x)
        dot = [casadi.jacobian(casadi.dot(lam, y), z).T for z in x]
        second = [casadi.jacobian(g, z) for g in dot for z in x]
        blocks = [y, *(casadi.jacobian(y, z) for z in x), *second]
        found.append(casadi.Function("f", x, blocks)(*state))
    for a, b in zip(*found, strict=True):
        near(b, np.asarray(a))
    first = (ID_derivatives if function == "ID" else FD_derivatives)(model, *state)
    near(found[1][1], first[0] @ velocity_map(model, state[0]))
    near(found[1][2], first[1])
    second = modID_second_derivatives if function == "ID" else modFD_second_derivatives
    m = second(model, *state, lam)
    near(found[1][8], m.dmod_dvv if function == "ID" else m.H_qdqd)


def test_norms_of_quaternions_have_no_effect() -> None:
    model, state = case("floating", 1.7)
    T = velocity_map(model, state[0])
    radial = np.zeros(model.NQ)
    radial[:4] = state[0][:4]
    near(T @ radial, np.zeros(model.NV))
    rates = sv.configurationRates(model, state[0], state[1], stabilise=False)
    near(T @ rates, state[1])
    step = velocity_map(model, state[0] + 1e-20j * rates)
    assert np.isrealobj(T)
    assert np.abs(step.imag).max() > 1e-21


def test_constrained_dynamics_has_derivatives_to_second_order() -> None:
    """CasADi has the first derivatives of `KKT_FD` and a Hessian of its accelerations
    and forces.
    """
    model, state = case("floating")
    held = sv.ConstraintSet(model, [sv.point_contact(2, [0.1, 0, 0.2])])
    f = to_casadi(model, "KKT_FD", kernel=True, constraints=held)
    x, rng = symbols(model), np.random.default_rng(0)
    mu, nu = rng.normal(size=model.NV), rng.normal(size=3)
    y = f(*x)
    sum_ = casadi.dot(mu, y[0]) + casadi.dot(nu, y[1])
    H = casadi.jacobian(casadi.jacobian(sum_, x[1]).T, x[1])
    J = [casadi.jacobian(a, b) for a in y for b in x]
    found = casadi.Function("f", x, [*y, *J, H])(*state)
    ours = KKT_FO_derivatives(model, *state, held)
    T = velocity_map(model, state[0])
    for a, b in zip(found, [*sv.KKT_FD(model, *state, held)], strict=False):
        near(a, b)
    for k, (a, b) in enumerate(zip(found[2:8], ours, strict=True)):
        near(a, b if k % 3 else b @ T)
    m = modKKT_second_derivatives(model, *state, mu, nu, held)
    near(found[8], m.H_qdqd)


def test_jacobians_of_kernels_have_the_sparsity_of_the_tree() -> None:
    """Jacobians of ID have entries only for variables on one path to the root; edits of the model
    take effect.
    """
    model, state = case("branched")
    f, x = to_casadi(model, "ID", kernel=True), symbols(model)
    J = casadi.Function("J", x, [casadi.jacobian(f(*x), x[0])])
    assert J.nnz_out(0) == np.count_nonzero(sv.CRBA(model, state[0]))
    before = np.asarray(f(*state))
    model.I = 2 * model.I
    near(f(*state), sv.ID(model, *state))
    assert np.abs(before - np.asarray(f(*state))).max() > 1e-3


@pytest.mark.parametrize("name", ["branched", "spherical"])
def test_many_states_are_one_call(name: str) -> None:
    """A function made with ``states=3`` takes and returns a column for each state. Its result and
    its derivatives are those of one call for each state.
    """
    model, count = zoo.build(name), 3
    batch = zoo.states(model, np.random.default_rng(7), (count,))[:3]
    lam = np.random.default_rng(8).normal(size=(model.NV, count))
    many, one = (to_casadi(model, "ID", kernel=True, states=k) for k in (count, 1))
    x = [casadi.MX.sym(key, s.shape[1], count) for key, s in zip("qva", batch, strict=True)]
    ys = many(*x), casadi.horzcat(*(one(*(s[:, k] for s in x)) for k in range(count)))
    found = []
    for y in ys:
        gradient = casadi.jacobian(casadi.dot(lam, casadi.sin(y)), casadi.vec(x[0])).T
        J = [casadi.jacobian(casadi.vec(y), casadi.vec(s)) for s in x]
        H = [casadi.jacobian(gradient, casadi.vec(s)) for s in x]
        found.append(casadi.Function("f", x, [y, *J, *H])(*(s.T for s in batch)))
    for a, b in zip(*found, strict=True):
        near(a, np.asarray(b))
        assert a.nnz() <= b.nnz() + model.NQ * model.NQ * count
    near(found[0][0], sv.ID(model, *batch).T)
    assert found[0][1].nnz() <= count * model.NV * model.NQ


@pytest.mark.parametrize("function", ["ID_derivatives", "FD_derivatives"])
@pytest.mark.parametrize("name", ["branched", "spherical"])
def test_first_derivatives_are_functions_with_derivatives(name: str, function: str) -> None:
    """Kernels of first derivatives have the values and the derivatives of the library, for several
    states in one call, and the sparsity of the tree.
    """
    model = zoo.build(name)
    batch = list(zoo.states(model, np.random.default_rng(7), (2,))[:3])
    f = to_casadi(model, function, kernel=True, states=2)
    x = [casadi.MX.sym(key, s.shape[1], 2) for key, s in zip("qva", batch, strict=True)]
    given = {"ID_derivatives": (ID_derivatives, ID_SO_derivatives),
             "FD_derivatives": (FD_derivatives, FD_SO_derivatives)}[function]  # fmt: skip
    ours, (qq, vv, qv, xq) = given[0](model, *batch), given[1](model, *batch)
    y, (T, n) = f(*x), (velocity_map(model, batch[0]), model.NV)
    for ours_k, y_k in zip(ours, y, strict=True):
        near(casadi.Function("y", x, [y_k])(*(s.T for s in batch)), np.concatenate(ours_k, axis=1))
    wanted = {(0, 0): qq @ T[:, None], (0, 1): qv, (0, 2): np.swapaxes(xq, -1, -2),
              (1, 0): np.swapaxes(qv, -1, -2) @ T[:, None], (1, 1): vv}  # fmt: skip
    for (a, b), tensor in wanted.items():
        D = casadi.jacobian(casadi.vec(y[a]), casadi.vec(x[b]))
        found = casadi.Function("D", x, [D])(*(s.T for s in batch))
        for k in range(2):
            columns = slice(k * tensor.shape[-1], (k + 1) * tensor.shape[-1])
            block = np.asarray(found)[k * n * n : (k + 1) * n * n, columns]
            near(block, np.swapaxes(tensor[k], 0, 1).reshape(n * n, -1))
    if function == "ID_derivatives":
        assert y[0].nnz() == 2 * np.count_nonzero(sv.CRBA(model, batch[0][0]))


@pytest.mark.parametrize("axes", ["body", "base"])
@pytest.mark.parametrize("name", ["branched", "spherical"])
def test_frame_jacobians_of_kernel_and_reference_agree(name: str, axes: str) -> None:
    """Reference implementation and kernel agree, also in second derivatives."""
    model, (q, *_) = case(name)
    x, found = casadi.MX.sym("q", model.NQ), []
    for kernel in (False, True):
        J = to_casadi(model, "FrameJacobian", kernel=kernel, frame=model.NB - 1, axes=axes)(x)
        first = casadi.jacobian(casadi.vec(J), x)
        second = casadi.hessian(casadi.sum1(casadi.sin(casadi.vec(J))), x)[0]
        found.append(casadi.Function("f", [x], [J, first, second])(q))
    for a, b in zip(*found, strict=True):
        near(a, np.asarray(b))


@pytest.mark.parametrize("kernel", [False, True], ids=["page", "kernel"])
@pytest.mark.parametrize("function", ["ID", "FDab"])
def test_joint_terms_and_external_forces_have_derivatives(function: str, kernel: bool) -> None:
    """Values and derivatives are right with armature, damping, dry friction and external forces."""
    model, state = case("branched")
    rng = np.random.default_rng(6)
    armature, damping, friction = rng.random((3, model.NV))
    model = model.replace(armature=armature, damping=damping, friction=friction)
    force, x = rng.normal(size=(model.NB, 6)), symbols(model)
    y = to_casadi(model, function, kernel=kernel, f_ext=force)(*x)
    found = casadi.Function("f", x, [y, *(casadi.jacobian(y, z) for z in x[:2])])(*state)
    near(found[0], getattr(sv, function)(model, *state, force))
    first = (ID_derivatives if function == "ID" else FD_derivatives)(model, *state, force)
    for a, b in zip(found[1:], first[:2], strict=True):
        near(a, b)


@pytest.mark.slow
def test_impacts_of_kernel_and_reference_agree() -> None:
    """Reference implementation and kernel agree, also in second derivatives."""
    model, state = case("branched")
    held = sv.ConstraintSet(model, [sv.point_contact(6, [0.1, 0, 0.2])])
    given = {"constraints": held, "restitution": 0.3}
    x = symbols(model)[:2]
    found = []
    for kernel in (False, True):
        y = to_casadi(model, "Impact_dyn", kernel=kernel, **given)(*x)
        g = casadi.jacobian(casadi.dot(y[0], y[0]) + casadi.dot(y[1], y[1]), x[0]).T
        blocks = [*y, g, *(casadi.jacobian(g, z) for z in x)]
        found.append(casadi.Function("f", x, blocks)(*state[:2]))
    for a, b in zip(*found, strict=True):
        near(a, np.asarray(b))


def test_a_function_refuses_another_tree() -> None:
    """A function raises an error after the tree has changed: entries of its Jacobian would be
    missing.
    """
    model, state = case("branched")
    f = to_casadi(model, "ID", kernel=True)
    model.parent = np.arange(model.NB) - 1
    with pytest.raises(
        RuntimeError, match="tree or joint types have changed; call to_casadi again"
    ):
        f(*state)


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_generated_c_code_gives_the_same_numbers(tmp_path: Path) -> None:
    """Generated C gives the same numbers."""
    model, state = case("planar_chain")
    f = to_casadi(model, "ID_derivatives")
    generator = casadi.CodeGenerator("code.c")
    generator.add(f)
    generator.generate(f"{tmp_path}/")
    library = tmp_path / "code.so"
    command = ["cc", "-O1", "-fPIC", "-shared", str(tmp_path / "code.c"), "-o", str(library)]
    subprocess.run(command, check=True, timeout=300)
    for a, b in zip(casadi.external(f.name(), str(library))(*state), f(*state), strict=True):
        near(a, np.asarray(b))


FOOT = [sv.PointConstraint(2, [0.1, 0.2, 0.3], directions=[[1.0, 2.0, 3.0]])]


@pytest.mark.parametrize(
    ("name", "given", "options"),
    [
        ("BodyJacobian", "q", {"body": 2}),
        ("FD_SO_derivatives", "q qd tau", {}),
        ("KKT_ID", "q qd qdd forces", {"constraints": FOOT}),
        ("RegressorEnergy", "q qd", {}),
        ("modFrame_second_derivatives", "q u weight", {"frame": 2}),
        ("modKKT_second_derivatives", "q qd tau mu nu", {"constraints": FOOT}),
        ("time_step", "q qd tau h", {}),
        ("time_step_derivatives", "q qd tau h", {}),
    ],
)
def test_arguments_of_every_length_become_symbols(
    name: str, given: str, options: dict[str, Any]
) -> None:
    """Also a number and a vector for constraint rows or a frame; results may have no entries."""
    model = zoo.build("one_rotor").replace(has_rotor=None)
    sizes = {"forces": 1, "nu": 1, "weight": 6}
    rng = np.random.default_rng(0)
    x: dict[str, Any] = {key: rng.normal(size=sizes.get(key, 3)) for key in given.split()}
    if "h" in x:
        x["h"] = 0.01
    f = to_casadi(model, name, **options)
    found = f(**x)
    want = getattr(sv, name)(model, **x, **options)
    wanted = list(want) if isinstance(want, tuple) else [want]
    assert f.name_in() == given.split() and f.n_out() == len(wanted)
    for key, ours in zip(f.name_out(), map(np.asarray, wanted), strict=True):
        near(found[key], ours.reshape(len(ours), -1) if ours.ndim > 1 else ours)


def test_unsupported_arguments_are_refused() -> None:
    model = zoo.build("branched")
    with pytest.raises(
        SpatialError, match=r"name: want the name of a function of a model.*'Model'"
    ):
        to_casadi(model, "Model")
    with pytest.raises(
        TypeError, match=r"KKT_FD: .* to_casadi\(model, 'KKT_FD', constraints=...\)"
    ):
        to_casadi(model, "KKT_FD")
    with pytest.raises(
        SpatialError, match=r"want one of ID, FDab, KKT_FD, .* for a kernel, got 'CMM'"
    ):
        to_casadi(model, "CMM", kernel=True)
    with pytest.raises(SpatialError, match="states: want 1, or more with kernel=True, got 4"):
        to_casadi(model, "ID", states=4)
    with pytest.raises(SpatialError, match="symbol: want 'SX' or 'MX', got 'DM'"):
        to_casadi(model, "ID", symbol="DM")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"want a spatial_v2.Model, got NoneType"):
        to_casadi(None, "ID")  # type: ignore[arg-type]


OTHER_MODELS = "want a moving base|want a tree whose body 0|no constraint function|does not support"
NOT_OF_SYMBOLS = "want real numbers|must be real numbers|want shape"


@pytest.mark.parametrize("terms", [False, True], ids=["bare", "terms"])
def test_every_public_name_becomes_a_function_or_is_refused(terms: bool) -> None:
    """Each name of the library is converted, or the error says what is wanted, also for models with
    armature, damping and friction.
    """
    model = zoo.build("one_R")
    model = with_terms(model) if terms else model
    functions, refused = set(), {}
    for name in sv.__all__:
        try:
            assert isinstance(to_casadi(model, name), casadi.Function)
            functions.add(name)
        except (SpatialError, TypeError) as error:
            refused[name] = str(error)
    known = f"want the name of a function|is missing; it is fixed|{OTHER_MODELS}|{NOT_OF_SYMBOLS}"
    assert {k: v for k, v in refused.items() if not re.search(known, v)} == {}
    assert {"ID", "FDab", "EnerMo", "ID_SO_derivatives"} <= functions
