"""A state has the same result alone and in a SIMD batch, in which states share instructions.

Each test runs with the SIMD width of the processor; `test_all_laws_hold_for_other_simd_widths` runs
them all again with another width, for functions of every kind, in a process of its own.
"""

import functools
import math
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import zoo
from default_kernels import SIMD
from helpers import near
from numpy.testing import assert_array_equal
from public_functions import arguments, assert_same, functions_of_state, suits

from spatial_v2 import ID, FDab, HandC, Model
from spatial_v2.engine import kernel as kernels
from spatial_v2.engine.kernel import Record

numba = pytest.importorskip("numba")
drive = pytest.importorskip("spatial_v2.engine.numbers.batches")
CompiledKernel = pytest.importorskip("spatial_v2.engine.compiled").CompiledKernel
KernelCompiler = pytest.importorskip("spatial_v2.engine.compile.linking").KernelCompiler
turn = pytest.importorskip("spatial_v2.engine.numbers.transpose")
lines = pytest.importorskip("spatial_v2.engine.numbers.cache_lines")
sincos = pytest.importorskip("spatial_v2.engine.numbers.kinds").sincos
sines = pytest.importorskip("spatial_v2.engine.numbers.sines").sines
SIMD_WIDTH = drive.SIMD_WIDTH
pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

FUNCTIONS = {
    name: (function, required)
    for name, function, required in functions_of_state()
    if getattr(function, "has_kernel", False)
}
FORCED = {name for name, (f, _) in FUNCTIONS.items() if "f_ext" in f.__wrapped__.__annotations__}
SIZES, LONG = range(1, 18), 100
KINDS = {
    "spatial_v2.ID", "spatial_v2.FDab", "spatial_v2.ground_kinematics", "spatial_v2.FrameJacobian",
    "derivatives.ID_SO_derivatives",
}  # fmt: skip
"""Functions with kernels of every kind that compiles fast: one and two sweeps, arrays of each body,
a frame, packed tensors. Wheels, with libraries of two widths, run the others too.
"""
ALONE = "SPATIAL_V2_TEST_KINDS"
"""Environment variable: if it is set, only functions in `KINDS` are tried."""
TRIED = [name for name in FUNCTIONS if name in KINDS or ALONE not in os.environ]
functions = pytest.mark.parametrize(
    "function",
    [pytest.param(x, marks=[pytest.mark.slow] * (x.rpartition(".")[2] not in SIMD)) for x in TRIED],
)
models = pytest.mark.parametrize("name", zoo.MODELS)


def sample(name: str, function: str, n: int = SIZES[-1]) -> tuple[Any, Any, list[Any]]:
    """Return a function, a model, and the further arguments for n states, including external
    forces.
    """
    return sample_of(zoo.build(name), function, n)


def sample_of(model: Model, function: str, n: int) -> tuple[Any, Any, list[Any]]:
    """Return a function, the model, and the further arguments for n states."""
    run, required = FUNCTIONS[function]
    if not suits(run, model):
        pytest.skip("the function supports only floating-base models")
    rng = np.random.default_rng([*model.name.encode(), *function.encode()])
    args = list(arguments(model, required, rng, (n,)).values())
    if function in FORCED:
        args.append(rng.normal(size=(n, model.NB, len(model.I[0]))))
    return run, model, args


def bushy(seed: int) -> Model:
    """Return a tree of 16 bodies with many branches, on a floating base, whose subtrees are
    numbered in any order.
    """
    rng = np.random.default_rng(seed)
    parent = [-1, *(int(rng.integers(max(0, i - 6), i)) for i in range(1, 16))]
    kinds = ["Rx", "Ry", "Rz", "Px", "Pz", "S"]
    jtype = ["Fb", *(kinds[k] for k in rng.choice(6, 15, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1]))]
    places = [zoo.random_transform(rng, 6) for _ in parent]
    inertias = [zoo.random_inertia(rng, 6) for _ in parent]
    return Model(name=f"bushy {seed}", parent=parent, jtype=jtype, Xtree=places, I=inertias)


