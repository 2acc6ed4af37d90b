"""Derivatives as operators of JAX: one call of a kernel, with the exact derivatives of this
library.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from interop_samples import Case
from numpy.testing import assert_allclose
from public_functions import assert_same
from test_interop_jax import along, close, frame, results
from test_interop_operators import DERIVED

from derivatives import ID_derivatives
from spatial_v2 import ID, RegressorClassical, SpatialError, getModelInertialParams
from spatial_v2.accelerated import has_compiler
from spatial_v2.interop.operators import EVERY, pull, push, value

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")
tool = pytest.importorskip("spatial_v2.interop.jax")
pytestmark = pytest.mark.optional
WITH_KERNEL = [name for name in DERIVED if EVERY[name].kernels]


def same(a: Any, b: Any) -> None:
    assert_allclose(a, b, rtol=1e-12, atol=1e-12 * (1 + np.abs(b).max(initial=0)))


@pytest.mark.parametrize("name", DERIVED)
def test_values_and_derivatives_are_ours(name: str) -> None:
    """Values, gradients and forward mode agree with NumPy's, and a mapped and compiled function
    with one that is not.
    """
    case = Case(name, "one_S")
    f, n = getattr(tool, name), len(case.x)
    mapped = jax.jit(jax.vmap(lambda *x: f(case.model, *x, **case.options)))
    for y, z, found in zip(
        results(f(case.model, *case.x, **case.options)), results(mapped(*case.x)), case(value),
        strict=True,
    ):  # fmt: skip
        close(y, found)
        close(z, found)
    total, x = along(case, None)
    free = [k for k in range(n) if k not in case.op.constant]
    gradient = jax.jit(jax.grad(total, free))(*x)
    for k, g in zip(free, gradient, strict=True):
        close(g, case(pull, case.w)[k])

    def moving(*y: Any) -> Any:
        whole = list(x)
        for k, z in zip(free, y, strict=True):
            whole[k] = z
        return total(*whole)

    _, slope = jax.jvp(moving, [jnp.asarray(x[k]) for k in free], [case.u[k] for k in free])
    directions = [u if k in free else 0 * u for k, u in enumerate(case.u)]
    close(slope, sum((a * b).sum() for a, b in zip(case.w, case(push, directions), strict=True)))


@pytest.mark.parametrize(("name", "whole"), [("ID", "ID_derivatives"), ("FDab", "FD_derivatives")])
def test_whole_jacobians_are_those_that_jax_makes_of_products(name: str, whole: str) -> None:
    """So are gradients of their weighted sums, and Hessians; here NQ equals NV."""
    case, state = Case(name, "chain"), range(3)
    model, w, f, J = case.model, case.w[0][0], getattr(tool, name), getattr(tool, whole)
    x = [y[0] for y in case.x]
    blocks = J(model, *x)
    for block, made in zip(blocks, jax.jacfwd(lambda *y: f(model, *y), state)(*x), strict=False):
        same(block, made)
    W = np.random.default_rng(0).normal(size=blocks[0].shape)
    one = jax.grad(lambda *y: (W * J(model, *y)[0]).sum(), state)(*x)
    two = jax.grad(lambda *y: (W * jax.jacrev(lambda q: f(model, q, *y[1:]))(y[0])).sum(), state)
    for a, b in zip(one, two(*x), strict=True):
        same(a, b)
    bend = jax.hessian(lambda *y: f(model, *y) @ w, state)(*x)
    if name == "ID":
        h = tool.modID_second_derivatives(model, *x, w)
        found = (h.dmod_dqq, h.dmod_dqv, h.dmod_dvv)
    else:
        h = tool.modFD_second_derivatives(model, *x, w)
        found = (h.H_qq, h.H_qdq.T, h.H_qdqd)
        same(h.H_tauq, bend[2][0])
    for a, b in zip(found, (bend[0][0], bend[0][1], bend[1][1]), strict=True):
        same(a, b)


def test_gradients_of_costs_with_a_jacobian_are_those_of_differences() -> None:
    """Along the entries of a quaternion too."""
    case = Case("ID_derivatives", "one_Fb")
    total, x = along(case, 0)
    check = pytest.importorskip("jax.test_util").check_grads
    check(jax.jit(total), tuple(x), order=1, modes=("fwd", "rev"), rtol=1e-5, atol=1e-5)
    q, *rest = (y[0] for y in case.x)
    cost = lambda q: sum((y**2).sum() for y in tool.ID_derivatives(case.model, q, *rest))  # noqa: E731
    check(cost, (q,), order=1, modes=("fwd", "rev"), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", WITH_KERNEL)
def test_kernels_run_on_the_buffers_of_a_compiled_program(name: str, calls: Counter[str]) -> None:
    if not frame.is_there() or not has_compiler():
        pytest.skip("this JAX has no foreign functions that are known here")
    case = Case(name, "floating", (9,))
    f = jax.jit(jax.vmap(lambda *x: getattr(tool, name)(case.model, *x)))
    found = tuple(map(np.asarray, f(*case.x)))
    assert not calls
    assert_same(case.op.function, case.model, found, tuple(case(value)))


def test_a_gradient_of_inverse_dynamics_is_computed_without_python(calls: Counter[str]) -> None:
    if not frame.is_there() or not has_compiler():
        pytest.skip("this JAX has no foreign functions that are known here")
    case = Case("ID", "floating", (9,))
    w = case.w[0]
    gradient = jax.jit(jax.grad(lambda *y: (w * tool.ID(case.model, *y)).sum(), (1, 2)))
    for g, ours in zip(gradient(*case.x), case(pull, case.w)[1:], strict=True):
        close(g, ours)
    assert not calls


def test_derivatives_that_do_not_exist_are_refused() -> None:
    case = Case("modID_second_derivatives", "chain", ())
    q, *rest = case.x
    with pytest.raises(SpatialError, match="respect to lambda_ only, not q; differentiate deriv"):
        jax.grad(lambda q: tool.modID_second_derivatives(case.model, q, *rest).dmod_dqq.sum())(q)
    with pytest.raises(SpatialError, match="ID_derivatives: second derivatives are not computed"):
        jax.hessian(lambda q: tool.ID_derivatives(case.model, q, *rest[:2]).dtau_dq.sum())(q)


def test_the_jacobian_of_a_frame_has_second_derivatives() -> None:
    case = Case("FrameJacobian", "chain", ())
    model, (q,), options = case.model, case.x, case.options
    J = lambda q: tool.FrameJacobian(model, q, **options)  # noqa: E731
    dJ = lambda q: tool.frame_derivatives(model, q, options["frame"], "mixed").dJ_dq  # noqa: E731
    same(jax.jacfwd(J)(q), dJ(q))
    same(jax.jit(jax.hessian(J))(q), jax.jacrev(dJ)(q))


def test_inertias_of_each_state_have_gradients() -> None:
    """The regressor times parameters of each state is the inverse dynamics of its own robot."""
    case, rng = Case("ID", "chain", (4,)), np.random.default_rng(0)
    I = case.model.I * rng.uniform(1, 2, (4, 1, 1, 1))
    pi = np.stack([getModelInertialParams(case.model.replace(I=x)).a for x in I])
    force = lambda *x: tool.RegressorClassical(case.model, *x[:3]).Y @ x[3]  # noqa: E731
    x = (*case.x, pi)
    gradients = jax.jit(jax.vmap(jax.grad(lambda *y: case.w[0][0] @ force(*y), (0, 3))))(*x)
    for k in range(4):
        model, state = case.model.replace(I=I[k]), [y[k] for y in case.x]
        same(jax.vmap(force)(*x)[k], ID(model, *state))
        same(gradients[0][k], case.w[0][0] @ ID_derivatives(model, *state).dtau_dq)
    same(gradients[1], case.w[0][0] @ RegressorClassical(case.model, *case.x).Y)
