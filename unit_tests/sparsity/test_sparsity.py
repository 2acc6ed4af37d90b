"""Branch-induced sparsity: MATLAB's numbers and properties of factors, for kernels and reference
implementations.
"""

from functools import partial
from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import in_form, near, parts, refusals
from numpy.testing import assert_array_equal

import spatial_v2 as sv
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.sparsity.branchwise import ancestors

DATA = golden_io.load("f_sparsity")
CASES = golden_io.cases("f_sparsity", "in_H")
RNG = np.random.default_rng(6)
TREES = {
    "chain": [-1, 0, 1, 2, 3],
    "star": [-1] * 5,
    "tree": [-1, 0, 0, 1, 1, 2, 2, 5],
    "two roots": [-1, 0, -1, 2, 2],
    "one": [-1],
}
PRODUCTS = (sv.mpyH, sv.mpyL, sv.mpyLt, sv.mpyLi, sv.mpyLit)
over_trees = pytest.mark.parametrize("tree", TREES)
both = pytest.mark.parametrize("form", ["kernel", "reference"])


near = partial(near, tolerance=1e-13)


def pattern(lambda_: Any) -> np.ndarray:
    """Return a mask (n, n) of the entries of a factor that may be nonzero."""
    n = len(lambda_)
    full = np.eye(n, dtype=bool)
    for i in range(n):
        full[i, ancestors(lambda_, i)] = True
    return full


def sparse(lambda_: Any, *lead: int) -> np.ndarray:
    """Return random positive definite matrices whose entries between branches are zero."""
    n = len(lambda_)
    L = np.where(pattern(lambda_), RNG.normal(size=(*lead, n, n)), 0) + 2 * np.eye(n)
    return np.asarray(L.swapaxes(-1, -2) @ L)


@both
@pytest.mark.parametrize("case", CASES)
def test_factors_and_products_agree_with_matlab(case: str, form: str) -> None:
    """Factors and products agree with MATLAB, whose parents count from 1."""
    raw = lambda what: golden_io.raw(DATA, case, what)  # noqa: E731
    H, x = raw("in_H"), raw("in_x").ravel()
    joints = raw("in_parent").ravel().astype(int) - 1
    lambda_ = sv.expandLambda(joints, raw("in_nf").ravel())
    near(in_form(form, sv.LTL)(H, lambda_), raw("LTL_L"), tolerance=1e-9)
    L, D = in_form(form, sv.LTDL)(H, lambda_)
    near(L, raw("LTDL_L"), tolerance=1e-9)
    near(D, raw("LTDL_D"), tolerance=1e-9)
    near(in_form(form, sv.mpyH)(H, lambda_, x), raw("mpyH_y").ravel(), tolerance=1e-9)
    for f in PRODUCTS[1:]:
        found = in_form(form, f)(raw("LTL_L"), lambda_, x)
        near(found, raw(f"{f.__name__}_y").ravel(), tolerance=1e-9)
        found = in_form(form, f)(raw("LTDL_L"), lambda_, x)
        near(found, raw(f"{f.__name__}_LTDL_y").ravel(), tolerance=1e-9)


@pytest.mark.parametrize("case", golden_io.cases("f_sparsity", "expandLambda"))
def test_parents_of_variables_agree_with_matlab(case: str) -> None:
    joints, sizes = (golden_io.raw(DATA, case, x).ravel() for x in ("in_parent", "in_nf"))
    wanted = golden_io.raw(DATA, case, "expandLambda").ravel() - 1
    assert_array_equal(sv.expandLambda(joints - 1, sizes), wanted)


@both
@over_trees
def test_factors_multiply_to_the_matrix_without_fill_in(tree: str, form: str) -> None:
    """The factors give H = L^T L = L^T D L, and L has no entries between branches."""
    lambda_ = TREES[tree]
    H, T = sparse(lambda_, 3, 2), np.matrix_transpose
    L = in_form(form, sv.LTL)(H, lambda_)
    near(T(L) @ L, H)
    U, D = in_form(form, sv.LTDL)(H, lambda_)
    near(T(U) @ D @ U, H)
    assert_array_equal(D, D * np.eye(len(lambda_)))
    assert_array_equal(np.diagonal(U, axis1=-2, axis2=-1), 1)
    for factor in (L, U):
        assert not factor[..., ~pattern(lambda_)].any()


