"""Every function of `spatial_v2.matlab` gives the results of the original library in GNU Octave.

The tests run if the environment variable SPATIAL_V2_MATLAB names the folders of the library. A
function of that library without a call, or a reason for none, is an error.
"""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matlab_listing import listing
from numpy.testing import assert_allclose
from octave_calls import CALLS
from octave_library import OCTAVE, Call, Theirs, run
from octave_models import MODELS
from octave_not_called import NOT_CALLED

import spatial_v2.matlab as ours
from spatial_v2.matlab.table import ROWS

NAMED = os.environ.get("SPATIAL_V2_MATLAB")
pytestmark = [
    pytest.mark.skipif(OCTAVE is None, reason="GNU Octave is not installed"),
    pytest.mark.skipif(NAMED is None, reason="SPATIAL_V2_MATLAB names no MATLAB library"),
]
MISSING = {n: {text.strip("`") for text in row.missing} for n, row in ROWS.items()}
NAMES = sorted({call.name for call in CALLS})


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> list[Theirs]:
    """Run all calls in Octave, in one process."""
    assert NAMED is not None
    return run(CALLS, MODELS, NAMED.split(os.pathsep), tmp_path_factory.mktemp("octave"))


@pytest.mark.parametrize("name", NAMES)
def test_function_gives_what_matlab_gives(name: str, theirs: list[Theirs]) -> None:
    for call, their in zip(CALLS, theirs, strict=True):
        if call.name != name:
            continue
        given = [argument(x) for x in call.args]
        told = f"{name}({', '.join(map(described, call.args))})"
        found = getattr(ours, name)(*given, nargout=call.nargout)
        if their.error:  # allowed where parity.toml lists an improvement
            assert ROWS[name].better, f"{told}: Octave says {their.error}"
            continue
        results = found if call.nargout > 1 else (found,)
        assert len(results) == call.nargout, told
        for k, (a, b) in enumerate(zip(results, their.out, strict=True)):
            b = {f: v for f, v in b.items() if f not in MISSING[name]} if isinstance(b, dict) else b
            JUDGES[call.judge](a, b, f"{told}, result {k + 1}")


def described(x: Any) -> str:
    """Describe an argument in a few words: a name, a shape, or the number of cells."""
    if isinstance(x, str):
        return x
    return f"{len(x)} cells" if isinstance(x, list) else str(np.shape(x))


def argument(x: Any) -> Any:
    """Convert an argument of a call to the form that `spatial_v2.matlab` accepts."""
    if not isinstance(x, str) or "@" not in x:
        return x
    if x[1:] in MODELS:
        return MODELS[x[1:]]
    if x[1:] in ROWS:
        return getattr(ours, x[1:])
    return getattr(ours, x[1:-2])() if x.endswith("()") else PYTHON[x]


PYTHON: dict[str, Callable[..., Any]] = {
    "@(x) [x(1)*x(2); sin(x(1))]": lambda x: np.array([x[0] * x[1], np.sin(x[0])]),
    "@(x) x(1)*x(2)": lambda x: x[0] * x[1],
    "@(x) [x(1)*x(2) x(1); 1 x(2)^2]": lambda x: np.array(
        [[x[0] * x[1], x[0]], [1 + 0 * x[0], x[1] ** 2]]
    ),
    "@(I,v) factorFunctions(I,v,1)": lambda I, v: ours.factorFunctions(I, v, 1),  # type: ignore[attr-defined]
}


def close(a: Any, b: Any, told: str) -> None:
    """Check that results are equal, arrays up to 1e-9 of the largest entry and axes of length one.

    Lists and structs are compared by parts.
    """
    if isinstance(b, dict):
        fields = a._asdict() if hasattr(a, "_asdict") else vars(a)
        assert b.keys() <= fields.keys(), f"{told}: fields {sorted(b.keys() - fields.keys())}"
        for field, value in b.items():
            close(fields[field], value, f"{told}.{field}")
        return
    if isinstance(b, list):
        assert len(a) == len(b), told
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            close(x, y, f"{told}{{{i + 1}}}")
        return
    a, b = np.squeeze(np.asarray(a)), np.squeeze(b)
    if a.size == b.size == 0:
        return
    assert a.shape == b.shape, f"{told}: shape {a.shape}, MATLAB {b.shape}"
    size = np.abs(b).max(initial=1.0)
    assert_allclose(a, b, rtol=0, atol=1e-9 * size, err_msg=told)


