"""Coupled models and closed chains in CasADi, JAX and PyTorch."""

import importlib

import numpy as np
import pytest
from helpers import near, parts
from interop_samples import COUPLED, Case
from mechanisms import four_bar, state
from parameters import few

import derivatives
import spatial_v2
from derivatives import FD_derivatives, FD_SO_derivatives, ID_derivatives, KKT_FO_derivatives
from spatial_v2 import ID, KKT_FD, FDab, ModelError, PointConstraint
from spatial_v2.interop.operators import (
    EVERY,
    hessian_times,
    pull,
    push,
    times_hessian,
    value,
)


@pytest.fixture(params=COUPLED)
def case(request):
    """Return a coupled model and one of its states."""
    model, rng = COUPLED[request.param](), np.random.default_rng(0)
    if not model.is_linear:
        return model, state(model, rng)
    q = spatial_v2.random_configuration(model, rng)
    return model, (q, *rng.normal(size=(2, model.NV)))


def entries(model, q):
    """Return the matrix P of `tangent`: displacements for changes of the entries of q."""
    from spatial_v2.interop.tangent import tangent

    return np.stack([tangent(model, q, e) for e in np.eye(model.NQ)], axis=-1)


def test_kernels_for_casadi(case):
    casadi = pytest.importorskip("casadi")
    to_casadi = importlib.import_module("spatial_v2.interop.casadi").to_casadi
    model, (q, qd, tau) = case
    P = entries(model, q)
    for name, function, first in (
        ("FDab", FDab, FD_derivatives), ("ID", ID, ID_derivatives),
    ):  # fmt: skip
        f = to_casadi(model, name, kernel=True)
        near(f(q, qd, tau).full().ravel(), function(model, q, qd, tau), 1e-10)
        x = [casadi.MX.sym(s, n) for s, n in (("q", model.NQ), ("qd", model.NV), ("u", model.NV))]
        J = casadi.Function("J", x, [casadi.jacobian(f(*x), y) for y in x[:2]])
        d = first(model, q, qd, tau)
        by_q, by_qd = J(q, qd, tau)
        near(by_q.full(), d[0] @ P, 1e-9)
        near(by_qd.full(), d[1], 1e-9)
    g = to_casadi(model, "FD_derivatives", kernel=True)
    out = g(q, qd, tau)
    near(out[0].full(), FD_derivatives(model, q, qd, tau)[0], 1e-10)
    y = casadi.MX.sym("qd", model.NV)
    D = casadi.Function("D", [y], [casadi.jacobian(g(q, y, tau)[1], y)])
    second = FD_SO_derivatives(model, q, qd, tau).d2qdd_dqd
    n = model.NV
    near(D(qd).full().reshape(n, n, n, order="F"), second, 1e-8)
    tip = PointConstraint(1, [0.2, 0.1, 0.3], directions=[[0.3, 1, 0.2]])
    k = to_casadi(model, "KKT_FD", kernel=True, constraints=[tip])
    near(k(q, qd, tau)[0].full().ravel(), KKT_FD(model, q, qd, tau, [tip]).qdd, 1e-10)


@pytest.mark.parametrize("name", ["ID", "HandC", "CRBA", "ID_derivatives", "EnerMo", "FDcrb"])
def test_symbols_of_linear_couplings(name):
    pytest.importorskip("casadi")
    to_casadi = importlib.import_module("spatial_v2.interop.casadi").to_casadi
    model, rng = COUPLED["base"](), np.random.default_rng(1)
    f = to_casadi(model, name)
    given = {x: rng.normal(size=f.size1_in(k)) for k, x in enumerate(f.name_in())}
    given["q"] = spatial_v2.random_configuration(model, rng)
    function = getattr(spatial_v2, name, None) or getattr(derivatives, name)
    wanted = function(model, **given)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for x, z in zip(f.call(list(given.values())), wanted, strict=True):
        near(x.full(), np.reshape(z, x.shape), 1e-10)


def test_symbols_of_loops_are_refused_with_advice():
    pytest.importorskip("casadi")
    to_casadi = importlib.import_module("spatial_v2.interop.casadi").to_casadi
    with pytest.raises(ModelError, match=r"to_casadi\(model, 'ID', kernel=True\)"):
        to_casadi(four_bar(), "ID")
    for name in ("ID_SlotineLi", "GlobalDynamics"):
        with pytest.raises(ModelError, match="symbols cannot do"):
            to_casadi(four_bar(), name)


EVERYTHING = [
    pytest.param(name, model, marks=[pytest.mark.wide] * (k % len(COUPLED) != j))
    for k, name in enumerate(EVERY)
    for j, model in enumerate(COUPLED)
]


