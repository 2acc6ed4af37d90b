"""Dask: every accelerated function on arrays that are larger than memory, chunk by chunk."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

try:
    import dask.array as da
except ImportError as error:
    raise ImportError(
        "spatial_v2.interop.dask needs Dask: pip install 'spatial_v2[dask]'"
    ) from error

__all__ = ["lazy"]


def lazy(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function on Dask arrays: chunks of states are computed where and when they are wanted.

    Parameters
    ----------
    function : callable
        A function of this library with a kernel: `ID`, `ID_derivatives`, `KKT_FD`, ...

    Returns
    -------
    callable
        The same function, of a model and Dask (or NumPy) arrays; options as they are. It returns
        Dask arrays, several in the named tuple of the function. Axes of states may be chunked; the
        last axis of each argument is one chunk.

    Raises
    ------
    SpatialError
        A function that says nothing of its shapes.

    Notes
    -----
    The signature of the page is that of a generalised ufunc, and `dask.array.apply_gufunc` does the
    rest. Each worker process loads its kernels once, from the cache on its machine. External forces
    that vary among states go along with the states; an array without axes of states is the same for
    all.

    Examples
    --------
    >>> import dask.array as da
    >>> from spatial_v2 import ID, autoTree
    >>> model, rng = autoTree(3), np.random.default_rng(0)
    >>> q, qd, qdd = (da.from_array(x, chunks=(250, 3)) for x in rng.normal(size=(3, 1000, 3)))
    >>> tau = lazy(ID)(model, q, qd, qdd)
    >>> tau.chunks
    ((250, 250, 250, 250), (3,))
    >>> np.array_equal(tau.compute(), ID(model, q.compute(), qd.compute(), qdd.compute()))
    True
    """
    name = getattr(function, "__name__", repr(function))
    if not hasattr(function, "result_shapes"):
        raise SpatialError(
            f"lazy: {name} does not say the shapes of its results; want a function with a "
            "signature, such as ID"
        )
    page: Any = function
    cores = [core.split(",") for core in re.findall(r"\(([^)]*)\)", page.signature.split("->")[0])]
    names = list(inspect.signature(page).parameters)[1:]
    result = inspect.signature(page, eval_str=True).return_annotation

    def call(model: Model, *arguments: Any, **options: Any) -> Any:
        given = dict(zip(names, arguments, strict=False)) | options
        missing = [x for x in names[: len(cores)] if x not in given]
        if missing:
            raise TypeError(f"{name}: the argument {missing[0]} is missing")
        arrays = [given.pop(x) for x in names[: len(cores)]]
        loops = [list(core) for core in cores]
        unfit = {"out", "packed", "return_info"} & {x for x in given if given[x]}
        if unfit:
            raise SpatialError(f"{name}: {min(unfit)} does not go with Dask arrays")
        force = given.pop("f_ext", None)
        if force is not None:
            if isinstance(force, dict):
                raise SpatialError(f"{name}: f_ext: want an array (..., NB, 6) here, not a dict")
            arrays.append(force)
            loops.append(["b", "f"])
        shapes = page.result_shapes(model, **given)
        outs = [[f"r{i}{k}" for k in range(len(shape))] for i, shape in enumerate(shapes)]

        def compute(*parts: np.ndarray) -> Any:
            pushed = {"f_ext": parts[-1]} if force is not None else {}
            made = page(model, *parts[: len(cores)], **given, **pushed)
            return tuple(made) if isinstance(made, tuple) else made

        left, right = (",".join(f"({','.join(x)})" for x in side) for side in (loops, outs))
        made = da.apply_gufunc(
            compute,
            f"{left}->{right}",
            *arrays,
            output_dtypes=[np.float64] * len(outs) if len(outs) > 1 else np.float64,
            output_sizes={
                n: size for out, shape in zip(outs, shapes, strict=True)
                for n, size in zip(out, shape, strict=True)
            },
        )  # fmt: skip
        return result(*made) if hasattr(result, "_fields") else made

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"`{name}` on Dask arrays; see `lazy`."
    return call
