"""Helpers of all tests: comparison of arrays, parts of results, kernel or reference
implementation.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest

from spatial_v2 import Model
from spatial_v2.calls.prepare import kernel_tree

KERNEL, REFERENCE = "kernel", "reference"
FORMS = (KERNEL, REFERENCE)


def near(actual: Any, desired: Any, tolerance: float = 1e-12, *, least: float = 1.0) -> None:
    """Check that two arrays have the same shape and agree, relative to the largest entry.

    Parameters
    ----------
    actual, desired : array_like
        The computed and the expected value.
    tolerance : float, optional
        Largest difference of two entries, as a part of the largest entry of `desired`.
    least : float, optional
        Lower bound of the scale of the comparison.
    """
    # the product turns Booleans into numbers
    actual, desired = np.asarray(actual) * 1, np.asarray(desired) * 1
    assert actual.shape == desired.shape, (actual.shape, desired.shape)
    largest = np.max(np.abs(desired), initial=least)
    error = np.max(np.abs(actual - desired), initial=0.0)
    assert error <= tolerance * largest, f"{error:.2e} of {largest:.2e}, want {tolerance:.0e}"


def all_near(actual: Any, desired: Any, tolerance: float = 1e-12) -> None:
    """Check that all arrays of two results are near; see `near`."""
    for a, d in zip(actual, desired, strict=True):
        near(a, d, tolerance)


def exact(actual: Any, desired: Any, atol: float = 1e-14) -> None:
    """Check that two arrays are equal up to the rounding of numbers of order one."""
    np.testing.assert_allclose(actual, desired, rtol=0, atol=atol)


def parts(result: Any) -> tuple[Any, ...]:
    """Return the arrays of a result: the fields of a named tuple, or the one array."""
    return result if isinstance(result, tuple) else (result,)


def in_form(form: str, function: Any) -> Any:
    """Return the reference implementation of a function if `form` asks for it, else the
    function.
    """
    return function.reference if form == REFERENCE else function


def for_each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Return a decorator that makes one test of a property and of many small cases of it.

    One test for each case would take some milliseconds more, which is longer than most such checks
    take. The decorated function gets a case as its arguments: the entries, if the case is a tuple.
    All cases run, and those that fail are reported. A case may skip; the test does if all skip.
    """

    every = list(cases)

    def decorate(law: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            failures, skipped = [], []
            for case in every:
                try:
                    law(*case) if type(case) is tuple else law(case)
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except Exception as error:
                    error.add_note(f"in the case {case!r}")
                    failures.append(error)
            if failures:
                raise ExceptionGroup(f"{len(failures)} cases fail", failures)
            if skipped and len(skipped) == len(every):
                raise skipped[0]

        test.__name__, test.__doc__, test.__module__ = law.__name__, law.__doc__, law.__module__
        return test

    return decorate


Cases = Mapping[str, Callable[[], Any]] | Sequence[tuple[Any, ...]]


def refusals(error: type[Exception], cases: Cases) -> Callable[[], None]:
    """Return a test that calls raise an error, with the message of each.

    Parameters
    ----------
    error : type
        The kind of error.
    cases : mapping or sequence
        Pattern of a message -> the call; or rows of a call and a pattern, with another kind of
        error between them if a row has three entries.
    """
    rows = [(call, text) for text, call in cases.items()] if isinstance(cases, Mapping) else cases

    @for_each(rows)
    def each_call_is_refused(call: Callable[[], Any], *said: Any) -> None:
        kind, message = (error, *said)[-2:]
        with pytest.raises(kind, match=message):
            call()

    return each_call_is_refused


def lend(model: Model, **arrays: np.ndarray) -> None:
    """Let kernels read the given arrays in place of those of the model's tree."""
    state, tree = model.checked(), kernel_tree(model)
    state.kept["tree"] = tree._replace(**arrays)
    state.calls.clear()


def code_run_by(call: Callable[[], Any]) -> set[CodeType]:
    """Return the code objects of all Python functions that run during a call."""
    seen: set[CodeType] = set()

    def profile(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(before)
    return seen
