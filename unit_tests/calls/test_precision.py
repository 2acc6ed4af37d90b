"""Every public function computes in double precision, for all NumPy floats."""

from typing import Any

import calls
import numpy as np
import pytest
import zoo
from calls import Call
from helpers import for_each, parts
from numpy.testing import assert_allclose, assert_array_equal

from spatial_v2 import rx, xlt
from spatial_v2.exceptions import ArrayShapeError

ALL = [
    *calls.without_model(),
    *(
        c
        for name in ("floating", "planar_tree", "one_rotor")
        for c in calls.of_model(zoo.build(name))
    ),
]
over_all = for_each(ALL)


def arrays_of(result: Any) -> list[np.ndarray]:
    """Return the arrays of a result, including those in lists."""
    return [np.asarray(x) for p in parts(result) for x in (p if isinstance(p, list) else [p])]


def same(found: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    """Check that types, shapes and values are equal, up to the order of sums in kernels."""
    for a, b in zip(found, wanted, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        assert_allclose(a, b, rtol=0, atol=1e-12 * (1 + np.abs(b).max(initial=0)))


def rounded(call: Call, dtype: Any) -> list[np.ndarray]:
    return [x.astype(dtype) for x in call.arrays]


SINGLE = [(call, (np.float16, np.float32)[k % 2]) for k, call in enumerate(ALL)]
SINGLE += [(call, np.complex64) for call in ALL if call.name not in calls.REAL_ALONE]


@pytest.mark.filterwarnings("ignore:.*overflow")
@for_each(SINGLE)
def test_single_becomes_double(call: Call, dtype: Any) -> None:
    """Arguments in single or half precision, real or complex, give the result of the same numbers
    in double precision.
    """
    double = np.dtype(complex if np.issubdtype(dtype, np.complexfloating) else float)
    single = rounded(call, dtype)
    try:
        wanted = arrays_of(call.function(*(x.astype(double) for x in single)))
    except ArrayShapeError:
        pytest.skip("the rounded argument is no rotation")
    found = [x for x in arrays_of(call.function(*single)) if x.dtype.kind not in "bi"]
    wanted = [x for x in wanted if x.dtype.kind not in "bi"]
    assert {x.dtype for x in found} <= {np.dtype(float), double}
    same(found, wanted)


@for_each(c for c in ALL if c.name in calls.REAL_ALONE)
def test_real_methods_refuse_complex_numbers(call: Call) -> None:
    """Functions for real numbers refuse complex ones: imaginary parts are never dropped
    silently.
    """
    for k in range(len(call.arrays)):
        given = list(call.arrays)
        given[k] = given[k] + 1e-20j
        with pytest.raises(ArrayShapeError, match="must be real numbers, got an array of complex"):
            call.function(*given)


@over_all
def test_whole_numbers_are_floats(call: Call) -> None:
    """Integers give the results of equal floats."""
    whole = [np.rint(3 * x).astype(int) for x in call.arrays]
    try:
        wanted = arrays_of(call.function(*(x.astype(np.float64) for x in whole)))
    except ArrayShapeError:
        pytest.skip("the rounded argument is no rotation")
    same(arrays_of(call.function(*whole)), wanted)


def test_longer_floats_keep_their_precision() -> None:
    """Long doubles are not rounded to doubles."""
    x = np.longdouble("0.1")
    assert rx(x).dtype == np.longdouble
    assert rx(x * (1 + 0j)).dtype == np.clongdouble


@over_all
def test_byte_order_has_no_effect(call: Call) -> None:
    """Numbers in the other byte order, as files have them, run kernels; results are in that of the
    processor.
    """
    found = arrays_of(call.function(*rounded(call, ">f8")))
    same(found, arrays_of(call.function(*call.arrays)))
    assert all(x.dtype.isnative for x in found)


def test_masked_entries_are_refused() -> None:
    """Masked entries, which have no value, are an error; a mask without masked entries has no
    effect.
    """
    r = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
    with pytest.raises(
        ArrayShapeError, match="xlt: r must be one array of numbers; some entries are"
    ):
        xlt(r)
    assert_array_equal(xlt(np.ma.array([1.0, 2.0, 3.0])), xlt([1.0, 2.0, 3.0]))
