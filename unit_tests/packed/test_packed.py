"""Packed tensors are dense ones without zeros; their sparsity pattern depends only on the tree."""

import inspect
import pickle
import subprocess
import sys
import textwrap
import weakref
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import parts
from numpy.testing import assert_allclose, assert_array_equal
from public_functions import (
    arguments,
    assert_same,
    functions_of_state,
    with_and_without_plan,
)

from derivatives import H_derivatives, ID_SO_derivatives, SO_pattern
from spatial_v2 import PackedTensor, TensorPattern, autoTree
from spatial_v2.engine.python_call import rows_of
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.packed import pattern as pattern_file
from spatial_v2.packed.compute import width as room_width
from spatial_v2.packed.gears import patterns_of

PACKING = {
    name.rpartition(".")[2]: (function, required)
    for name, function, required in functions_of_state()
    if "packed" in inspect.signature(function).parameters
}
"""All public functions with the option ``packed``, and their required arguments."""

packing = pytest.mark.parametrize("name", sorted(PACKING))
models = pytest.mark.parametrize("model_name", zoo.over(sorted(zoo.NAMES)))


def given(name: str, model: Any, shape: tuple[int, ...]) -> tuple[Any, list[Any]]:
    """Return the function of this name, and arguments for a batch."""
    function, required = PACKING[name]
    return function, list(arguments(model, required, np.random.default_rng(5), shape).values())


def size(x: np.ndarray) -> float:
    return float(np.abs(x).max(initial=1e-300))


def test_functions_with_packed_tensors_are_found() -> None:
    assert set(PACKING) >= {"ID_SO_derivatives", "H_derivatives", "Christoffel"}


@packing
@models
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 9)])
def test_packed_is_dense_without_zeros(name: str, model_name: str, shape: tuple[int, ...]) -> None:
    """Every nonzero entry is in the pattern, none twice, for kernels and reference
    implementations.
    """
    model = zoo.build(model_name)
    function, args = given(name, model, shape)
    whole = parts(function.reference(model, *args))
    scale = max(size(x) for x in whole)
    for dense, packed, page in zip(
        whole,
        parts(function(model, *args, packed=True)),
        parts(function.reference(model, *args, packed=True)),
        strict=True,
    ):
        assert packed.shape == dense.shape
        assert packed.pattern == page.pattern
        assert len(set(packed.pattern.flat.tolist())) == packed.pattern.nnz
        for x in (packed, page):
            assert_allclose(x.todense(), dense, rtol=0, atol=1e-12 * scale)


@with_and_without_plan
@packing
def test_dense_kernels_hold_the_packed_values(name: str, kind: str) -> None:
    """Dense results have the packed values, for any size of the batch."""
    for shape in ((), (5,), (33,)):
        model = zoo.build(kind)
        function, args = given(name, model, shape)
        dense, packed = function(model, *args), function(model, *args, packed=True)
        assert_same(function, model, tuple(x.todense() for x in parts(packed)), parts(dense))


@with_and_without_plan
@packing
def test_packed_tensors_may_be_complex(name: str, kind: str) -> None:
    """Packed tensors of complex numbers agree with the reference implementation."""
    model = zoo.build(kind)
    function, args = given(name, model, (2,))
    args[0] = args[0] + 1e-20j
    dense, packed = function(model, *args), function(model, *args, packed=True)
    for x, y in zip(parts(dense), parts(packed), strict=True):
        assert y.values.dtype == complex
        assert_allclose(x, y.todense(), rtol=0, atol=1e-15 * size(x))


@models
def test_the_pattern_is_known_without_computing(model_name: str) -> None:
    model = zoo.build(model_name)
    function, args = given("ID_SO_derivatives", model, ())
    for pattern, tensor in zip(SO_pattern(model), function(model, *args, packed=True), strict=True):
        assert pattern == tensor.pattern
    assert SO_pattern(model).dM_dq is patterns_of(model, ID_SO)[3] or model.has_rotors


