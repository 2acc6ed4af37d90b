"""Every operator supports every transformation of PyTorch, with the same results."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from interop_samples import Case
from numpy.testing import assert_allclose

from spatial_v2 import SpatialError
from spatial_v2.interop.operators import OPERATORS

torch = pytest.importorskip("torch")
tool = pytest.importorskip("spatial_v2.interop.torch")
pytestmark = [
    pytest.mark.optional,
    pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning"),
]
F, G = torch.autograd.functional, torch.func


class Sample:
    """A function of q that joins all results of an operator to one vector, and its first and second
    derivatives.
    """

    def __init__(self, name: str, model: str = "chain") -> None:
        self.case = Case(name, model, ())
        self.q, *self.rest = (torch.tensor(x) for x in self.case.x)
        row = self.row(self.q)
        self.w = torch.linspace(1, 2, len(row), dtype=torch.float64)
        self.J = G.jacrev(self.row)(self.q)
        self.H = G.jacfwd(G.jacrev(self.sum))(self.q)

    def row(self, q: Any) -> Any:
        out = getattr(tool, self.case.op.name)(self.case.model, q, *self.rest, **self.case.options)
        out = out if isinstance(out, tuple) else (out,)
        return torch.cat([y.reshape(-1) for y in out])

    def sum(self, q: Any) -> Any:
        return self.w @ self.row(q)

    @property
    def module(self) -> Any:
        """Return the function as a module that PyTorch can export."""
        made = torch.nn.Module()
        made.forward = self.row
        return made


def compiled(f: Any) -> Any:
    return torch.compile(f, fullgraph=True, backend="aot_eager")


def exported(s: Sample) -> Any:
    """Export the function, save it, load it and call it."""
    program, file = torch.export.export(s.module, (s.q,)), io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    return torch.export.load(file).module()(s.q)


def backwards(f: Any, q: Any) -> Any:
    x = q.clone().requires_grad_()
    return torch.autograd.grad(f(x), x)[0]


def by_batches(s: Sample) -> Any:
    """Compute gradients of all results in one backward pass, over a batch of unit vectors."""
    x, one = s.q.clone().requires_grad_(), torch.eye(len(s.w), dtype=torch.float64)
    return torch.autograd.grad(s.row(x), x, one, is_grads_batched=True)[0]


FORWARD = {"vectorize": True, "strategy": "forward-mode"}
OUTER = {"vectorize": True, "outer_jacobian_strategy": "forward-mode"}
TRANSFORMS: dict[str, tuple[Callable[[Sample], Any], Callable[[Sample], Any]]] = {
    "jacfwd": (lambda s: G.jacfwd(s.row)(s.q), lambda s: s.J),
    "vmap": (lambda s: G.vmap(s.row)(torch.stack([s.q])), lambda s: s.row(s.q)[None]),
    "jacobian": (lambda s: F.jacobian(s.row, s.q), lambda s: s.J),
    "jacobian(vectorize)": (lambda s: F.jacobian(s.row, s.q, vectorize=True), lambda s: s.J),
    "jacobian(forward)": (lambda s: F.jacobian(s.row, s.q, **FORWARD), lambda s: s.J),
    "is_grads_batched": (by_batches, lambda s: s.J),
    "jacrev(jacfwd)": (lambda s: s.w @ flat(G.jacrev(G.jacfwd(s.row))(s.q)), lambda s: flat1(s.H)),
    "jacrev(jacrev)": (lambda s: G.jacrev(G.jacrev(s.sum))(s.q), lambda s: s.H),
    "jacfwd(jacfwd)": (lambda s: G.jacfwd(G.jacfwd(s.sum))(s.q), lambda s: s.H),
    "hessian": (lambda s: F.hessian(s.sum, s.q), lambda s: s.H),
    "hessian(vectorize)": (lambda s: F.hessian(s.sum, s.q, vectorize=True), lambda s: s.H),
    "hessian(forward)": (lambda s: F.hessian(s.sum, s.q, **OUTER), lambda s: s.H),
    "hvp": (lambda s: F.hvp(s.sum, s.q, s.q)[1], lambda s: s.H @ s.q),
    "vhp": (lambda s: F.vhp(s.sum, s.q, s.q)[1], lambda s: s.q @ s.H),
    "compile": (lambda s: compiled(s.row)(s.q), lambda s: s.row(s.q)),
    "compile, backwards": (lambda s: backwards(compiled(s.sum), s.q), lambda s: s.w @ s.J),
    "compile(grad)": (lambda s: compiled(G.grad(s.sum))(s.q), lambda s: s.w @ s.J),
    "compile(jacrev)": (lambda s: compiled(G.jacrev(s.row))(s.q), lambda s: s.J),
    "compile(grad(grad))": (
        lambda s: compiled(G.grad(lambda q: G.grad(s.sum)(q) @ s.q))(s.q),
        lambda s: s.q @ s.H,
    ),
    "compile(jacfwd)": (lambda s: compiled(G.jacfwd(s.row))(s.q), lambda s: s.J),
    "compile(jvp)": (
        lambda s: compiled(lambda q: G.jvp(s.row, (q,), (q,))[1])(s.q),
        lambda s: s.J @ s.q,
    ),
    "compile(hessian)": (lambda s: compiled(G.hessian(s.sum))(s.q), lambda s: s.H),
    "compile(vmap(grad))": (
        lambda s: compiled(G.vmap(G.grad(s.sum)))(torch.stack([s.q, s.q]))[1],
        lambda s: s.w @ s.J,
    ),
    "export": (exported, lambda s: s.row(s.q)),
}
QUATERNIONS = [
    "jacfwd",
    "jacrev(jacfwd)",
    "hvp",
    "compile, backwards",
    "compile(grad)",
    "compile(grad(grad))",
]
CASES = [(name, how, "chain") for name in OPERATORS for how in TRANSFORMS]
CASES += [("ID", how, "one_Fb") for how in QUATERNIONS]


def flat(x: Any) -> Any:
    return x.reshape(len(x), -1)


def flat1(x: Any) -> Any:
    return x.reshape(-1)


SAMPLES: dict[tuple[str, str], Sample] = {}


@pytest.mark.parametrize(("name", "how", "model"), CASES)
def test_transformations_give_the_same_numbers(name: str, how: str, model: str) -> None:
    torch.compiler.reset()
    s = SAMPLES.setdefault((name, model), SAMPLES.get((name, model)) or Sample(name, model))
    made, wanted = (f(s).detach() for f in TRANSFORMS[how])
    assert_allclose(made, wanted, rtol=1e-9, atol=1e-9 * (1 + float(wanted.abs().max())))


@pytest.mark.parametrize("name", OPERATORS)
def test_fake_tensors_have_the_shapes_of_real_ones(name: str) -> None:
    """Fake tensors and meta tensors have the shapes of real results."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    case = Case(name, "one_Fb")
    f, x = getattr(tool, name), [torch.tensor(y) for y in case.x]
    real = f(case.model, *x, **case.options)
    with FakeTensorMode() as mode:
        fake = f(case.model, *map(mode.from_tensor, x), **case.options)
    meta = f(case.model, *(y.to("meta") for y in x), **case.options)
    for made in (fake, meta):
        for a, b in zip(*(y if isinstance(y, tuple) else (y,) for y in (made, real)), strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)