@both
@over_trees
def test_products_are_those_of_the_dense_matrices(tree: str, form: str) -> None:
    """Each function gives the product with the dense matrix that its name stands for."""
    lambda_ = TREES[tree]
    H, x = sparse(lambda_, 3, 2), RNG.normal(size=(3, 2, len(lambda_)))
    L, T = sv.LTL(H, lambda_), np.matrix_transpose
    inverse = np.linalg.inv(L)
    dense = dict(zip(PRODUCTS, (H, L, T(L), inverse, T(inverse)), strict=True))
    for f, A in dense.items():
        near(
            in_form(form, f)(H if f is sv.mpyH else L, lambda_, x),
            (A @ x[..., None])[..., 0],
            tolerance=1e-12,
        )
    solved = in_form(form, sv.mpyLi)(L, lambda_, in_form(form, sv.mpyLit)(L, lambda_, x))
    near(solved, np.linalg.solve(H, x[..., None])[..., 0], tolerance=1e-11)


@pytest.mark.parametrize("name", ["chain", "branched", "floating", "mixed", "two_floating"])
def test_joint_space_inertias_have_this_sparsity(name: str) -> None:
    """The mass matrix of every tree is zero between branches, also with joints of several degrees
    of freedom.
    """
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(3), (2,))
    H = sv.HandC(model, s.q, s.qd).H
    lambda_ = sv.expandLambda(model.parent, model.nv)
    x = s.tau
    L = sv.LTL(H, lambda_)
    near(L.swapaxes(-1, -2) @ L, H, tolerance=1e-12)
    near(sv.mpyH(H, lambda_, x), (H @ x[..., None])[..., 0], tolerance=1e-12)
    assert not H[..., ~(pattern(lambda_) | pattern(lambda_).T)].any()


@over_trees
def test_entries_outside_the_pattern_are_not_read(tree: str) -> None:
    """Entries above the diagonal and between branches are not read; arguments stay unchanged."""
    lambda_ = TREES[tree]
    H = sparse(lambda_)
    spoilt = np.where(pattern(lambda_), H, 77.0)
    kept = spoilt.copy()
    for form in ("kernel", "reference"):
        near(in_form(form, sv.LTL)(spoilt, lambda_), in_form(form, sv.LTL)(H, lambda_), tolerance=0)
        near(
            in_form(form, sv.LTDL)(spoilt, lambda_).L,
            in_form(form, sv.LTDL)(H, lambda_).L,
            tolerance=0,
        )
        x = RNG.normal(size=len(lambda_))
        near(in_form(form, sv.mpyH)(spoilt, lambda_, x), sv.mpyH(H, lambda_, x))
    assert_array_equal(spoilt, kept)


@both
@pytest.mark.parametrize(
    "shapes", [((4,), ()), ((), (4,)), ((2, 1), (3,)), ((1,), (5,)), ((0,), ())]
)
def test_leading_axes_broadcast(shapes: Any, form: str) -> None:
    lambda_ = TREES["tree"]
    H, x = sparse(lambda_, *shapes[0]), RNG.normal(size=(*shapes[1], len(lambda_)))
    L = sv.LTL(H, lambda_)
    for f in PRODUCTS:
        A = H if f is sv.mpyH else L
        lead = np.broadcast_shapes(*shapes)
        n = len(lambda_)
        full = np.broadcast_to(A, (*lead, n, n)), np.broadcast_to(x, (*lead, n))
        found = in_form(form, f)(A, lambda_, x)
        assert found.shape == (*lead, n)
        for k in np.ndindex(*lead):
            near(found[k], f(full[0][k], lambda_, full[1][k]))


