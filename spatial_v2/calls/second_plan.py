"""Prepared calls of `FD_SO_derivatives` for models without rotors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.calls.loading import compiled_function, load_kernel
from spatial_v2.calls.plain import Plain, may_overlap
from spatial_v2.calls.plan import KernelPlan
from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.calls.second_order import SecondOrder, sums_for
from spatial_v2.calls.signature import Function
from spatial_v2.engine.kernel import KernelCall
from spatial_v2.engine.numbers.cache_lines import MANY
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model

__all__ = ["plan_maker"]

_KERNEL = "FD_SO_derivatives_whole"


class _Second(Plain):
    """The kernel for single states, and for batches `SecondOrder`, which fills them in blocks.

    Parameters
    ----------
    tensors : SecondOrder
        Object that fills the tensors of batches.
    of : Function
        The function.
    model : Model
        The model, without rotors.
    """

    def __init__(self, tensors: SecondOrder, of: Function, model: Model) -> None:
        from spatial_v2.engine.algorithms.FD_SO_derivatives_whole import TreeAndSums

        patterns, sums = model.checked().keep("fd_so", lambda: sums_for(model))
        n, count = model.NV, np.array([pattern.nnz for pattern in patterns])
        record = TreeAndSums(kernel_tree(model), sums, count, n**3 >= MANY)
        given, made = [("q", model.NQ), ("v", n), ("v", n)], [(("v",) * 3, (n,) * 3)] * 4
        takes = KernelCall(given, (-1, -1), made, look=False, finish=of.finish)
        super().__init__(load_kernel(_KERNEL), model, record, takes)
        self._tensors = tensors

    def batch(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        if may_overlap(outs, args):
            return Status.OVERLAP
        return self.run_batch(outs, args)

    def run_batch(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        q, qd, tau, *forces = args
        arrays = [q, qd, tau, *(forces or (NO_FORCE,)), NO_FORCE]
        finite = self._tensors.fill(self._model, arrays, outs, True)
        return Status.DONE if finite else Status.NOT_FINITE


def plan_maker(tensors: SecondOrder) -> Callable[[Function, Model], KernelPlan | None]:
    """Return a function that makes the plan of `FD_SO_derivatives`, or returns None.

    It returns None for models with rotors, and where kernels cannot be compiled.
    """

    def make(of: Function, model: Model) -> KernelPlan | None:
        if model.has_rotors or compiled_function(_KERNEL) is None:
            return None

        def explain(args: Any, outs: Any, lead: tuple[int, ...]) -> None:
            tensors.review(model, [x.reshape(*lead, -1) for x in args[:3]])

        forces = () if model.is_planar else (model.NB, 6)
        takes = (model.NQ, model.NV, model.NV), forces
        return KernelPlan(_Second(tensors, of, model), takes, of.finish, True, True, explain)

    return make
