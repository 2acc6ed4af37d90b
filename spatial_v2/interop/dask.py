"""Dask: lazy versions of functions, for arrays larger than memory, computed chunk by chunk."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, get_type_hints

import numpy as np

from derivatives import FD_SO_derivatives, ID_SO_derivatives
from spatial_v2.arrays.checks import as_vector
from spatial_v2.constraints.ConstraintSet import constraint_set
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.model import Model
from spatial_v2.model.state import check_forces, check_vector, common_lead

try:
    import dask.array as da
except ImportError as error:
    raise ImportError(
        "spatial_v2.interop.dask needs Dask: pip install 'spatial_v2[dask]'"
    ) from error

__all__ = ["lazy"]


def lazy(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a lazy version of a function for Dask arrays, which computes chunks when needed.

    Parameters
    ----------
    function : callable
        A function of this library with a kernel: `ID`, `ID_derivatives`, `KKT_FD`, ...

    Returns
    -------
    callable
        Function of a model, Dask (or NumPy) arrays and the same options. It returns Dask arrays;
        several results are the named tuple that the function returns. Leading axes may be chunked;
        arguments with different chunks are rechunked to match. The last axes, of one state, must be
        one chunk.

    Raises
    ------
    SpatialError
        If the function has no signature with the shapes of its arguments and results. The lazy
        version raises it for an argument with chunks of unknown length, or more than one along the
        axes of a state, and `ArrayShapeError` for one of the wrong shape, before anything is
        computed.

    Notes
    -----
    The function is applied as a generalised ufunc by `dask.array.apply_gufunc`. Each worker process
    loads its kernels once, from the cache on its machine. External forces with leading axes are
    chunked like the states; without leading axes they act at all states.

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
    page: Any = function
    described: Any = ID_SO_derivatives if function is FD_SO_derivatives else function
    if not hasattr(described, "result_shapes"):
        raise SpatialError(
            f"lazy: {name} does not say the shapes of its results; want a function with a "
            "signature, such as ID"
        )
    parameters = inspect.signature(page)
    groups = re.findall(r"\(([^)]*)\)", described.signature.split("->")[0])
    cores = dict(zip(list(parameters.parameters)[1:], groups, strict=False))
    result = get_type_hints(page)["return"]

    def call(model: Model, *arguments: Any, **options: Any) -> Any:
        chosen = parameters.bind_partial(model, *arguments).arguments | options
        del chosen["model"]
        known = dict(cores)
        if function is FD_SO_derivatives and chosen.get("qdd") is not None:
            del known["tau"]
            known["qdd"] = "v"
        missing = [x for x in known if chosen.get(x) is None]
        if missing:
            raise TypeError(f"{name}: the argument {missing[0]} is missing")
        for x in ("out", "packed", "return_info"):
            if chosen.get(x) is not None and chosen[x] is not False:
                raise SpatialError(f"{name}: {x} cannot be combined with Dask arrays")
        if isinstance(chosen.get("f_ext"), dict):
            raise SpatialError(f"{name}: f_ext: want an array (..., NB, 6) here, not a dict")
        if chosen.get("f_ext") is not None:
            known["f_ext"] = "b,f"
        arrays = {x: _lazy_array(chosen.pop(x)) for x in known}
        shapes, rows = described.result_shapes(model, **chosen), 0
        if "constraints" in chosen:
            rows = constraint_set(model, chosen["constraints"]).m
        for x, core in known.items():
            _check(f"{name}: {x}", model, arrays[x], core, rows)
        common_lead({x: y.shape[: y.ndim - _axes(known[x])] for x, y in arrays.items()})
        outs = [[f"r{i}{k}" for k in range(len(shape))] for i, shape in enumerate(shapes)]

        def compute(*parts: np.ndarray) -> Any:
            made = page(model, **dict(zip(known, parts, strict=True)), **chosen)
            return tuple(made) if isinstance(made, tuple) else made

        right = ",".join(f"({','.join(x)})" for x in outs)
        made = da.apply_gufunc(
            compute,
            f"{','.join(f'({core})' for core in known.values())}->{right}",
            *_alike(list(arrays.values()), [core.split(",") for core in known.values()]),
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


def _lazy_array(x: Any) -> da.Array:
    return x if isinstance(x, da.Array) else da.from_array(np.asarray(x), chunks=-1)


def _axes(core: str) -> int:
    """Return the number of axes of one state."""
    return core.count(",") + 1


def _check(name: str, model: Model, x: da.Array, core: str, rows: int) -> None:
    """Check an argument as the function itself does, by an array of its shape without memory."""
    if np.isnan(x.shape).any():
        raise SpatialError(
            f"{name}: the lengths of its chunks are unknown, as for x[x[:, 0] > 0]; call "
            "x.compute_chunk_sizes() first"
        )
    if x.dtype.kind not in "fiu":
        raise ArrayShapeError(f"{name}: want real numbers, got {x.dtype}")
    like: Any = np.broadcast_to(np.float64(0), x.shape)
    if core == "b,f":
        check_forces(model, like)
    elif core == "6":
        as_vector(like, name, 3 if model.is_planar else 6)
    else:
        sizes = {"q": model.NQ, "v": model.NV, "m": rows}
        check_vector(model, name, like, sizes[core], core, rotations=False)
    if any(n > 1 for n in x.numblocks[x.ndim - _axes(core) :]):
        raise SpatialError(
            f"{name}: want one chunk along the {_axes(core)} last axes, those of one state, got "
            f"chunks {x.chunks[x.ndim - _axes(core) :]}; rechunk it, x.rechunk({{-1: -1}})"
        )


def _alike(arrays: list[da.Array], cores: list[list[str]]) -> list[Any]:
    """Rechunk the arrays so that all have the same chunks along leading axes."""
    asked: list[Any] = []
    for i, (x, core) in enumerate(zip(arrays, cores, strict=True)):
        loops = range(len(core) - x.ndim, 0)
        asked += [x, [*loops, *((i, k) for k in range(len(core)))]]
    return list(da.core.unify_chunks(*asked)[1])