def test_patterns_are_shared_and_cannot_be_changed() -> None:
    first, second = SO_pattern(autoTree(7, 2)), SO_pattern(autoTree(7, 2))
    assert all(x is y for x, y in zip(first, second, strict=True))
    with pytest.raises(ValueError, match="read-only"):
        first.dM_dq.i[0] = 1
    assert first.dM_dq != SO_pattern(autoTree(7, 1)).dM_dq


def sample(shape: tuple[int, ...] = (4,)) -> PackedTensor:
    model = zoo.build("mixed")
    function, args = given("ID_SO_derivatives", model, shape)
    tensor: PackedTensor = function(model, *args, packed=True).d2tau_dq
    return tensor


def test_contraction_is_that_of_the_dense_tensor() -> None:
    """The contraction of a packed tensor equals that of the dense one.

    There may be one weight vector, many, complex ones, and arrays of other kinds.
    """
    x = sample((4,))
    rng = np.random.default_rng(0)
    n = x.shape[-1]
    for weight in (rng.normal(size=n), rng.normal(size=(4, n)), rng.normal(size=(3, 1, n)) + 1j):
        wanted = np.einsum("...ijk,...i->...jk", x.todense(), weight)
        assert_allclose(x.contract(weight), wanted, rtol=0, atol=1e-13 * size(wanted))
    objects = PackedTensor(x.pattern, x.values.astype(object))
    weight = rng.normal(size=n)
    assert_allclose(objects.contract(weight).astype(float), x.contract(weight), atol=1e-12)
    assert_array_equal(objects.todense().astype(float), x.todense())


def test_sparse_matrices_have_the_same_entries() -> None:
    """The sparse matrix of a tensor has a row for each joint force; only a tensor of one state is
    converted.
    """
    x = sample((4,))
    n = x.shape[-1]
    assert_array_equal(x[2].to_coo().toarray(), x[2].todense().reshape(n, n * n))
    assert_array_equal(x[2].to_csr().toarray(), x[2].todense().reshape(n, n * n))
    assert x[2].to_csr().nnz == x.pattern.nnz
    with pytest.raises(ArrayShapeError, match="select one by an index"):
        x.to_csr()


def test_arithmetic_is_that_of_dense_tensors() -> None:
    x = sample((4,))
    d = x.todense()
    each = np.arange(4.0)
    for y, wanted in (
        (2 * x, 2 * d), (x * 2.0, 2 * d), (np.float64(2) * x, 2 * d), (x / 4, d / 4), (-x, -d),
        (x + x, 2 * d), (x - 3 * x, -2 * d), (x * each, d * each[:, None, None, None]),
    ):  # fmt: skip
        assert_allclose(y.todense(), wanted, rtol=1e-15)
    for wrong in (lambda: x + 1, lambda: x * [1, 2], lambda: x * x):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ArrayShapeError, match="the same pattern"):
        x + SO_pattern_values(autoTree(3))
    for shape in ((2, 4, 3), (2, 4)):
        with pytest.raises(ArrayShapeError, match="of the batch; got an array"):
            x * np.ones(shape)


def SO_pattern_values(model: Any) -> PackedTensor:
    pattern = SO_pattern(model).dM_dq
    return PackedTensor(pattern, np.zeros(pattern.nnz))


def test_values_are_viewed_as_rows_of_their_memory() -> None:
    """Values in contiguous rows are viewed without a copy as rows of their memory.

    There is no view of rows that overlap, or whose distance is not a multiple of the size of a
    number.
    """
    memory = np.zeros(200)
    apart = np.zeros(6, dtype=[("x", float), ("y", np.float32)])["x"]
    for values in (
        memory[:12].reshape(3, 4), memory[:4],
        memory[:30].reshape(3, 10)[:, :4], memory[:30].reshape(3, 10)[:, :1],
        memory[:24].reshape(2, 3, 4), memory[:24].reshape(2, 3, 4)[..., :3],
        memory[:30].reshape(3, 10)[:, ::10],
    ):  # fmt: skip
        rows = rows_of(values)
        assert rows is not None
        for k, row in enumerate(rows):
            row[: values.shape[-1]] = k + 1
        counted = np.arange(1.0, len(rows) + 1).reshape(*values.shape[:-1], 1)
        assert_array_equal(values, np.broadcast_to(counted, values.shape))
    for values in (
        np.broadcast_to(memory[:4], (3, 4)), np.broadcast_to(memory[:1], (3, 1)),
        np.lib.stride_tricks.as_strided(memory, (3, 4), (24, 8)), memory[:24].reshape(3, 8)[:, ::2],
        memory[:12].reshape(4, 3).T, memory[:12].reshape(3, 4)[::-1], apart[:, None],
    ):  # fmt: skip
        assert rows_of(values) is None


