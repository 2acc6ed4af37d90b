"""Attributes `armature`, `damping`, `friction`, `stiffness` and `rest`: values, edits, errors, and
conversion to other tools.
"""

import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest
from helpers import parts
from joint_term_samples import CLOSE, bare, state, with_terms

import derivatives as d
import spatial_v2 as sv
from spatial_v2 import ModelError, autoTree
from spatial_v2.model.fields import JOINT_TERMS


def test_edits_are_seen() -> None:
    """Assignments take effect, also in functions that were bound before."""
    model, (q, qd, qdd, _, _) = autoTree(3), state(autoTree(3))
    bound, rigid = sv.ID.bind(model), sv.ID(model, q, qd, qdd)
    np.testing.assert_array_equal(bound(q, qd, qdd), rigid)
    model.damping = 2
    np.testing.assert_allclose(bound(q, qd, qdd), rigid + 2 * qd)
    model.damping = {1: 5}
    np.testing.assert_allclose(sv.ID(model, q, qd, qdd), rigid + [2, 5, 2] * qd)
    np.testing.assert_allclose(bound(q, qd, qdd), rigid + [2, 5, 2] * qd)
    model.I = {0: 2 * model.I[0]}
    np.testing.assert_allclose(
        sv.ID(model, q, qd, qdd) - [2, 5, 2] * qd, sv.ID(bare(model), q, qd, qdd)
    )
    with pytest.raises(ModelError, match="damping: want finite numbers"):
        model.damping = {0: np.nan}
    model.damping = None
    np.testing.assert_array_equal(bound(q, qd, qdd), sv.ID(model, q, qd, qdd))
    full = with_terms(model)
    for twin in (full.replace(), pickle.loads(pickle.dumps(full))):
        np.testing.assert_array_equal(sv.ID(twin, q, qd, qdd), sv.ID(full, q, qd, qdd))


@pytest.mark.parametrize("function", [sv.ID, sv.FDab, sv.CRBA, d.FD_SO_derivatives])
@pytest.mark.parametrize("shape", [(), (9,)], ids=["state", "batch"])
def test_edits_reach_kernels(function: Any, shape: tuple[int, ...]) -> None:
    """Another value of any entry takes effect, in functions that were called or bound before."""
    model = with_terms(autoTree(3))
    x = state(model, shape=shape)[: len(function.work.cores)]
    bound = function.bind(model)
    for name in JOINT_TERMS:
        function(model, *x), bound(*x)
        setattr(model, name, {1: getattr(model, name)[1] + 1.0})
        for call in (partial(function, model), bound):
            want = function.reference(model, *x)
            for y, z in zip(parts(call(*x)), parts(want), strict=True):
                np.testing.assert_allclose(y, z, **CLOSE)
    with pytest.raises(ModelError, match="armature: want no negative numbers"):
        model.armature = {1: -1.0}


def test_results_do_not_overwrite_the_fields() -> None:
    model = with_terms(autoTree(3))
    q, qd, qdd, _, _ = state(model)
    wanted = sv.ID(model, q, qd, qdd)
    with pytest.raises(sv.SpatialError, match="out: "):
        sv.ID(model, q, qd, qdd, out=model.damping)
    np.testing.assert_array_equal(sv.ID(model, q, qd, qdd), wanted)


def test_derivatives_with_respect_to_the_fields_are_complex_steps() -> None:
    """A complex step in an attribute gives the derivative of the joint forces with
    respect to it.
    """
    model, (q, qd, qdd, _, _) = autoTree(3), state(autoTree(3))
    by_field = ("armature", qdd), ("damping", qd), ("friction", np.sign(qd)), ("stiffness", q)
    for name, want in by_field:
        step = model.replace(**{name: np.array([1, 1 + 1e-20j, 1])})
        got = sv.ID(step, q, qd, qdd).imag / 1e-20
        np.testing.assert_allclose(got, want * [0, 1, 0], rtol=1e-14)


@pytest.mark.parametrize(
    ("value", "message"),
    [([1, 2], "want shape .3,"), ([1, 2, -1], "no negative"), ("x", "want"),
     ([1, np.inf, 1], "finite")],
)  # fmt: skip
@pytest.mark.parametrize("name", ["armature", "damping", "friction", "stiffness"])
def test_wrong_fields_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(ModelError, match=f"{name}: .*{message}"):
        autoTree(3).replace(**{name: value})


def test_a_changed_joint_type_needs_fields_of_its_size() -> None:
    model = with_terms(autoTree(2))
    model.jtype = {1: "S"}
    with pytest.raises(ModelError, match=r"armature: want shape \(4,\)"):
        sv.ID(model, np.zeros(5), np.zeros(4), np.zeros(4))


