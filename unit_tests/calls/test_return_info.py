"""With ``return_info=True`` every function returns a pair ``result, info``."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from derivative_checks import draw
from helpers import FORMS, in_form

PACKAGES = ("spatial_v2", "derivatives", "tensor_sva")


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield name and function of every public function with an option `return_info`."""
    for package in PACKAGES:
        root = importlib.import_module(package)
        inner = [info.name for info in pkgutil.iter_modules(root.__path__) if info.ispkg]
        for home in (root, *(importlib.import_module(f"{package}.{name}") for name in inner)):
            for name in getattr(home, "__all__", ()):
                f = getattr(home, name)
                if inspect.isfunction(f) and "return_info" in inspect.signature(f).parameters:
                    yield name, f


FUNCTIONS = dict(functions())
each_function = pytest.mark.parametrize("name", FUNCTIONS)


@each_function
def test_return_info_is_keyword_only(name: str) -> None:
    option = inspect.signature(FUNCTIONS[name]).parameters["return_info"]
    assert option.kind is option.KEYWORD_ONLY
    assert option.default is False


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tree", ["mixed", "floating_rotors", "planar_tree"])
@each_function
def test_return_info_adds_a_record(name: str, tree: str, form: str) -> None:
    """The first item of the pair is the result without the option.

    The second is a record of arrays with the same leading axes.
    """
    model, s = draw(tree, (2, 3))
    f = in_form(form, FUNCTIONS[name])
    parameters = list(inspect.signature(FUNCTIONS[name]).parameters.values())[1:]
    required = [p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    arguments = {key: getattr(s, key) for key in required}
    wanted = f(model, **arguments)
    result, info = f(model, **arguments, return_info=True)
    assert type(result) is type(wanted)
    for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (result, wanted)), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max())
    assert info._fields
    assert {x.shape[:2] for x in info} == {(2, 3)}