@over_trees
def test_factors_of_complex_matrices_multiply_to_the_matrix(tree: str) -> None:
    """L^T L = H holds for complex H, so that complex steps differentiate the factor."""
    lambda_ = TREES[tree]
    H, dH = sparse(lambda_), sparse(lambda_)
    L = sv.LTL(H + 1e-20j * dH, lambda_)
    near((L.T @ L).imag * 1e20, dH, tolerance=1e-12)
    U, D = sv.LTDL(H + 1e-20j * dH, lambda_)
    near((U.T @ D @ U).imag * 1e20, dH, tolerance=1e-12)


FUNCTIONS = (sv.LTL, sv.LTDL, *PRODUCTS)
every_function = pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)


def given_to(f: Any, *lead: int, one: bool = False) -> tuple[Any, ...]:
    """Return a matrix for each state or one for all, the parents of the tree, and vectors."""
    lambda_ = TREES["tree"]
    H = sparse(lambda_, *(() if one else lead))
    if f in (sv.LTL, sv.LTDL):
        return H, lambda_
    return (
        (H if f is sv.mpyH else sv.LTL(H, lambda_)),
        lambda_,
        RNG.normal(size=(*lead, len(lambda_))),
    )


@both
@every_function
@pytest.mark.parametrize("lead", [(), (0,), (3, 2)])
def test_out_is_filled_and_returned(f: Any, lead: tuple[int, ...], form: str) -> None:
    """Arrays given by `out`, contiguous or not, are filled whatever their contents, and
    returned.
    """
    args, run = given_to(f, *lead), in_form(form, f)
    wanted = parts(run(*args))
    for make in (np.full_like, lambda x, value: np.full((2, *x.shape[::-1]), value)[0].T):
        outs = tuple(make(x, np.nan) for x in wanted)
        found = run(*args, out=outs if len(outs) > 1 else outs[0])
        assert type(found) is type(run(*args))
        assert all(x is y for x, y in zip(parts(found), outs, strict=True))
        for x, y in zip(outs, wanted, strict=True):
            assert_array_equal(x, y)


@both
@every_function
def test_wrong_out_is_refused_and_unchanged(f: Any, form: str) -> None:
    """Wrong arrays `out` are errors, as for accelerated functions, and nothing is written into
    them.
    """
    args, run = given_to(f, 4), in_form(form, f)
    right = tuple(np.full(x.shape, 3.0) for x in parts(run(*args)))
    read_only = np.full(right[-1].shape, 3.0)
    read_only.flags.writeable = False
    for wrong, message in (
        (right[-1].astype(np.float32), "out: want dtype float64"),
        (right[-1][..., None], "out: want shape"),
        (right[-1].tolist(), "out: want a NumPy array, got list"),
        (read_only, "out: the array is read-only"),
        (np.broadcast_to(right[-1][:1], right[-1].shape), "out: several entries of result"),
    ):
        out = (*right[:-1], wrong)
        with pytest.raises(SpatialError, match=message):
            run(*args, out=out if len(out) > 1 else out[0])
        assert all((np.asarray(x) == 3.0).all() for x in out)
    with pytest.raises(SpatialError, match=f"out: {f.__name__} has . results: want a tuple"):
        run(*args, out=(*right, right[0]))


def test_results_that_share_memory_are_refused() -> None:
    """Results that share memory are an error; a result may overlap arguments, which are
    read first.
    """
    H, lambda_ = given_to(sv.LTDL, 4)
    memory = np.zeros((5, 8, 8))
    with pytest.raises(SpatialError, match="out: result 1 and result 0 share memory"):
        sv.LTDL(H, lambda_, out=(memory[:4], memory[1:]))
    for f in FUNCTIONS[2:]:
        A, lambda_, x = given_to(f, 4)
        wanted = f(A, lambda_, x)
        f(A, lambda_, x, out=x)
        assert_array_equal(x, wanted)
    L = sv.LTL(H, lambda_)
    assert sv.LTL(H, lambda_, out=H) is H
    assert_array_equal(H, L)