def fields(result: Any) -> tuple[np.ndarray, ...]:
    return result if isinstance(result, tuple) else (result,)


def part(args: list[Any], index: Any) -> list[Any]:
    """Return the arguments for some of the states; constraints are the same for all."""
    return [x[index] if isinstance(x, np.ndarray) else x for x in args]


def tolerance(run: Any, model: Any, args: list[Any]) -> float:
    """Return the tolerance: 1e-12, or twice the effect of rounding H on its inverse, which is
    larger for light links.

    With constraints, the KKT matrix replaces H, and second derivatives contain its inverse three
    times. The tolerance is then the change of the results if arguments change in their last bit.
    """
    if any(isinstance(x, list) for x in args):
        return max(1e-12, change_by_last_bits(run.reference, model, args))
    H = HandC.reference(model, args[0], np.zeros(model.NV)).H
    return float(max(1e-12, 2 * np.finfo(float).eps * np.linalg.cond(H).max()))


def change_by_last_bits(f: Any, model: Any, args: list[Any], trials: int = 4) -> float:
    """Return the largest relative change of a result if each number of the arguments changes by its
    last bit.
    """
    rng, exact, most = np.random.default_rng(1), fields(f(model, *args)), 0.0
    for _ in range(trials):
        side = [rng.choice([-np.inf, np.inf], np.shape(x)) for x in args]
        pairs = zip(args, side, strict=True)
        moved = [np.nextafter(x, y) if isinstance(x, np.ndarray) else x for x, y in pairs]
        for x, y in zip(fields(f(model, *moved)), exact, strict=True):
            most = max(most, float(np.abs(x - y).max(initial=0) / np.abs(y).max(initial=1)))
    return most


@functions
@models
def test_batches_agree_with_single_states_and_reference(name: str, function: str) -> None:
    """Results agree for every batch size from 1 to 17, with rotors, in the plane, and with external
    forces.
    """
    run, model, args = sample(name, function)
    alone = [fields(run(model, *part(args, b))) for b in range(len(args[0]))]
    alone = [np.stack(x) for x in zip(*alone, strict=True)]
    tol = tolerance(run, model, args)
    for x, page in zip(alone, fields(run.reference(model, *args)), strict=True):
        near(x, page, tol)
    for n in SIZES:
        for x, y in zip(fields(run(model, *part(args, slice(n)))), alone, strict=True):
            near(x, y[:n], tol)


@functions
@pytest.mark.parametrize("seed", range(3))
def test_trees_with_many_branches_agree_with_the_reference(seed: int, function: str) -> None:
    """Workspaces that bodies and blocks of columns share keep what later branches need: single
    states and batches have the results of the reference implementation.
    """
    run, model, args = sample_of(bushy(seed), function, 2)
    tol = 10 * tolerance(run, model, args)
    wanted = fields(run.reference(model, *args))
    for x, y in zip(fields(run(model, *args)), wanted, strict=True):
        near(x, y, tol)
    for x, y in zip(fields(run(model, *part(args, 0))), wanted, strict=True):
        near(x, y[0], tol)


@functions
@pytest.mark.parametrize("name", ["mixed", "planar_tree"])
def test_the_place_in_the_batch_has_no_effect(name: str, function: str) -> None:
    """Results depend neither on a state's position in the batch nor on the batch's size, for
    kernels to the last bit.
    """
    run, model, args = sample(name, function)
    whole = fields(run(model, *args))
    order = np.roll(np.arange(len(args[0])), 5)
    turned = fields(run(model, *part(args, order)))
    assert_same(run, model, turned, tuple(np.roll(x, 5, axis=0) for x in whole))
    for n in (1, 3, 11):
        first = fields(run(model, *part(args, slice(n))))
        assert_same(run, model, first, tuple(x[:n] for x in whole))