def test_compiled_programs_see_edits_and_other_models() -> None:
    """The next call of a compiled program uses the edited model, or another model, options and
    forces.
    """
    case = Case("ID", "chain")
    x = [torch.tensor(y) for y in case.x]
    force = torch.ones((case.model.NB, 6), dtype=torch.float64)
    f = compiled(lambda model, q, more: tool.ID(model, q, *x[1:], **more))
    other = case.model.replace(gravity=[0, 0, 1.0])
    for model in (case.model, other):
        for more in ({}, {"f_ext": force}, {"f_ext": force, "frame": "body"}):
            made = f(model, x[0], more)
            assert_allclose(made, tool.ID(model, *x, **more))
    case.model.I = 2 * case.model.I
    assert_allclose(f(case.model, x[0], {}), tool.ID(case.model, *x))


def test_third_derivatives_are_an_error_where_they_are_asked_for() -> None:
    """Third derivatives are an error if they are requested, but not if they are only recorded, as
    by `hvp`.
    """
    s = Sample("ID")
    q = s.q.clone().requires_grad_()
    (g,) = torch.autograd.grad(s.sum(q), q, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), q, create_graph=True)
    with pytest.raises(SpatialError, match="third derivatives are not computed; the reference"):
        torch.autograd.grad(h.sum(), q, retain_graph=True)
    with pytest.raises(SpatialError, match="third derivatives are not computed; the reference"):
        h.sum().backward()


def test_vectorized_derivatives_by_quaternions_are_refused() -> None:
    """Vectorised derivatives with quaternions are an error that names the alternative.

    PyTorch's older `vmap` has no rule for the operations in these derivatives.
    """

    class Summed(torch.autograd.Function):  # type: ignore[misc, name-defined, unused-ignore]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.sum(-1, keepdim=True)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return torch.concat([g, g])

    with pytest.raises(RuntimeError, match="Batching rule not implemented for aten::concat"):
        F.jacobian(Summed.apply, torch.ones(2), vectorize=True)
    s = Sample("ID", "one_Fb")
    for options in ({"vectorize": True}, FORWARD):
        with pytest.raises(SpatialError, match="q: vectorize=True .* torch.func.jacrev"):
            F.jacobian(s.row, s.q, **options)


def test_a_program_of_another_process_is_refused() -> None:
    """A call with the number of a model that is unknown in this process is an error: it must not
    mean another robot.
    """
    x = torch.zeros(4, dtype=torch.float64)
    with pytest.raises(SpatialError, match="a compiled program of another process, whose model"):
        torch.ops.spatial_v2.product_3_1(1, "value", x, x, x)


def test_compiled_programs_raise_the_same_errors() -> None:
    case = Case("ID", "chain")
    x = [torch.tensor(y) for y in case.x]
    with pytest.raises(Exception, match="want torch.float64, got torch.float32"):
        compiled(lambda q: tool.ID(case.model, q, *x[1:]))(x[0].float())
