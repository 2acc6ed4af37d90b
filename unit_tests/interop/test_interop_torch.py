"""Operators in PyTorch return the results, and the first and second derivatives, of
this library.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from helpers import parts
from interop_samples import MODELS, Case
from numpy.testing import assert_allclose

from spatial_v2 import ArrayShapeError, PointConstraint, SpatialError, configurationAddition
from spatial_v2.interop.operators import OPERATORS, hessian_times, pull, push, times_hessian, value

torch = pytest.importorskip("torch")
tool = pytest.importorskip("spatial_v2.interop.torch")
pytestmark = [
    pytest.mark.optional,
    pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning"),
]
CASES = [(name, model) for name in OPERATORS for model in MODELS]


def tensors(xs: Any, *, grad: bool = False) -> tuple[Any, ...]:
    return tuple(torch.tensor(np.asarray(x), requires_grad=grad) for x in xs)


def along(case: Case) -> Any:
    """Return the weighted sum of results as a function of displacements, and its arguments at
    displacement zero.
    """
    q, w = torch.tensor(case.x[0]), tensors(case.w)

    def total(dq: Any, *rest: Any) -> Any:
        moved = configurationAddition(case.model, q, dq)
        out = parts(getattr(tool, case.op.name)(case.model, moved, *rest, **case.options))
        return sum((a * b).sum() for a, b in zip(w, out, strict=True))

    zero = np.zeros((*q.shape[:-1], case.model.NV))
    return total, tensors([zero, *case.x[1:]], grad=True)


def close(a: Any, b: Any) -> None:
    a = a.detach().numpy() if isinstance(a, torch.Tensor) else a
    assert_allclose(a, b, rtol=1e-10, atol=1e-10 * (1 + np.abs(b).max(initial=0)))


@pytest.mark.parametrize(("name", "model"), CASES)
def test_values_and_first_derivatives_are_ours(name: str, model: str) -> None:
    case = Case(name, model)
    f, x = getattr(tool, name), tensors(case.x)
    for y, z in zip(parts(f(case.model, *x, **case.options)), case(value), strict=True):
        close(y, z)
    total, x = along(case)
    for g, ours in zip(torch.autograd.grad(total(*x), x), case(pull, case.w), strict=True):
        close(g, ours)
    _, slope = torch.func.jvp(total, tuple(y.detach() for y in x), tensors(case.u))
    close(slope, sum((a * b).sum() for a, b in zip(case.w, case(push, case.u), strict=True)))


@pytest.mark.parametrize(("name", "model"), CASES)
def test_second_derivatives_are_ours(name: str, model: str) -> None:
    """Double backward, and forward over reverse mode, agree; along q they give the mean of both
    orders.
    """
    case = Case(name, model)
    total, x = along(case)
    first = torch.autograd.grad(total(*x), x, create_graph=True)
    slope = sum((a * b).sum() for a, b in zip(first, tensors(case.u), strict=True))
    back = torch.autograd.grad(slope, x)
    gradient = torch.func.grad(total, argnums=tuple(range(len(x))))
    _, forward = torch.func.jvp(gradient, tuple(y.detach() for y in x), tensors(case.u))
    ours, other = case(hessian_times, case.w, case.u), case(times_hessian, case.w, case.u)
    for a, b, c, d in zip(back, forward, ours, other, strict=True):
        close(a, (c + d) / 2)
        close(b, (c + d) / 2)


@pytest.mark.parametrize("model", ["one_R", "one_S"])
@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_are_those_of_differences(name: str, model: str) -> None:
    case = Case(name, model, (2,))
    total, x = along(case)
    assert torch.autograd.gradcheck(total, x, check_forward_ad=True, fast_mode=True)
    assert torch.autograd.gradgradcheck(total, x, fast_mode=True)


@pytest.mark.parametrize("name", ["ID", "FDab"])
def test_hessians_in_the_entries_of_q_are_those_of_the_reference(name: str) -> None:
    """Hessians with respect to entries of q agree with the reference, which normalises quaternions
    of any norm.
    """
    case = Case(name, "one_Fb")
    q, *rest = tensors(y[0] for y in case.x)
    w, made = torch.tensor(case.w[0][0]), []
    for f in (getattr(tool, name), case.op.function.reference):  # type: ignore[attr-defined]
        made.append(
            torch.autograd.functional.hessian(
                lambda q, f=f: f(case.model, q, *rest) @ w,
                2 * q,
            )
        )
    close(made[0], made[1].numpy())


def test_a_batch_is_one_call(calls: Counter[str]) -> None:
    case = Case("ID", "floating", (5,))
    x = tensors(case.x)
    close(torch.func.vmap(lambda *x: tool.ID(case.model, *x))(*x), case(value)[0])
    assert calls == {"value": 1}
    calls.clear()
    total = lambda *x: (tool.ID(case.model, *x) ** 2).sum()  # noqa: E731
    mapped = torch.func.vmap(torch.func.grad(total), in_dims=(0, None, 0))
    one = torch.func.grad(total)(x[0][1], x[1][0], x[2][1])
    close(mapped(x[0], x[1][0], x[2])[1], one.numpy())
    assert calls["value"] == 2 and calls["pull"] == 2


@pytest.mark.parametrize("name", [x for x in OPERATORS if x != "CRBA"])
def test_gradients_by_what_all_states_share_are_sums(name: str) -> None:
    case = Case(name, "one_Fb")
    q, *rest = tensors((case.x[0], *(y[0] for y in case.x[1:])), grad=True)
    out = parts(getattr(tool, name)(case.model, q, *rest, **case.options))
    total = sum((a * b).sum() for a, b in zip(out, tensors(case.w), strict=True))
    case.x[1:] = [np.broadcast_to(y[0], y.shape) for y in case.x[1:]]
    ours = case(pull, case.w)
    for g, all_ in zip(torch.autograd.grad(total, rest), ours[1:], strict=True):
        close(g, all_.sum(0))


@pytest.mark.parametrize("name", OPERATORS)
def test_empty_batches_give_empty_results(name: str) -> None:
    case = Case(name, "one_Fb", (0,))
    total, x = along(case)
    first = torch.autograd.grad(total(*x), x, create_graph=True)
    assert [g.shape for g in first] == [y.shape for y in x]
    torch.autograd.grad(sum(g.sum() for g in first), x)


def test_external_forces_are_constants() -> None:
    case = Case("ID", "chain")
    force, x = torch.ones((case.model.NB, 6), dtype=torch.float64), tensors(case.x, grad=True)
    tau = tool.ID(case.model, *x, force)
    close(tau, case.op.function(case.model, *case.x, force.numpy()))
    options = {"f_ext": force.numpy()[None]}
    pulled = pull(case.op, case.model, case.x, [np.ones_like(case.w[0])], **options)
    close(torch.autograd.grad(tau.sum(), x)[0], pulled[0])
    with pytest.raises(SpatialError, match="no derivatives with respect to external"):
        tool.ID(case.model, *x, force.requires_grad_()).sum().backward()


def test_third_derivatives_are_an_error() -> None:
    case = Case("ID", "one_R", ())
    (q, *rest) = tensors(case.x, grad=True)
    tau = tool.ID(case.model, q, *rest).sum()
    (first,) = torch.autograd.grad(tau, q, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), q, create_graph=True)
    with pytest.raises(SpatialError, match="third derivatives are not computed; the reference"):
        torch.autograd.grad(second.sum(), q)


@pytest.mark.parametrize("name", ["KKT_FD", "Impact_dyn"])
@pytest.mark.parametrize("recorded", [False, True])
def test_points_of_constraints_are_constants(name: str, recorded: bool) -> None:
    case = Case(name, "chain", ())
    tip = PointConstraint(3, torch.ones(3, dtype=torch.float64, requires_grad=recorded))
    with pytest.raises(SpatialError, match=f"{name}: constraints: want NumPy .*{name}.reference"):
        getattr(tool, name)(case.model, *tensors(case.x), constraints=[tip])


def test_bad_arguments_are_errors() -> None:
    case = Case("ID", "floating", ())
    with pytest.raises(ArrayShapeError, match=r"q: want torch.float64, got torch.float32"):
        tool.ID(case.model, torch.tensor(case.x[0]).float(), *case.x[1:])
    with pytest.raises(ArrayShapeError, match="q: want shape"):
        tool.ID(case.model, *tensors([case.x[1], *case.x[1:]]))
    from spatial_v2.interop.versions import check_version

    with pytest.raises(ImportError, match=r"needs torch >= 2.4, found 2.1"):
        check_version("torch", "2.1", tool.LEAST)