@every_function
@pytest.mark.parametrize("states", [0, 1, 7, 40])
@pytest.mark.parametrize("one", [False, True])
def test_the_number_of_workers_has_no_effect(f: Any, states: int, one: bool) -> None:
    """The number of workers does not change results, to the last bit, also with one matrix for all
    vectors.
    """
    args = given_to(f, states, one=one)
    for workers in (2, 3, -1):
        for x, y in zip(parts(f(*args, workers=workers)), parts(f(*args)), strict=True):
            assert_array_equal(x, y)
    with pytest.raises(SpatialError, match="workers: want 1 or more"):
        f(*args, workers=0)


@every_function
def test_parents_may_be_bound(f: Any) -> None:
    A, lambda_, *x = given_to(f, 5)
    bound, wanted = f.bind(lambda_), parts(f(A, lambda_, *x))
    outs = tuple(np.full_like(y, np.nan) for y in wanted)
    bound(A, *x, out=outs if len(outs) > 1 else outs[0], workers=2)
    for found in (parts(bound(A, *x)), outs):
        for y, z in zip(found, wanted, strict=True):
            assert_array_equal(y, z)
    with pytest.raises(SpatialError, match=r"lambda_\[0\] must be from -1 to -1"):
        f.bind([0, 1])
    with pytest.raises(TypeError, match="unexpected keyword argument 'ot'"):
        bound(A, *x, ot=None)


def test_columns_are_vectors_and_arguments_have_names() -> None:
    """Columns (n, 1) are accepted as vectors, and arguments may be given by name."""
    lambda_ = TREES["tree"]
    L, x = sv.LTL(H=sparse(lambda_), lambda_=lambda_), RNG.normal(size=len(lambda_))
    near(sv.mpyL(L, lambda_, x=x[:, None]), sv.mpyL(L, lambda_, x))


def test_indefinite_matrices_are_factored_by_ltdl_alone() -> None:
    """LTDL factors indefinite matrices; LTL raises an error that says what is wrong."""
    H = np.array([[1.0, 2.0], [2.0, -3.0]])
    L, D = sv.LTDL(H, [-1, 0])
    near(L.T @ D @ L, H)
    with pytest.raises(ArrayShapeError, match="LTL: H must be positive definite"):
        sv.LTL(H, [-1, 0])
    assert np.isnan(sv.LTL(np.full((2, 2), np.nan), [-1, 0])).any()


BAD: list[tuple[Any, str]] = [
    (lambda: sv.LTL(np.eye(3), [0, 1, 1]), r"LTL: lambda_\[0\] must be .*: subtract one from"),
    (lambda: sv.LTL(np.eye(3), [-1, 0, 2]), r"lambda_\[2\] must be from -1 to 1, got 2"),
    (lambda: sv.LTL(np.eye(3), [-1, 0]), r"LTL: H must have shape \(..., 2, 2\), got \(3, 3\)"),
    (lambda: sv.LTDL(np.eye(2), [-1, 0.5]), "LTDL: lambda_ must be whole numbers"),
    (lambda: sv.LTDL(np.eye(2), [-1, [0, 1]]), "LTDL: lambda_ must be whole numbers"),
    (lambda: sv.mpyL(np.eye(2), [-1, 0], [1, 2, 3]), r"mpyL: x must have shape \(..., 2\)"),
    (lambda: sv.mpyH("H", [-1], [1]), "mpyH: H must be numbers"),
    (
        lambda: sv.mpyLi(np.ones((2, 1, 1)), [-1], np.ones((3, 1))),
        r"mpyLi: leading axes do not broadcast",
    ),
    (lambda: sv.expandLambda([-1, 0], [1]), "nf must be 2 whole numbers, one or more"),
    (lambda: sv.expandLambda([-1, 0], [1, 0]), "nf must be 2 whole numbers, one or more"),
    (lambda: sv.expandLambda([0, 1], [1, 1]), "subtract one"),
]
test_bad_input_is_refused = refusals(SpatialError, BAD)