def test_zeros_can_be_written_through_the_array_itself_only() -> None:
    """Memory of `zeros` may be reused for writing only through the array itself, not through a
    copy, part or view.
    """
    pattern = SO_pattern(autoTree(2)).dM_dq
    zeros = pattern.zeros(3)
    inner = pattern_file.retarget(zeros, pattern)
    assert inner is not None
    assert inner.flags.writeable
    assert np.shares_memory(inner, zeros)
    others = zeros[:], zeros[1], zeros.reshape(-1), zeros.copy(), pickle.loads(pickle.dumps(zeros))
    for other in (*others, np.zeros(zeros.shape)):
        assert pattern_file.retarget(other, pattern) is None
    gone = weakref.ref(zeros)
    del zeros, others, other
    assert gone() is None


def test_slices_of_the_batch_are_those_of_dense_tensors() -> None:
    x = sample((4, 3))
    for key in (2, slice(1, 3), (1, 2), (slice(None), 0), np.array([0, 3]), Ellipsis):
        assert_array_equal(x[key].todense(), x.todense()[key])
    assert len(x) == 4
    for key in ((0, 0, 0), (0, 0, slice(None))):
        with pytest.raises(IndexError, match="batch"):
            x[key]
    for single in (len, list, iter):
        with pytest.raises(TypeError, match="len: want a batch"):
            single(x[0, 0])
    assert [y.shape for y in x] == [x.shape[1:]] * 4


def test_todense_fills_a_given_array() -> None:
    x = sample((4,))
    out = np.full(x.shape, 7.0)
    assert x.todense(out) is out
    assert_array_equal(out, x.todense())
    for wrong in (np.zeros(x.shape[1:]), np.zeros(x.shape, complex)):
        with pytest.raises(ArrayShapeError, match="out: want"):
            x.todense(wrong)


def test_wrong_arguments_are_refused() -> None:
    pattern = TensorPattern([0], [1], [1], 2)
    with pytest.raises(ArrayShapeError, match="values: want"):
        PackedTensor(pattern, np.zeros(3))
    with pytest.raises(ArrayShapeError, match="lambda_: want"):
        PackedTensor(pattern, np.zeros(1)).contract(np.zeros(3))
    for words in ("ab", None, {}):
        with pytest.raises(ArrayShapeError, match="lambda_ must be .*numbers"):
            PackedTensor(pattern, np.zeros(1)).contract(words)
    with pytest.raises(ArrayShapeError, match="values must be numbers, got None"):
        PackedTensor(pattern, None)
    with pytest.raises(TypeError, match="got a PackedTensor; todense"):
        np.linalg.norm(PackedTensor(pattern, [1.0]))  # type: ignore[call-overload]
    with pytest.raises(Exception, match="packed: want True or False"):
        ID_SO_derivatives(autoTree(2), *np.zeros((3, 2)), packed=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("index", "n", "message"),
    [
        (([-1], [0], [0]), 2, r"i, j, k: want indices from 0 to 1, got \(-1, 0, 0\)"),
        (([0, 0], [0, 2], [0, 0]), 2, r"i, j, k: want indices from 0 to 1, got \(0, 2, 0\)"),
        (([1, 0, 1], [0, 0, 0], [1, 0, 1]), 2, r"every entry once, got \(1, 0, 1\) more than"),
        (([0, 1], [0], [0]), 2, "i, j, k: want three arrays of whole numbers"),
        (([0.0], [0.0], [1.0]), 2, "i, j, k: want three arrays of whole numbers"),
        ((None, [0], [0]), 2, "i, j, k: want three arrays of whole numbers"),
        (([], [], []), -1, "n: want a whole number"),
        (([], [], []), 1.0, "n: want a whole number"),
    ],
)
def test_entries_of_no_tensor_are_refused(index: Any, n: Any, message: str) -> None:
    """An entry before the first one was counted from the end, and twice the same were added."""
    with pytest.raises(SpatialError, match=message):
        TensorPattern(*index, n)


