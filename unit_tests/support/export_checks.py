"""Calls of exported functions beside those of Python; the contents of model files."""

from __future__ import annotations

import functools
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from exported import (
    DONE,
    UNSUPPORTED,
    Library,
)

import derivatives
import spatial_v2
from spatial_v2 import Model
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.engine.tree import lower
from spatial_v2.export import (
    compiler,
)
from spatial_v2.export.functions import exported

NEEDS_COMPILER = [
    pytest.mark.slow,
    pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed"),
]
"""Marks of files whose tests compile libraries."""


def named(name: str) -> Any:
    return getattr(derivatives, name, None) or getattr(spatial_v2, name)


@functools.cache
def record(name: str) -> Any:
    return exported([named(name)])[0]


def arguments(model: Model, name: str, shape: tuple[int, ...]) -> tuple[list[Any], Any]:
    rng = np.random.default_rng(7)
    f = record(name)
    q = spatial_v2.random_configuration(model, rng, shape)
    given = [q if core == "q" else rng.normal(size=(*shape, model.NV)) for core in f.cores]
    bodies = free_tree(model).NB
    force = rng.normal(size=(*shape, bodies, 6)) if f.force and not model.is_planar else None
    return given, force


def same_bits(library: Library, name: str, model: Model) -> None:
    """Results are Python's to the last bit. Kernels with sums compute states of trees one by one,
    and Python takes others if q has rotation matrices, which it checks. With external forces on a
    robot with rotors, it sums tensors and results of coupled models in another order, and solves
    for accelerations of coupled models without their kernels.
    """
    f, coupled = record(name), isinstance(model, CoupledModel)
    rotors, alone = free_tree(model).has_rotors, f.sums and not coupled
    matrices = any(joint.code in ("SO3", "SE3") for joint in model.layout.joints)
    for lead in ((), (1,), (11,), (700,)):
        if lead == (700,) and (f.runs or f.sums):
            continue
        args, force = arguments(model, name, lead)
        for given in (None, force):
            rounding = 1e-13 * (alone and matrices)
            if rotors and given is not None and (coupled or f.runs):
                rounding += 1e-13 if coupled and f.in_y.name else 1e-14
            status, outs = library.call(f, model, args, given)
            if (alone and rotors) or (coupled and f.coupled == "refuses"):
                assert status == UNSUPPORTED
                continue
            assert status == DONE
            wanted = from_python(f, model, lead, args, given)
            several = wanted if len(outs) > 1 else [wanted]
            for out, shape, want in zip(outs, f.shapes, several, strict=True):
                found = lower(out, tuple(shape)) if model.is_planar else out
                atol = rounding * np.abs(want).max(initial=0.0)
                np.testing.assert_allclose(found, want, rtol=0.0, atol=atol)


def from_python(f: Any, model: Model, lead: tuple[int, ...], args: list[Any], force: Any) -> Any:
    """Compute results in Python, in the way in which the library does."""
    function, options = named(f.name), {} if force is None else {"f_ext": force}
    if not f.sums or isinstance(model, CoupledModel) or not lead:
        function(model, *args, **options)  # the first call for a coupled model has no kernel
        return function(model, *args, **options)
    one = [{name: x[k] for name, x in options.items()} for k in range(*lead)]
    states = [function(model, *(x[k] for x in args), **given) for k, given in enumerate(one)]
    return [np.stack(x) for x in zip(*states, strict=True)]


def sealed(data: bytes) -> bytes:
    """Return the contents of a model file with its checksum made right."""
    head = data[:56] + bytes(4) + data[60:64]
    seal = zlib.crc32(head) ^ zlib.crc32(data[64:])
    return data[:56] + struct.pack("<I", seal) + data[60:]
