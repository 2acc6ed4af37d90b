"""Operators in JAX return the results, and the first and second derivatives, of this library."""

import inspect
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pytest
from helpers import all_near
from interop_samples import MODELS, Case
from numpy.testing import assert_allclose
from public_functions import assert_same

import spatial_v2
from spatial_v2 import PointConstraint, SpatialError, configurationAddition
from spatial_v2.accelerated import has_compiler
from spatial_v2.interop.operators import OPERATORS, hessian_times, pull, push, times_hessian, value

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
jnp = pytest.importorskip("jax.numpy")
pytest.importorskip("jax.export")
tool = pytest.importorskip("spatial_v2.interop.jax")
frame = pytest.importorskip("spatial_v2.interop.jax.frame")
scanned = pytest.importorskip("spatial_v2.interop.jax.scanned").scanned
check_grads = pytest.importorskip("jax.test_util").check_grads
pytestmark = pytest.mark.optional
CASES = [(x, "one_S") for x in OPERATORS] + [("ID", x) for x in MODELS if x != "one_S"]
"""Operators that JAX compiles here, each in seconds; other tests check the table of operators on
all models.
"""


def results(out: Any) -> tuple[Any, ...]:
    return tuple(out) if isinstance(out, tuple) else (out,)


def along(case: Case, at: int | None = 0) -> Any:
    """Return the weighted sum of results as a function of displacements from a state, and its
    arguments.

    The displacement of the arguments is zero. The state is number `at` of the batch, or all of it
    if None.
    """
    pick = (lambda y: y) if at is None else (lambda y: y[at])
    function = getattr(tool, case.op.name)
    q, w = jnp.asarray(pick(case.x[0])), [jnp.asarray(pick(y)) for y in case.w]

    def total(dq: Any, *rest: Any) -> Any:
        moved = configurationAddition(case.model, q, dq)
        out = results(function(case.model, moved, *rest, **case.options))
        return sum((a * b).sum() for a, b in zip(w, out, strict=True))

    zero = np.zeros((*q.shape[:-1], case.model.NV))
    return total, [zero, *(pick(y) for y in case.x[1:])]


def close(a: Any, b: Any) -> None:
    assert_allclose(a, b, rtol=1e-10, atol=1e-10 * (1 + np.abs(b).max(initial=0)))


@pytest.mark.parametrize(("name", "model"), CASES)
def test_values_and_first_derivatives_are_ours(name: str, model: str) -> None:
    case = Case(name, model)
    f = getattr(tool, name)
    for y, z in zip(results(f(case.model, *case.x, **case.options)), case(value), strict=True):
        close(y, z)
    total, x = along(case, None)
    for g, ours in zip(jax.grad(total, range(len(x)))(*x), case(pull, case.w), strict=True):
        close(g, ours)
    _, slope = jax.jvp(total, x, case.u)
    close(slope, sum((a * b).sum() for a, b in zip(case.w, case(push, case.u), strict=True)))


@pytest.mark.parametrize(("name", "model"), CASES)
def test_second_derivatives_are_ours(name: str, model: str) -> None:
    """Forward over reverse mode, and reverse over reverse, agree; along q they give the mean of
    both orders.
    """
    case = Case(name, model)
    total, x = along(case, None)
    gradient = jax.jit(jax.grad(total, range(len(x))))
    _, rows = jax.jvp(gradient, tuple(map(jnp.asarray, x)), tuple(map(jnp.asarray, case.u)))

    def slope(*y: Any) -> Any:
        return sum((a * b).sum() for a, b in zip(gradient(*y), case.u, strict=True))

    back = jax.grad(slope, range(len(x)))
    ours = case(hessian_times, case.w, case.u)
    other = case(times_hessian, case.w, case.u)
    for a, b, c, d in zip(rows, back(*map(jnp.asarray, x)), ours, other, strict=True):
        close(a, (c + d) / 2)
        close(b, (c + d) / 2)


@pytest.mark.parametrize("name", OPERATORS)
def test_gradients_are_those_of_differences(name: str) -> None:
    case = Case(name, "one_R")
    total, x = along(case)
    check_grads(jax.jit(total), tuple(x), order=2, modes=("fwd", "rev"), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["ID", "FDab"])
def test_hessians_in_the_entries_of_q_are_those_of_traced_dynamics(name: str) -> None:
    """Hessians with respect to the entries of q agree with those of traced dynamics.

    Traced dynamics normalises quaternions, so the Hessian depends on their norms.
    """
    case = Case(name, "one_Fb")
    q, *rest = (y[0] for y in case.x)
    robot = scanned(case.model)
    traced = robot.ID if name == "ID" else robot.FD
    ours = jax.hessian(lambda q: getattr(tool, name)(case.model, q, *rest) @ case.w[0][0])
    theirs = jax.hessian(lambda q: traced(q, *rest) @ case.w[0][0])
    close(jax.jit(ours)(2 * q), jax.jit(theirs)(2 * q))