def test_indices_of_the_caller_stay_writable() -> None:
    i = np.array([0, 1], dtype=np.int32)
    pattern = TensorPattern(i, i, i, 2)
    i[:] = 1
    assert pattern.i.tolist() == [0, 1]
    assert TensorPattern([], [], [], 2).nnz == 0


def test_batches_that_do_not_fit_are_named() -> None:
    """Two batches in a sum, factors and weights have leading axes that broadcast."""
    tensors = PackedTensor(TensorPattern([0], [1], [1], 2), np.ones((4, 1)))
    with pytest.raises(ArrayShapeError, match=r"^tensors: .* the shape \(4,\) .* got \(3,\)"):
        tensors + tensors[:3]
    with pytest.raises(ArrayShapeError, match=r"^factor: .* the shape \(4,\) .* got \(3,\)"):
        tensors * np.ones(3)
    with pytest.raises(ArrayShapeError, match=r"^lambda_: .* the shape \(4,\) .* got \(3,\)"):
        tensors.contract(np.ones((3, 2)))


def test_leading_axes_of_zeros_are_whole_numbers() -> None:
    tensors = PackedTensor(TensorPattern([0], [1], [1], 2), np.ones((4, 1)))
    with pytest.raises(ArrayShapeError, match="out: want a NumPy array, got list"):
        tensors.pattern.todense(tensors.values, [])  # type: ignore[arg-type]
    for lead in (-1, 2.5, None, "two"):
        with pytest.raises(SpatialError, match="^lead: want the leading axes"):
            tensors.pattern.zeros(lead)  # type: ignore[arg-type]
    assert tensors.pattern.zeros(np.int64(3)).shape == (3, 2, 2, 2)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [64, 65])
@pytest.mark.slow
def test_results_larger_than_the_cache_are_the_same(n: int) -> None:
    """Large tensors are written with non-temporal stores and have the same values."""
    model = autoTree(n, 1.2)
    args = [np.random.default_rng(k).normal(size=(17, n)) for k in range(3)]
    dense = ID_SO_derivatives(model, *args)
    packed = ID_SO_derivatives(model, *args, packed=True)
    out = SO_pattern(model).zeros(17)
    ID_SO_derivatives(model, *args, out=out)
    for x, y, z in zip(dense, packed, out, strict=True):
        assert_array_equal(x, y.todense())
        assert_array_equal(x, z)
    one = ID_SO_derivatives(model, *(x[3] for x in args))
    for x, y in zip(dense, one, strict=True):
        assert_allclose(x[3], y, rtol=0, atol=1e-12 * size(y))


@with_and_without_plan
@packing
@pytest.mark.parametrize("shape", [(), (1,), (5,), (8,), (17,)])
def test_packed_out_may_have_rows_of_any_width(
    name: str, shape: tuple[int, ...], kind: str
) -> None:
    """Packed `out` may have rows of any width, and memory beyond the values is not changed.

    This holds for repeated calls and for other memory.
    """
    function, args = given(name, model := zoo.build(kind), shape)
    first = parts(function(model, *args, packed=True))
    for _ in range(2):
        for width in (lambda n: n, lambda n: n + 3, room_width):
            rows = [np.full((*shape, width(x.pattern.nnz)), 7.0) for x in first]
            outs = tuple(
                PackedTensor(x.pattern, row[..., : x.pattern.nnz])
                for x, row in zip(first, rows, strict=True)
            )
            wanted = parts(function(model, *args, packed=True))
            got = parts(function(model, *args, packed=True, out=outs if len(outs) > 1 else outs[0]))
            for x, out, y, row in zip(got, outs, wanted, rows, strict=True):
                assert x is out
                assert_array_equal(x.values, y.values)
                assert (row[..., x.pattern.nnz :] == 7.0).all()


