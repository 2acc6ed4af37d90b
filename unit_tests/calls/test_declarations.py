"""The decorator rejects declarations that do not fit the function; results may be scalars."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spatial_v2 import autoTree
from spatial_v2.accelerated import KERNELS, accelerated, has_compiler
from spatial_v2.calls.kernels import KernelFunction
from spatial_v2.engine.tensors.runs import ID_SO, MASS

WRONG: dict[str, tuple[str, dict[str, Any], Callable[..., Any], str]] = {
    "arguments": ("(q),(v)->()", {}, lambda model, q: q, "fewer than 2 arguments"),
    "frame": ("(q)->(6)", {"subject": "frame"}, lambda model, q, axes="body": q, "frame and axes"),
    "packed": ("(q)->(v,v,v)", {"runs": MASS}, lambda model, q: q, "wants the parameter packed"),
    "tensors": (
        "(q)->(v,v,v)",
        {"runs": ID_SO},
        lambda model, q, packed=False: q,
        "runs of 4 tensors for 1 results",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_decorator_that_does_not_fit_is_refused(name: str) -> None:
    signature, options, implementation, message = WRONG[name]
    with pytest.raises(TypeError, match=message):
        accelerated("ID", signature, **options)(implementation)


@pytest.mark.skipif(not has_compiler(), reason="kernels need numba")
@pytest.mark.parametrize("results", [1, 2])
def test_scalars_of_one_state_are_what_the_kernel_wrote(
    results: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If all results of a function are scalars, one or several, it returns the numbers that the
    kernel wrote.
    """

    def fill(given: list[np.ndarray], outs: list[np.ndarray], batched: bool) -> bool:
        for k, out in enumerate(outs):
            out[:] = (k + 1) * given[0].sum(axis=1)
        return True

    def total(model: Any, q: Any, **options: Any) -> Any:
        raise AssertionError("the kernel should run")

    monkeypatch.setattr(KernelFunction, "filler", lambda self, model, options=None: fill)
    monkeypatch.setitem(KERNELS, "ID", KERNELS["ID"])
    function = accelerated("ID", "(q)->" + ",".join(["()"] * results))(total)
    function.work.named = lambda *parts: parts
    found = function(autoTree(3), np.array([1.0, 2.0, 39.5]), workers=2)
    for k, x in enumerate(found if results > 1 else [found]):
        assert x.shape == ()
        assert x == (k + 1) * 42.5