@functions
def test_states_do_not_mix(function: str) -> None:
    """NaN and infinity in some states do not affect the others."""
    run, model, args = sample("mixed", function)
    clean = fields(run(model, *args))
    args = part(args, np.arange(len(args[0])))
    last = [x for x in args if isinstance(x, np.ndarray)][-1]
    last[3], last[12] = np.nan, np.inf
    with np.errstate(all="ignore"):
        dirty = fields(run(model, *args))
    others = np.delete(np.arange(len(args[0])), [3, 12])
    assert_same(run, model, tuple(x[others] for x in dirty), tuple(x[others] for x in clean))
    # Under constraints the reference implementation computes a state with NaN: results that do not
    # depend on it, such as those with respect to tau, are rounded differently.
    rounding = 1e-11 if "KKT" in function else 0.0
    for x, y in zip(clean, dirty, strict=True):
        if np.isfinite(y[3]).all():
            assert not (np.abs(y[3] - x[3]) > rounding * np.abs(x[3]).max(initial=0.0)).any()


def test_large_angles_are_right() -> None:
    """Joints may be rotated by up to 1e300 radians, beside ordinary ones."""
    model = zoo.build("chain")
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, 32, model.NV))
    q *= 10.0 ** rng.integers(-300, 300, q.shape)
    near(ID(model, q, qd, qdd), ID.reference(model, q, qd, qdd), 1e-12)
    near(FDab(model, q, qd, qdd), FDab.reference(model, q, qd, qdd), 1e-11)


@functools.cache
def page(body: Any) -> Any:
    """Compile a function of this file as a kernel that takes tuples of arrays (B, m)."""
    kernel = numba.njit(pipeline_class=KernelCompiler)(body)
    run = CompiledKernel(kernel).run
    return lambda of, arrays, results: run(Record(of), arrays, results, True)


def through(body: Any, *arrays: np.ndarray, results: int = 1) -> tuple[np.ndarray, ...]:
    """Return the results of a function of this file, run as a kernel, for arrays (B, m)."""
    out = tuple(np.zeros_like(arrays[0]) for _ in range(results))
    page(body)((), arrays, out)
    return out


def all_operations(tree: Any, x: Any, y: Any, z: Any) -> None:
    """Apply every operator that kernels use to SIMD batches and numbers."""
    for b in range(x.shape[0]):
        for k in range(x.shape[1]):
            s = 0.0
            if k % 2:
                s = x[b, k]
            s += 2 * x[b, k] - y[b, k] / 3
            s -= 1
            s *= y[b, k]
            s /= 1.5 + x[b, k] * x[b, k]
            z[b, k] = -s + (1.0 if k == 0 else y[b, k])
            if x[b, k] == x[b, k]:
                z[b, k] += 1.0


def test_operators_act_on_each_number_of_a_simd_batch() -> None:
    """The operators act on SIMD batches, alone and with floats or integers, in place and not."""
    x, y = np.random.default_rng(1).normal(size=(2, 19, 5))
    s = np.where(np.arange(5) % 2, x, 0.0) + 2 * x - y / 3 - 1
    s = s * y / (1.5 + x * x)
    z = -s + np.where(np.arange(5) == 0, 1.0, y) + 1
    (out,) = through(all_operations, x, y)
    near(out, z, 1e-15)


def equal(tree: Any, x: Any, y: Any, z: Any) -> None:
    for b in range(x.shape[0]):
        for k in range(x.shape[1]):
            z[b, k] = 1.0 if x[b, k] == y[b, k] else 0.0


def test_equality_holds_for_every_state_of_a_simd_batch() -> None:
    """One state that differs, or is NaN, makes the comparison unequal."""
    x = np.ones((16, 3))
    y = x.copy()
    y[11, 0], x[2, 1], y[2, 1] = 2.0, np.nan, np.nan
    (out,) = through(equal, x, y)
    for k, state in ((0, 11), (1, 2)):
        different = np.arange(16) // SIMD_WIDTH == state // SIMD_WIDTH
        assert_array_equal(out[:, k], 1.0 - different)
    assert_array_equal(out[:, 2], np.ones(16))