def test_packed_out_may_overlap_arguments() -> None:
    """Packed results that overlap arguments are right, because they are computed elsewhere."""
    model, pattern = autoTree(3), SO_pattern(autoTree(3))
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 3))
    wanted = ID_SO_derivatives(model, q, qd, qdd, packed=True)
    for shape in ((), (9,)):
        values = [np.zeros((*shape, x.nnz)) for x in pattern]
        x = values[1][..., :3]
        x[...] = q
        others = [np.tile(y, (*shape, 1)) if shape else y for y in (qd, qdd)]
        outs = tuple(map(PackedTensor, pattern, values))
        for _ in range(2):
            x[...] = q
            out = ID_SO_derivatives(model, x, *others, packed=True, out=outs)
            for y, z in zip(out, wanted, strict=True):
                assert_allclose(y.values, np.broadcast_to(z.values, y.values.shape), atol=1e-13)


@pytest.mark.skipif(sys.platform == "win32", reason="needs getrusage")
@pytest.mark.slow
def test_tables_of_a_large_tree_are_small() -> None:
    """For 600 bodies the first call takes little memory; with tables of size n^3 it took 10 GB."""
    code = """
        import resource, time
        import numpy as np
        from derivatives import ID_SO_derivatives
        from spatial_v2 import autoTree

        for n in (120, 600):
            model, x = autoTree(n, 2), np.ones((3, n))
            before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
            values = ID_SO_derivatives(model, *x, packed=True)
            seconds = time.process_time() - start
            more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(seconds, more / 1024, sum(x.values.nbytes for x in values) / 2**20)
        """
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    seconds, more, values = map(float, done.stdout.split())
    assert 3 < values < 3.5
    assert seconds < 2
    assert more < 200


def test_tables_for_dense_tensors_are_small() -> None:
    """Tables for writing dense tensors have one index for each value, and few more for isolated
    values.
    """
    for model in (autoTree(100, 2), autoTree(30), zoo.build("mixed")):
        for pattern in SO_pattern(model):
            places, spans = pattern.lines
            assert places.nbytes + spans.nbytes <= 20 * 8 * pattern.nnz
            x = np.append(np.arange(1.0, pattern.nnz + 1), 0.0)
            dense = np.zeros(pattern.n**3)
            for a, b, at in spans:
                dense[a:b] = x[places[at : at + b - a]]
            assert_array_equal(dense.reshape(pattern.shape), pattern.todense(x[:-1]))


def test_batches_that_do_not_fit_and_arrays_that_are_none_are_named() -> None:
    """Sums, factors, weights, `out` and values: each message says what is wanted."""
    model = autoTree(3)
    many = H_derivatives(model, np.ones((4, 3)), packed=True)
    few = many[:3]
    for call, name in (
        (lambda: many + few, "tensors"),
        (lambda: many - few, "tensors"),
        (lambda: many * np.ones(3), "factor"),
        (lambda: many / np.ones(3), "factor"),
        (lambda: many.contract(np.ones((3, 3))), "lambda_"),
    ):
        with pytest.raises(ArrayShapeError, match=rf"^{name}: want leading axes .* \(4,\) of the"):
            call()
    with pytest.raises(TypeError, match=r"^out: want a NumPy array, got list"):
        many.todense(out=[])
    values = many[0].values
    listed = PackedTensor(many.pattern, values.tolist())  # type: ignore[arg-type]
    np.testing.assert_array_equal(listed.values, values)
    with pytest.raises(ArrayShapeError, match=r"^values: want \(\.\.\., 13\), got \(2,\)"):
        PackedTensor(many.pattern, [1.0, 2.0])  # type: ignore[arg-type]
