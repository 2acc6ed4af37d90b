"""Every function checks the rotations in q, and the error names the joint."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import for_each
from numpy.testing import assert_allclose
from public_functions import CONFIGURATIONS, arguments, functions_of_state, suits

import derivatives
import spatial_v2
import spatial_v2 as sv
from derivatives import reference

OF_Q: dict[str, Callable[[sv.Model, Any], Any]] = {
    "ID": lambda m, q: sv.ID(m, q, *np.ones((2, m.NV))),
    "ID.reference": lambda m, q: sv.ID.reference(m, q, *np.ones((2, m.NV))),
    "FDab in a batch": lambda m, q: sv.FDab(m, [q, q, q], *np.ones((2, 3, m.NV))),
    "ID.bind": lambda m, q: sv.ID.bind(m)(q, *np.ones((2, m.NV))),
    "ID(out=)": lambda m, q: sv.ID(m, q, *np.ones((2, m.NV)), out=np.empty(m.NV)),
    "BodyJacobian": lambda m, q: sv.BodyJacobian(m, q, m.NB - 1),
    "frame_velocity": lambda m, q: sv.frame_velocity(m, q, np.ones(m.NV), m.NB - 1),
    "bodyFrame_dyn": lambda m, q: sv.bodyFrame_dyn(m, q, *np.ones((2, m.NV))),
    "configurationAddition": lambda m, q: sv.configurationAddition(m, q, np.ones(m.NV)),
    "configurationRates": lambda m, q: sv.configurationRates(m, q, np.ones(m.NV)),
    "configurationDifference": lambda m, q: sv.configurationDifference(m, q, q),
}


WRONG = [(tree, wrong) for tree in ("SO3", "SE3") for wrong in ("reflected", "twice", "zero")]
WRONG += [("SE3", "rows")]


@pytest.mark.parametrize("name", OF_Q)
@pytest.mark.parametrize(("tree", "wrong"), WRONG)
def test_matrices_that_are_not_rotations_are_refused(tree: str, wrong: str, name: str) -> None:
    """Matrices in q that are reflected, scaled, zero, or stored by rows are errors.

    For SO3, rows in place of columns are the inverse rotation, which is valid.
    """
    model, n = zoo.build(tree), {"SO3": 3, "SE3": 4}[tree]
    q = sv.random_configuration(model, np.random.default_rng(2))
    good, T = q.copy(), q[: n * n].reshape(n, n).T.copy()
    if wrong == "rows":
        T = T.T
    elif wrong == "reflected":
        T[0] *= -1
    else:
        T[:3, :3] *= {"twice": 2, "zero": 0}[wrong]
    q[: n * n] = T.T.ravel()
    OF_Q[name](model, good)
    with pytest.raises(sv.SpatialError, match=r"of joint 0 \('S[OE]3', body 'body0'\)"):
        OF_Q[name](model, q)


@pytest.mark.parametrize("name", [*OF_Q, "normalizeConfVec"])
@pytest.mark.parametrize("size", [0.0, 5e-324, 1e-310])
def test_quaternions_near_zero_are_refused(size: float, name: str) -> None:
    model = zoo.build("spherical")
    q = sv.random_configuration(model, np.random.default_rng(2))
    q[1:5] = [size, 0, 0, -size]
    call = {**OF_Q, "normalizeConfVec": sv.normalizeConfVec}[name]
    if name == "ID.reference" and size:
        return  # no error: it divides even a tiny quaternion by its norm
    with np.errstate(all="ignore"), pytest.raises(sv.SpatialError, match="quaternion of joint 1"):
        call(model, q)


FUNCTIONS = {
    name: (function, required)
    for name, function, required in functions_of_state((spatial_v2, derivatives, reference))
    if not name.endswith("confVecToCell")  # confVecToCell splits q without using rotations
}


@for_each(FUNCTIONS)
def test_quaternions_of_zero_are_refused_everywhere(name: str) -> None:
    """All public functions of a model and q raise an error that names the joint of a zero
    quaternion.
    """
    function, required = FUNCTIONS[name]
    model = zoo.build("spherical")
    if not suits(function, model):
        pytest.skip("the function supports only other models")
    given = arguments(model, required, np.random.default_rng(2))
    for x in given.keys() & set(CONFIGURATIONS):
        wrong = {**given, x: given[x].copy()}
        wrong[x][1:5] = 0
        with (
            np.errstate(all="ignore"),
            pytest.raises(sv.SpatialError, match="quaternion of joint 1"),
        ):
            function(model, **wrong)


@pytest.mark.parametrize("tree", ["SO3", "SE3", "mixed"])
def test_normalising_mends_drift(tree: str) -> None:
    """`normalizeConfVec` corrects deviations of a per cent from a rotation, at any scale; other
    matrices are errors.
    """
    rng, model = np.random.default_rng(3), zoo.build(tree)
    q = sv.random_configuration(model, rng, (20,))
    off, scaled, flat = q.copy(), q.copy(), q.copy()
    for i in model.layout.matrices:
        k, n = model.qinds[i], round(model.nq[i] ** 0.5)
        for x, factor, drift in ((off, 1.7, 0.01), (scaled, 3.0, 0.0), (flat, 0.0, 0.0)):
            T = x[:, k].reshape(-1, n, n)
            T[..., :3, :3] = factor * (T[..., :3, :3] + drift * rng.normal(size=(20, 3, 3)))
            x[:, k] = T.reshape(20, -1)
    mended = sv.normalizeConfVec(model, off)
    assert_allclose(mended, q, rtol=0, atol=0.1)
    assert_allclose(sv.normalizeConfVec(model, mended), mended, rtol=0, atol=1e-14)
    sv.ID(model, mended, *np.ones((2, model.NV)))
    assert_allclose(sv.normalizeConfVec(model, scaled), sv.normalizeConfVec(model, q), atol=1e-14)
    for i in model.layout.matrices:
        X, _ = sv.jcalc(model.jtype[i], mended[:, model.qinds[i]])
        E = X[..., :3, :3]
        one = np.broadcast_to(np.eye(3), E.shape)
        assert_allclose(E @ np.matrix_transpose(E), one, rtol=0, atol=1e-14)
    with pytest.raises(sv.SpatialError, match="the columns are no rotation"):
        sv.normalizeConfVec(model, flat)