def route_to(monkeypatch: pytest.MonkeyPatch, route: str) -> None:
    """Let JAX call foreign functions (route "foreign"), or call back to Python as if there were
    none.
    """
    if route == "callback":
        monkeypatch.setattr(frame, "is_there", lambda: False)
    elif not frame.is_there():
        pytest.skip("this JAX has no foreign functions that are known here")


ROUTES = pytest.mark.parametrize("route", ["foreign", "callback"])


@ROUTES
def test_a_batch_is_one_call_under_jit_and_vmap(
    calls: Counter[str], route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under jit and vmap, values, gradients and Hessians of 5 states are one call each."""
    route_to(monkeypatch, route)
    case = Case("ID", "floating", (5,))
    f = jax.jit(jax.vmap(lambda *x: tool.ID(case.model, *x)))
    close(f(*case.x), case(value)[0])
    straight = route == "foreign" and has_compiler()
    assert calls == ({} if straight else {"value": 1})
    calls.clear()
    total = lambda *x: (tool.ID(case.model, *x) ** 2).sum()  # noqa: E731
    part = jax.jit(jax.vmap(jax.grad(total), in_axes=(0, None, 0)))
    jax.block_until_ready(part(case.x[0], case.x[1][0], case.x[2]))
    assert calls == {"value": 1, "pull": 1}
    calls.clear()
    twice = jax.jit(jax.vmap(jax.vmap(jax.grad(total))))
    jax.block_until_ready(twice(*(y.reshape(5, 1, -1) for y in case.x)))
    assert calls == ({} if straight else {"value": 2})  # of ID and modID_derivatives


@pytest.mark.parametrize(
    ("name", "model"),
    [*((x, "floating") for x in ("ID", "FDab", "HandC", "CRBA")),
     ("ID", "planar_tree"), ("ID", "floating_rotors")],
)  # fmt: skip
def test_kernels_run_on_the_buffers_of_a_compiled_program(name: str, model: str) -> None:
    """Results agree with those in NumPy for any batch, with forces in both frames.

    The kernel for a single state is compiled into the function that JAX calls, where it is rounded
    differently.
    """
    for shape in ((), (1,), (3, 7), (0, 2)):
        case = Case(name, model, shape)
        forces: list[dict[str, Any]] = [{}]
        if "f_ext" in case.op.function.__annotations__ and shape == (3, 7):
            d = 3 if case.model.is_planar else 6
            force = np.random.default_rng(0).normal(size=(*shape, case.model.NB, d))
            forces += [{"f_ext": force}, {"f_ext": force, "frame": "body"}]
        for more in forces:
            options = {k: v for k, v in more.items() if k != "f_ext"}
            arrays = [*case.x, more["f_ext"]] if "f_ext" in more else case.x
            f = jax.jit(partial(getattr(tool, name), case.model, **options))
            ours = results(case.op.function(case.model, *arrays, **options))
            found = tuple(map(np.asarray, results(f(*arrays))))
            if shape:
                assert_same(case.op.function, case.model, found, tuple(ours))
            else:
                all_near(found, ours, 1e-14)


@ROUTES
def test_states_without_a_result_are_errors(route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    route_to(monkeypatch, route)
    case = Case("ID", "one_S", (9,))
    f = jax.jit(lambda *x: tool.ID(case.model, *x))
    case.x[0][4] = 0.0
    with pytest.raises(Exception, match="quaternion of joint 0 .* is zero, which is not a rotat"):
        jax.block_until_ready(f(*case.x))
    case.x[0][4], case.x[1][2] = case.x[0][3], np.nan
    assert np.isnan(f(*case.x)).any(axis=-1).tolist() == [k == 2 for k in range(9)]


@pytest.mark.parametrize("name", ["ID", "FDab", "HandC", "CRBA"])
def test_matrices_that_are_not_rotations_are_errors(name: str) -> None:
    """The error is raised in compiled programs, for gradients as well as values."""
    case = Case(name, "one_SE3")
    f = getattr(tool, name)
    gradient = jax.grad(lambda *x: sum(y.sum() for y in results(f(case.model, *x))))
    wrong = [case.x[0].copy(), *case.x[1:]]
    wrong[0][1, :3] *= -1.0
    for call in (jax.jit(lambda *x: f(case.model, *x)), jax.jit(gradient)):
        jax.block_until_ready(call(*case.x))
        with pytest.raises(Exception, match="of joint 0 .'SE3'"):
            jax.block_until_ready(call(*wrong))


@pytest.mark.parametrize("name", [x for x in OPERATORS if x != "CRBA"])
def test_gradients_with_respect_to_shared_arguments_are_sums(name: str) -> None:
    """Gradients with respect to arguments that all states share are sums over the states."""
    case = Case(name, "one_Fb")
    f, q, rest = getattr(tool, name), case.x[0], [y[0] for y in case.x[1:]]

    def total(*rest: Any) -> Any:
        out = jax.vmap(lambda q: results(f(case.model, q, *rest, **case.options)))(q)
        return sum((a * b).sum() for a, b in zip(out, case.w, strict=True))

    for k, g in enumerate(jax.grad(total, range(len(rest)))(*rest)):
        spread = Case(name, "one_Fb")
        spread.x = [q, *(np.broadcast_to(y, (3, *y.shape)) for y in rest)]
        close(g, spread(pull, case.w)[k + 1].sum(0))


@pytest.mark.parametrize("name", OPERATORS)
def test_empty_batches_give_empty_results(name: str) -> None:
    case = Case(name, "one_Fb", (0,))
    total, x = along(case, None)
    assert jax.grad(total)(*x).shape == (0, case.model.NV)
    mapped = jax.jit(jax.vmap(lambda *y: getattr(tool, name)(case.model, *y, **case.options)))
    for y, ours in zip(results(mapped(*case.x)), case(value), strict=True):
        assert y.shape == ours.shape


def test_external_forces_are_constants() -> None:
    case = Case("ID", "chain")
    force = jnp.ones((case.model.NB, 6))
    x = [jnp.asarray(y) for y in case.x]
    close(
        tool.ID(case.model, *x, f_ext=force, frame="body"),
        case.op.function(case.model, *case.x, np.asarray(force), frame="body"),
    )
    slope = jax.grad(lambda q: tool.ID(case.model, q, *x[1:], force).sum())(x[0])
    push_up = {"f_ext": np.asarray(force)[None]}
    pulled = pull(case.op, case.model, case.x, [np.ones_like(case.w[0])], **push_up)
    close(slope, pulled[0])
    with pytest.raises(SpatialError, match="no derivatives with respect to external"):
        jax.grad(lambda f: tool.ID(case.model, *x, f).sum())(force)


def test_arguments_come_in_every_way_that_the_function_takes_them() -> None:
    """Arguments are accepted by name, and external forces by body.

    An argument given twice is an error, and so is an option that changes the results.
    """
    case = Case("ID", "chain", ())
    q, qd, qdd = case.x
    force = {1: np.ones(6)}
    ours = case.op.function(case.model, *case.x, force)
    close(tool.ID(case.model, q, qdd=qdd, qd=qd, f_ext=force), ours)
    close(tool.ID(case.model, *case.x, [None, np.ones(6), None, None]), ours)
    with pytest.raises(TypeError, match="multiple values for argument 'f_ext'"):
        tool.ID(case.model, *case.x, force, f_ext=force)
    with pytest.raises(TypeError, match="too many positional arguments"):
        tool.ID(case.model, *case.x, None, "body")
    for name in ("return_info", "options", "q"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            tool.ID(case.model, *case.x, **{name: q})


@ROUTES
def test_edits_of_the_model_are_seen(
    calls: Counter[str], route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs compiled before use the values that were assigned since then."""
    route_to(monkeypatch, route)
    case = Case("ID", "chain", (9,))
    f, model = jax.jit(lambda *x: tool.ID(case.model, *x)), case.model
    before = np.asarray(f(*case.x))
    model.I = 2 * model.I
    assert np.array_equal(f(*case.x), case.op.function(model, *case.x))
    close(f(*case.x), 2 * before)
    model.I = model.I / 2
    model.gravity = {2: -3.0}
    for _ in range(2):
        assert np.array_equal(f(*case.x), case.op.function(model, *case.x))
    for armature in (1.0, None, 2.0):
        model.armature = armature
        calls.clear()
        for _ in range(3):
            assert np.array_equal(f(*case.x), case.op.function(model, *case.x))
        assert calls == {"value": 1 if route == "foreign" and has_compiler() else 3}
    model.armature = {0: 3.0}
    assert np.array_equal(f(*case.x), case.op.function(model, *case.x))


CONSTRAINED = {
    name: list(inspect.signature(function).parameters.values())[1:]
    for name in spatial_v2.__all__
    if hasattr(function := getattr(spatial_v2, name), "reference")
    and "constraints" in inspect.signature(function).parameters
}


@pytest.mark.parametrize("name", CONSTRAINED)
def test_points_of_constraints_may_be_traced_where_the_state_is_numpy(name: str) -> None:
    """Rows at a traced point have the shapes of rows at a point of numbers, and `KKT_FD` its
    results.
    """
    model = spatial_v2.autoTree(3)
    needed = [x.name for x in CONSTRAINED[name] if x.default is inspect.Parameter.empty]
    rng, rows = np.random.default_rng(1), {"forces": 1, "nu": 1}
    arrays = [rng.normal(size=rows.get(x, 3)) for x in needed if x != "constraints"]
    reference = getattr(spatial_v2, name).reference

    def at(point: Any) -> tuple[Any, ...]:
        return results(reference(model, *arrays, constraints=[row(point)]))

    def row(point: Any) -> PointConstraint:
        return PointConstraint(2, point, directions=[[0, 0.6, 0.8]], point1=np.zeros(3))

    point = np.array([0.1, 0.2, -0.1])
    want = at(point)
    assert [x.shape for x in jax.eval_shape(at, point)] == [x.shape for x in want]
    if name == "KKT_FD":
        for got, x in zip(jax.jit(at)(point), want, strict=True):
            close(got, x)
