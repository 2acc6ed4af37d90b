"""Derivatives as operators of PyTorch: one call of a kernel, with the exact derivatives of this
library.
"""

from collections import Counter

import pytest
from helpers import parts
from interop_samples import Case
from numpy.testing import assert_allclose
from test_interop_operators import DERIVED
from test_interop_torch import along, close, tensors

from spatial_v2 import SpatialError
from spatial_v2.interop.operators import EVERY, pull, push, value

torch = pytest.importorskip("torch")
tool = pytest.importorskip("spatial_v2.interop.torch")
pytestmark = [
    pytest.mark.optional,
    pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning"),
]
func = torch.func


@pytest.mark.parametrize("name", DERIVED)
def test_values_and_derivatives_are_ours(name: str, calls: Counter[str]) -> None:
    """In reverse and forward mode, and under `vmap` in one call."""
    case = Case(name, "one_S")
    f, x = getattr(tool, name), tensors(case.x)
    mapped = func.vmap(lambda *y: f(case.model, *y, **case.options))(*x)
    assert calls == {"value": 1}
    for y, z, found in zip(
        parts(f(case.model, *x, **case.options)), parts(mapped), case(value), strict=True
    ):
        close(y, found)
        close(z, found)
    total, x = along(case)
    free = [k for k in range(len(x)) if k not in case.op.constant]
    given = [y if k in free else y.detach() for k, y in enumerate(x)]
    gradient = torch.autograd.grad(total(*given), [x[k] for k in free])
    for k, g in zip(free, gradient, strict=True):
        close(g, case(pull, case.w)[k])

    def moving(*y: object) -> object:
        whole = [z.detach() for z in x]
        for k, z in zip(free, y, strict=True):
            whole[k] = z
        return total(*whole)

    at, u = tuple(x[k].detach() for k in free), tensors(case.u[k] for k in free)
    _, slope = func.jvp(moving, at, u)
    directions = [v if k in free else 0 * v for k, v in enumerate(case.u)]
    close(slope, sum((a * b).sum() for a, b in zip(case.w, case(push, directions), strict=True)))


@pytest.mark.parametrize("name", DERIVED)
def test_compiled_functions_give_the_same_numbers(name: str) -> None:
    """Options may be given by position: the frame, the constraints."""
    torch.compiler.reset()
    case = Case(name, "chain", ())
    q, *rest = tensors(case.x)
    options = dict(case.options)
    more = [options.pop(k) for k in ("frame", "axes", "constraints") if k in options]
    w = tensors(case.w)

    def total(y: object) -> object:
        last = [*rest[:-1], y] if rest else []
        out = parts(
            getattr(tool, name)(case.model, *([q, *last] if rest else [y]), *more, **options)
        )
        return sum((a * b).sum() for a, b in zip(w, out, strict=True))

    x = rest[-1] if rest else q
    compiled = torch.compile(func.grad(total), fullgraph=True, backend="aot_eager")
    close(compiled(x), func.grad(total)(x).numpy())
    close(func.grad(total)(x), case(pull, case.w)[-1])


@pytest.mark.parametrize(("name", "whole"), [("ID", "ID_derivatives"), ("FDab", "FD_derivatives")])
def test_whole_jacobians_are_those_that_pytorch_makes_of_products(name: str, whole: str) -> None:
    case = Case(name, "chain", ())
    x = tensors(case.x)
    made = func.jacrev(lambda *y: getattr(tool, name)(case.model, *y), (0, 1, 2))(*x)
    for a, b in zip(getattr(tool, whole)(case.model, *x), made, strict=False):
        assert_allclose(a, b, rtol=1e-12, atol=1e-12 * (1 + float(b.abs().max())))


def test_derivatives_that_do_not_exist_are_refused() -> None:
    """They are an error in both modes, but not where nothing is asked with respect to q."""
    case = Case("modID_second_derivatives", "chain", ())
    q, qd, qdd, w = tensors(case.x, grad=True)
    total = tool.modID_second_derivatives(case.model, q, qd, qdd, w).dmod_dqq.sum()
    assert torch.autograd.grad(total, w, retain_graph=True)[0].shape == w.shape
    message = "respect to lambda_ only, not q"
    with pytest.raises(SpatialError, match=message):
        torch.autograd.grad(total, q)
    with pytest.raises(SpatialError, match=message):
        func.jvp(
            lambda q: tool.modID_second_derivatives(case.model, q, qd, qdd, w).dmod_dqq,
            (q.detach(),), (q.detach(),),
        )  # fmt: skip
    with pytest.raises(SpatialError, match="ID_derivatives: second derivatives are not computed"):
        func.hessian(lambda q: tool.ID_derivatives(case.model, q, qd, qdd).dtau_dq.sum())(q)


def test_every_operator_has_a_function() -> None:
    assert set(tool.__all__) == set(EVERY)
