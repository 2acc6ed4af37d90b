"""Inverse dynamics with sparse derivatives agrees with CasADi and with the library."""

from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_allclose

from derivatives import ID_derivatives, ID_SO_derivatives, symmetrize
from spatial_v2 import CRBA, ID, ArrayShapeError, SpatialError, configurationRates
from spatial_v2.interop.ipopt import solve_ipopt
from spatial_v2.interop.structured import StructuredID
from spatial_v2.model import Model

MODELS = ["branched", "spherical", "floating", "rotors"]


def state(model: Model, shape: tuple[int, ...] = ()) -> list[np.ndarray]:
    return list(zoo.states(model, np.random.default_rng(5), shape)[:3])


def dense(structure: Any, values: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    out = np.zeros((*values.shape[:-1], *shape))
    out[..., structure[0], structure[1]] = values
    return out


def mirrored(lower: np.ndarray) -> np.ndarray:
    return lower + np.swapaxes(np.tril(lower, -1), -1, -2)


near = partial(near, tolerance=1e-10)


@pytest.mark.parametrize("name", MODELS)
def test_derivatives_along_velocity_variables_keep_their_nonzeros(name: str) -> None:
    """Derivatives along velocity variables have all their nonzeros, second ones in symmetric form,
    also for batches.
    """
    model = zoo.build(name)
    rows, s = StructuredID(model, "freedoms"), state(model, (4,))
    n, lam = model.NV, np.random.default_rng(0).normal(size=(4, model.NV))
    J = dense(rows.jacobian_structure, rows.jacobian(*s), (n, 3 * n))
    first = ID_derivatives(model, *s)
    near(J, np.concatenate([*first, CRBA(model, s[0])], axis=-1))
    H = mirrored(dense(rows.hessian_structure, rows.hessian(*s, lam), (3 * n, 3 * n)))
    d = ID_SO_derivatives(model, *s)
    qq, vv, qv, xq = (np.einsum("si,sijk->sjk", lam, t) for t in d)
    qq = symmetrize(qq, np.einsum("si,sij->sj", lam, first.dtau_dq), model)
    near(H[:, :n, :n], qq)
    near(H[:, :n, n : 2 * n], qv)
    near(H[:, n : 2 * n, n : 2 * n], vv)
    near(H[:, 2 * n :, :n], xq)
    assert not H[:, n:, 2 * n :].any()
    near(rows.values(*s), ID(model, *s))


@pytest.mark.parametrize("name", ["branched", "spherical", "floating"])
def test_derivatives_with_respect_to_entries_are_those_of_casadi(name: str) -> None:
    """Derivatives with respect to entries of q agree with CasADi's, for quaternions of any norm."""
    casadi = pytest.importorskip("casadi")
    from spatial_v2.interop.casadi import to_casadi

    model = zoo.build(name)
    rows, s = StructuredID(model), state(model)
    s[0] = s[0] * (1.3 if model.NQ > model.NV else 1.0)
    lam = np.random.default_rng(0).normal(size=model.NV)
    x = casadi.SX.sym("x", rows.n)
    parts = casadi.vertsplit(x, [0, model.NQ, model.NQ + model.NV, rows.n])
    tau = to_casadi(model, "ID")(*parts)
    J = casadi.jacobian(tau, x)
    H = casadi.jacobian(casadi.jacobian(casadi.dot(lam, tau), x).T, x)
    J, H = casadi.Function("f", [x], [J, H])(np.concatenate(s))
    near(dense(rows.jacobian_structure, rows.jacobian(*s), J.shape), np.asarray(J))
    H_ours = mirrored(dense(rows.hessian_structure, rows.hessian(*s, lam), H.shape))
    near(H_ours, np.asarray(H))


@pytest.mark.parametrize("name", ["SO3", "SE3"])
def test_hessians_with_respect_to_matrices_are_derivatives_of_gradients(name: str) -> None:
    """For joints with matrices in q, the Hessian is the derivative of the gradient
    along motions.
    """
    model = zoo.build(name)
    rows, s = StructuredID(model), np.concatenate(state(model))
    v, d, lam = np.random.default_rng(0).normal(size=(3, model.NV))
    rate = configurationRates(model, s[: model.NQ], v, stabilise=False)
    d, n = np.concatenate([rate, d, v]), rows.n
    parts = [model.NQ, model.NQ + model.NV]
    moved = [np.split(s + step * d, parts) for step in (1e-6, -1e-6)]
    J = [dense(rows.jacobian_structure, rows.jacobian(*x), (model.NV, n)) for x in moved]
    H = dense(rows.hessian_structure, rows.hessian(*np.split(s, parts), lam), (n, n))
    expected = lam @ (J[0] - J[1]) / 2e-6
    assert_allclose(mirrored(H) @ d, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def test_structure_is_that_of_the_tree() -> None:
    """The structure has no more entries than the tree allows; an unknown representation of q is an
    error.
    """
    model = zoo.build("branched")
    rows = StructuredID(model)
    assert len(rows.jacobian_structure[0]) == 3 * np.count_nonzero(CRBA(model, np.ones(7)))
    assert len(rows.hessian_structure[0]) < 21 * 22 / 2
    with pytest.raises(SpatialError, match="along: want 'entries' or 'freedoms', got 'q'"):
        StructuredID(model, "q")  # type: ignore[arg-type]


def test_another_tree_has_another_structure() -> None:
    model = zoo.build("branched")
    rows, s = StructuredID(model), state(model)
    model.I = {0: 2 * model.I[0]}
    near(rows.values(*s), ID(model, *s))
    model.parent = np.arange(model.NB) - 1
    for call in (rows.values, rows.jacobian, lambda *x: rows.hessian(*x, s[1])):
        with pytest.raises(SpatialError, match="model: its tree or joint types have changed"):
            call(*s)


class Reach:
    """A small program: the posture of least torque whose sines have a given sum."""

    def __init__(self) -> None:
        self.model = zoo.build("chain")
        self.rows, self.rest = StructuredID(self.model), np.zeros(4)

    def tau(self, q: np.ndarray) -> np.ndarray:
        return self.rows.values(q, self.rest, self.rest)

    def objective(self, q: np.ndarray) -> float:
        return float(self.tau(q) @ self.tau(q)) / 2

    def slope(self, q: np.ndarray) -> np.ndarray:
        values = self.rows.jacobian(q, self.rest, self.rest)
        return dense(self.rows.jacobian_structure, values, (4, 12))[:, :4]

    def gradient(self, q: np.ndarray) -> np.ndarray:
        return self.slope(q).T @ self.tau(q)

    def constraints(self, q: np.ndarray) -> np.ndarray:
        return np.array([np.sin(q).sum()])

    def jacobianstructure(self) -> tuple[list[int], list[int]]:
        return [0] * 4, [3, 1, 0, 2]

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        return np.cos(q)[[3, 1, 0, 2]]

    def hessianstructure(self) -> tuple[np.ndarray, np.ndarray]:
        row, column = np.tril_indices(4)
        return row, column

    def hessian(self, q: np.ndarray, multipliers: np.ndarray, factor: float) -> np.ndarray:
        values = self.rows.hessian(q, self.rest, self.rest, self.tau(q))
        H = mirrored(dense(self.rows.hessian_structure, values, (12, 12)))[:4, :4]
        H = factor * (H + self.slope(q).T @ self.slope(q)) - multipliers[0] * np.diag(np.sin(q))
        return H[np.tril_indices(4)]


def test_ipopt_solves_programs_by_structure_and_values() -> None:
    """The solution is the same with and without exact Hessians, which save steps, and for any order
    of entries.
    """
    pytest.importorskip("casadi")
    free, value = np.full(4, np.inf), np.array([1.2])
    found = [
        solve_ipopt(Reach(), np.full(4, 0.3), (-free, free), (value, value), exact=exact, tol=1e-10)
        for exact in (True, False)
    ]
    for s in found:
        assert s.success
        assert np.sin(s.x).sum() == pytest.approx(1.2, abs=1e-9)
        optimal = Reach().gradient(s.x) + s.multipliers[0] * np.cos(s.x)
        assert_allclose(optimal, 0, atol=1e-6)
    assert found[0].iterations <= found[1].iterations
    assert len(found[0].history["obj"]) == found[0].iterations + 1


class Bowl:
    """A program without constraints, with the objective ``(x - 1)^2``."""

    place = (0, 1), (0, 1)

    def objective(self, x: np.ndarray) -> float:
        return float((x - 1) @ (x - 1))

    def gradient(self, x: np.ndarray) -> np.ndarray:
        return 2 * (x - 1)

    def constraints(self, x: np.ndarray) -> np.ndarray:
        return x[:0]

    def jacobianstructure(self) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(0, int), np.zeros(0, int)

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        return x[:0]

    def hessianstructure(self) -> Any:
        return self.place

    def hessian(self, x: np.ndarray, multipliers: np.ndarray, factor: float) -> np.ndarray:
        assert multipliers.shape == (0,)
        return 2 * factor * np.ones(2)


def test_programs_may_lack_constraints_and_wrong_ones_are_refused() -> None:
    pytest.importorskip("casadi")
    free, none, program = np.full(2, np.inf), np.zeros(0), Bowl()
    begin = perf_counter()
    found = solve_ipopt(program, np.zeros(2), (-free, free), (none, none))
    assert 0 < found.seconds < perf_counter() - begin
    assert_allclose(found.x, 1, atol=1e-8)
    assert found.success and found.multipliers.shape == (0,)
    with pytest.raises(ArrayShapeError, match=r"bounds: want two arrays of shape \(2,\)"):
        solve_ipopt(program, np.zeros(2), (-free[:1], free), (none, none))
    program.place = (0, 0), (0, 1)
    with pytest.raises(SpatialError, match="hessianstructure: want the lower triangle"):
        solve_ipopt(program, np.zeros(2), (-free, free), (none, none))