def test_joint_terms_do_not_depend_on_the_floating_base() -> None:
    """Joint terms of the tree's joints are the same for all kinds of floating base."""
    model = autoTree(3, 2).replace(armature=[0, 1, 2], friction=[0, 0.1, 0.2], damping=[0, 3, 4])
    six = sv.floatbase(model)
    one = autoTree(3, 2).replace(jtype=["Fb", "R", "R"], **{
        name: getattr(six, name) for name in ("armature", "damping", "friction")
    })  # fmt: skip
    np.testing.assert_array_equal(six.armature, [0, 0, 0, 0, 0, 0, 1, 2])
    np.testing.assert_array_equal(sv.free_base(six).damping, six.damping)
    xfb, q, qd, tau = [1, *[0] * 6, *range(6)], [0.1, 0.2], [1, -2], [3, 4]
    for got, want in zip(sv.FDfb(six, xfb, q, qd, tau), sv.FDfb(one, xfb, q, qd, tau), strict=True):
        np.testing.assert_allclose(got, want, **CLOSE)
    six.damping = {2: 1}
    with pytest.raises(ModelError, match=r"free_base: damping .* set model.damping\[:6\] to zero"):
        sv.free_base(six)


def test_friction_of_symbols_is_that_of_numbers() -> None:
    """The friction force of symbols, evaluated at numbers, equals that of the numbers."""
    sympy = pytest.importorskip("sympy")
    model, qd = with_terms(autoTree(2)), np.array([0.5, -2.0])
    s = np.array(sympy.symbols("a b", real=True), dtype=object)
    tau = sv.ID(model, np.array([0.1, 0.2]), s, np.zeros(2))
    got = [float(e.subs(dict(zip(s, qd, strict=True)))) for e in tau]
    np.testing.assert_allclose(got, sv.ID(model, [0.1, 0.2], qd, np.zeros(2)), **CLOSE)


def test_friction_in_casadi_is_that_of_numbers() -> None:
    """The friction force in CasADi functions equals that in NumPy; unknown signs are NaN there."""
    pytest.importorskip("casadi")
    from spatial_v2.interop.casadi import to_casadi

    model = with_terms(autoTree(3))
    q, qd, qdd, _, _ = state(model)
    for name, symbol in (("ID", "SX"), ("FDab", "MX")):
        got = np.asarray(to_casadi(model, name, symbol=symbol)(q, qd, qdd))[:, 0]
        np.testing.assert_allclose(got, getattr(sv, name)(model, q, qd, qdd), **CLOSE)


def test_scanned_models_have_the_fields() -> None:
    """`scanned` uses the joint terms as the reference implementations do."""
    jax = pytest.importorskip("jax")
    from spatial_v2.interop.jax.scanned import scanned

    model = with_terms(autoTree(3))
    q, qd, x, _, _ = state(model)
    with jax.enable_x64(True):
        robot = scanned(model)
        np.testing.assert_allclose(robot.ID(q, qd, x), sv.ID(model, q, qd, x), **CLOSE)
        np.testing.assert_allclose(robot.CRBA(q), sv.CRBA(model, q), **CLOSE)
        np.testing.assert_allclose(robot.FD(q, qd, x), sv.FDab(model, q, qd, x), **CLOSE)


def test_conversions_of_models_keep_or_refuse_the_fields(tmp_path: Any) -> None:
    model = with_terms(autoTree(3))
    with pytest.raises(ModelError, match="floatbase: armature belongs to a joint that is replaced"):
        sv.floatbase(model)
    with pytest.raises(ModelError, match="armature: URDF cannot represent it"):
        sv.to_urdf(model)
    with pytest.raises(ModelError, match="stiffness: URDF cannot represent it"):
        sv.to_urdf(model.replace(armature=None))
    words = "MATLAB's struct has no armature, damping, friction, stiffness, rest"
    with pytest.warns(UserWarning, match=words):
        model.to_matlab(tmp_path / "m.mat")
    damped = model.replace(armature=None, stiffness=None, rest=None)
    sv.to_urdf(damped, tmp_path / "m.urdf")
    back = sv.load_urdf(tmp_path / "m.urdf", dynamics=True)
    np.testing.assert_array_equal(back.damping, damped.damping)
    np.testing.assert_array_equal(back.friction, damped.friction)
    assert not sv.load_urdf(tmp_path / "m.urdf").has_joint_terms
    params, _ = sv.getModelInertialParams(model)
    again = sv.setModelInertialParams(model, params)
    for name in JOINT_TERMS:
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