def copy(tree: Any, x: Any, z: Any) -> None:
    for b in range(x.shape[0]):
        for k in range(x.shape[1]):
            z[b, k] = x[b, k]


@pytest.mark.parametrize("states", [*SIZES, 31, 32, 200])
def test_transposing_into_simd_batches_and_back_is_the_identity(states: int) -> None:
    """Rows of every length are restored, and no memory beside them is changed."""
    run = page(copy)
    for m in [*range(20), 64, 301]:
        x = np.random.default_rng(m).normal(size=(states, m))
        room = np.full(states * m + 32, np.pi)
        out = room[16:-16].reshape(states, m)
        run((), (x,), (out,))
        assert_array_equal(out, x)
        assert (room[:16] == np.pi).all() and (room[-16:] == np.pi).all()


def looks(tree: Any, x: Any, z: Any) -> None:
    z[0, 0] = 2.0 if turn.in_lines(x) else 1.0


def test_results_written_past_the_cache_are_complete() -> None:
    """Non-temporal stores are chosen for large batches of whole cache lines, with more states than
    a SIMD batch.
    """
    run = numba.njit(pipeline_class=KernelCompiler)(looks)
    memory, answer = np.zeros(2 * lines.MANY + 2 * lines.LINE), np.zeros((1, 1))
    begin = -memory.ctypes.data // 8 % lines.LINE
    wide = lines.MANY // SIMD_WIDTH
    for states, m, shift, wanted in (
        (lines.MANY // 8, 8, 0, True), (2 * SIMD_WIDTH, wide // 2, 0, True),
        (lines.MANY // 16, 24, 0, True),
        (lines.MANY // 8 - 1, 8, 0, False), (SIMD_WIDTH, wide, 0, False), (SIMD_WIDTH + 1, wide, 0,
        True), (lines.MANY // 8, 12, 0, False), (lines.MANY // 8, 9, 0, False),
        *((lines.MANY // 8, 8, k, False) for k in (1, 2, 4, 7)),
    ):  # fmt: skip
        x = memory[begin + shift :][: states * m].reshape(states, m)
        run((), x, answer)
        assert answer[0, 0] == 1.0 + wanted, (states, m, shift)


def curves(tree: Any, x: Any, s: Any, c: Any) -> None:
    for b in range(x.shape[0]):
        for k in range(x.shape[1]):
            s[b, k], c[b, k] = sincos(x[b, k])


def both(x: Any) -> tuple[np.ndarray, np.ndarray]:
    """Compute sine and cosine as kernels do."""
    rows = np.resize(np.asarray(x, float), (-(-len(x) // 8) * 8, 1))
    s, c = through(curves, rows, results=2)
    return s[: len(x), 0], c[: len(x), 0]


rng = np.random.default_rng(7)
RANGES = {
    "octant": rng.uniform(-np.pi / 4, np.pi / 4, 1500),
    "turns": rng.uniform(-10, 10, 1500),
    "thousand": rng.uniform(-1e3, 1e3, 1500),
    "limit": rng.uniform(-1e5, 1e5, 1500),
    "beyond": rng.uniform(1e5, 1e6, 800) * rng.choice([-1, 1], 800),
    "tiny": 10.0 ** rng.uniform(-308, 0, 800),
    "huge": 10.0 ** rng.uniform(5, 308, 800),
    "quarters": np.arange(-800, 800) * (np.pi / 2),
    "far quarters": rng.integers(-63661, 63661, 1500) * (np.pi / 2),
    "mixed": np.where(rng.random(800) < 0.1, 1e9, 1.0) * rng.normal(size=800),
}


@pytest.mark.optional
@pytest.mark.parametrize("where", RANGES)
def test_sine_and_cosine_to_one_unit_in_the_last_place(where: str) -> None:
    """Sine and cosine are exact to one unit in the last place; beyond 1e5 the C library computes
    them.
    """
    mpmath = pytest.importorskip("mpmath")
    x = RANGES[where]
    with mpmath.workprec(1200):
        for values, exact in zip(both(x), (mpmath.sin, mpmath.cos), strict=True):
            for a, value in zip(x, values, strict=True):
                true = exact(mpmath.mpf(float(a)))
                assert abs(value - true) <= np.spacing(abs(float(true))), (a, value)


def test_angles_of_one_state_have_the_sines_of_a_batch() -> None:
    """Any number of angles side by side, large ones and NaN among them; nothing else is written."""
    run = numba.njit(lambda x, n: sines(x, n))
    angles = np.array(
        [*rng.uniform(-9, 9, 13), 3e5, np.nan, -np.inf, -0.0, 1e5, *rng.normal(size=3)]
    )
    s, c = both(angles)
    for n in range(len(angles) + 1):
        x = np.full((len(angles) + 1, 3, 3), 7.0)
        x[:-1, 0, 0] = angles
        want = x.copy()
        want[:n, 0, 1], want[:n, 0, 2] = s[:n], c[:n]
        run(x, n)
        assert_array_equal(x, want)
        assert_array_equal(np.signbit(x), np.signbit(want))


def test_sine_and_cosine_of_nan_and_infinity_are_nan() -> None:
    """NaN and infinities give NaN, and -0.0 keeps its sign, beside ordinary numbers."""
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324, 1.0, 1e22])
    s, c = both(x)
    assert np.isnan(s[:3]).all() and np.isnan(c[:3]).all()
    assert_array_equal(s[3:6], [-0.0, 0.0, 5e-324])
    assert_array_equal(np.signbit(s[3:5]), [True, False])
    assert_array_equal(c[3:6], 1.0)
    near(s[6:], [math.sin(1.0), math.sin(1e22)], 1e-16)


@pytest.mark.skipif("SPATIAL_V2_LANES" in os.environ, reason="the SIMD width is forced")
@pytest.mark.slow
@pytest.mark.parametrize(
    "lanes", ["4", "8", *(pytest.param(x, marks=pytest.mark.wide) for x in "148")]
)
def test_all_laws_hold_for_other_simd_widths(lanes: str, request: pytest.FixtureRequest) -> None:
    """All tests of this file pass with another SIMD width: of functions of every kind, or, where
    `wide` is asked for, of all, whose kernels take a quarter of an hour to compile.
    """
    if int(lanes) == SIMD_WIDTH:
        pytest.skip("this process has this SIMD width")
    few = {} if request.node.get_closest_marker("wide") else {ALONE: "1"}
    environment = {**os.environ, "SPATIAL_V2_LANES": lanes, **few}
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_simd_width_is_checked() -> None:
    """The environment variable may be 1, 4 or 8; other values are an error."""
    command = [sys.executable, "-c", "import spatial_v2.engine.compile.simd_width"]
    environment = {**os.environ, "SPATIAL_V2_LANES": "3"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "SPATIAL_V2_LANES: want 1, 4 or 8, got '3'" in done.stderr


def test_large_tensors_go_state_by_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """SIMD batches whose tensors would leave the cache are not used; results are the same."""
    if SIMD_WIDTH == 1:
        pytest.skip("the SIMD width is 1")
    run, model, args = sample("floating", "derivatives.ID_derivatives")
    packed = run(model, *args)
    assert model.checked().calls[run.work]._batched
    monkeypatch.setattr(kernels, "LARGEST", 1)
    monkeypatch.setattr(drive, "drive", None)
    other = model.replace(name="other")
    for x, y in zip(run(other, *args), packed, strict=True):
        near(x, y, 1e-13)
    assert not other.checked().calls[run.work]._batched