def matrix(x: Any) -> np.ndarray:
    return np.asarray(x).reshape(len(x), -1)


def span(a: Any, b: Any, told: str) -> None:
    """Check that the columns of a and b span the same space."""
    if isinstance(b, list):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            span(x, y, f"{told}{{{i + 1}}}")
        return
    P, Q = (projector(matrix(x)) for x in (a, b))
    assert_allclose(P, Q, rtol=0, atol=1e-7, err_msg=told)


def rows(a: Any, b: Any, told: str) -> None:
    """Check that the rows of a and b span the same space."""
    if isinstance(b, list):
        span([x.T for x in a], [y.T for y in b], told)
    else:
        span(np.atleast_2d(a).T, b.T, told)


def projector(A: np.ndarray) -> np.ndarray:
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    U = U[:, s > 1e-8 * s.max(initial=1e-300)]
    return np.asarray(U @ U.T)


def angles(a: Any, b: Any, told: str) -> None:
    """Check that two triples of angles represent the same rotation.

    Of the two solutions, MATLAB returns the other one first.
    """
    close(ours.rpyToRot(a), ours.rpyToRot(b.ravel()), told)  # type: ignore[attr-defined]


def sign(a: Any, b: Any, told: str) -> None:
    """Check that results are equal up to their sign."""
    b = b.reshape(np.shape(a))
    close(a, b if np.vdot(a, b).real > 0 else -b, told)


def robots(a: Any, b: Any, told: str) -> None:
    """Check that models have equal fields, of those in MATLAB's struct that determine
    the motion.
    """
    kept = SimpleNamespace(parent=a.parent + 1, Xtree=list(a.Xtree), I=list(a.I))
    close(kept, {k: b[k] for k in vars(kept) if k in b}, told)
    assert [x if isinstance(x, str) else x["code"] for x in a.jtype] == [
        x if isinstance(x, str) else x["code"] for x in b["jtype"]
    ], told
    if "gravity" in b:
        close(a.gravity, b["gravity"], told)
    if "gr" in b and a.has_rotor.any():
        close(a.gr, b["gr"], told)


def slopes(a: Any, b: Any, told: str) -> None:
    """Check derivatives that MATLAB computes by differences, up to half of the digits."""
    assert_allclose(np.squeeze(a), np.squeeze(b), rtol=0, atol=1e-7, err_msg=told)


def nothing(a: Any, b: Any, told: str) -> None:
    """Accept any result: it is not numeric, or cannot equal MATLAB's."""


JUDGES: dict[str, Callable[[Any, Any, str], None]] = {
    "": close,
    "span": span,
    "rows": rows,
    "angles": angles,
    "sign": sign,
    "robot": robots,
    "there": nothing,
    "slopes": slopes,
}


def test_every_function_of_the_library_is_called() -> None:
    assert NAMED is not None
    names = listing(NAMED.split(os.pathsep)).keys()
    untold = names - set(NAMES) - NOT_CALLED.keys()
    assert untold == set()


def test_functions_that_are_not_called_have_a_reason() -> None:
    assert not NOT_CALLED.keys() & set(NAMES)
    assert NOT_CALLED.keys() <= ROWS.keys()


def test_failing_calls_are_reported(tmp_path: Path) -> None:
    """A call that fails in Octave is reported."""
    found = run([Call("rx", (1.0, 2.0, 3.0)), Call("rx", (0.5,))], {}, [str(NAMED)], tmp_path)
    assert found[0].error and not found[1].error