@pytest.mark.optional
@pytest.mark.parametrize(("name", "model"), few(EVERYTHING))
def test_every_operator_in_jax(name, model, calls):
    """Values of a mapped and compiled function, gradients, forward mode, products with Hessians."""
    jax = pytest.importorskip("jax")
    along = importlib.import_module("test_interop_jax").along
    operator = getattr(importlib.import_module("spatial_v2.interop.jax"), name)
    case = Case(name, model)
    mapped = jax.jit(jax.vmap(lambda *x: operator(case.model, *x, **case.options)))
    for x, z in zip(parts(mapped(*case.x)), case(value), strict=True):
        near(x, z, 1e-10)
    assert calls["value"] <= 1
    total, x = along(case, None)
    free = [k for k in range(len(x)) if k not in case.op.constant]
    gradient = jax.jit(jax.grad(total, free))
    for k, g in zip(free, gradient(*x), strict=True):
        near(g, case(pull, case.w)[k], 1e-10)
    u = [v if k in free else 0 * v for k, v in enumerate(case.u)]
    if free == [*range(len(x))]:
        slope = jax.jvp(total, x, u)[1]
        near(slope, sum((a * b).sum() for a, b in zip(case.w, case(push, u), strict=True)), 1e-10)
    if case.op.order > 1:
        rows = jax.jvp(gradient, x, u)[1]
        both = case(hessian_times, case.w, u), case(times_hessian, case.w, u)
        for row, a, b in zip(rows, *both, strict=True):
            near(row, (a + b) / 2, 1e-10)


@pytest.mark.optional
@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")
@pytest.mark.parametrize(("name", "model"), few(EVERYTHING))
def test_every_operator_in_torch(name, model, calls):
    """Values under `vmap` in one call, gradients, forward mode, products with Hessians."""
    torch = pytest.importorskip("torch")
    module = importlib.import_module("test_interop_torch")
    operator = getattr(importlib.import_module("spatial_v2.interop.torch"), name)
    case = Case(name, model)
    mapped = torch.func.vmap(lambda *x: operator(case.model, *x, **case.options))
    for x, z in zip(parts(mapped(*module.tensors(case.x))), case(value), strict=True):
        near(x.numpy(), z, 1e-10)
    assert calls == {"value": 1}
    total, x = module.along(case)
    free = [k for k in range(len(x)) if k not in case.op.constant]
    at = [y if k in free else y.detach() for k, y in enumerate(x)]
    again = case.op.order > 1
    gradient = torch.autograd.grad(total(*at), [x[k] for k in free], create_graph=again)
    for k, g in zip(free, gradient, strict=True):
        near(g.detach().numpy(), case(pull, case.w)[k], 1e-10)
    u = module.tensors(v if k in free else 0 * v for k, v in enumerate(case.u))
    if free == [*range(len(x))]:
        slope = torch.func.jvp(total, tuple(y.detach() for y in x), u)[1].detach()
        ours = sum((a * b).sum() for a, b in zip(case.w, case(push, case.u), strict=True))
        near(slope.numpy(), ours, 1e-10)
    if again:
        moved = sum((g * v).sum() for g, v in zip(gradient, u, strict=True))
        both = case(hessian_times, case.w, case.u), case(times_hessian, case.w, case.u)
        for row, a, b in zip(torch.autograd.grad(moved, x), *both, strict=True):
            near(row.numpy(), (a + b) / 2, 1e-10)


@pytest.mark.optional
def test_gradients_and_hessians_in_jax(case):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    operators = importlib.import_module("spatial_v2.interop.jax")
    model, (q, qd, tau) = case
    P, w = entries(model, q), np.linspace(0.5, 1.0, model.NV)

    def cost(q, qd, tau):
        return operators.FDab(model, q, qd, tau) @ w

    near(cost(q, qd, tau), FDab(model, q, qd, tau) @ w, 1e-10)
    d = FD_derivatives(model, q, qd, tau)
    by = jax.jit(jax.grad(cost, (0, 1, 2)))(q, qd, tau)
    for x, z in zip(by, (w @ d[0] @ P, w @ d[1], w @ d[2]), strict=True):
        near(x, z, 1e-9)
    hessian = jax.hessian(cost, 1)(q, qd, tau)
    second = FD_SO_derivatives(model, q, qd, tau).d2qdd_dqd
    near(hessian, np.tensordot(w, second, 1), 1e-8)
    many = jax.vmap(cost)(*(np.stack([x, x]) for x in (q, qd, tau)))
    near(many, np.repeat(cost(q, qd, tau), 2), 1e-9)
    tip = [PointConstraint(1, [0.2, 0.1, 0.3], directions=[[0.3, 1, 0.2]])]
    J = jax.jacobian(lambda v: operators.KKT_FD(model, q, v, tau, constraints=tip)[0])(qd)
    near(J, KKT_FO_derivatives(model, q, qd, tau, tip).dqdd_dqd, 1e-9)
    force = np.zeros((model.tree.NB, 6))
    force[1, 3] = 2.0
    near(operators.ID(model, q, qd, tau, f_ext=force), ID(model, q, qd, tau, force), 1e-10)


@pytest.mark.optional
def test_gradients_in_torch(case):
    torch = pytest.importorskip("torch")
    operators = importlib.import_module("spatial_v2.interop.torch")
    model, given = case
    x = [torch.tensor(y, requires_grad=True) for y in given]
    w = torch.ones(model.NV, dtype=torch.float64)
    (operators.FDab(model, *x) @ w).backward()
    d, P = FD_derivatives(model, *given), entries(model, given[0])
    for y, z in zip(x, (d[0] @ P, d[1], d[2]), strict=True):
        near(y.grad.numpy(), w.numpy() @ z, 1e-9)
