"""Optimal motions as functions of PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from spatial_v2.control import ShootingProblem
from spatial_v2.interop.optimal_motion import OptimalMotion

__all__ = ["optimal_motion"]


class _Optimum(torch.autograd.Function):
    """The motion as a function of parameters; its first argument is an `OptimalMotion`."""

    @staticmethod
    def forward(ctx: Any, motion: OptimalMotion, p: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.motion = motion
        ctx.save_for_backward(p)
        optimum = motion(p.detach().cpu().numpy())
        return tuple(torch.as_tensor(np.array(x), dtype=p.dtype, device=p.device) for x in optimum)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *cotangents: torch.Tensor) -> tuple[None, torch.Tensor]:
        (p,) = ctx.saved_tensors
        g = ctx.motion.pull_back(p.cpu().numpy(), [x.cpu().numpy() for x in cotangents])
        return None, torch.as_tensor(g, dtype=p.dtype, device=p.device)


def optimal_motion(
    make: Callable[[np.ndarray], ShootingProblem], parameters: Any, **options: Any
) -> Callable[[torch.Tensor], tuple[torch.Tensor, ...]]:
    """Return the motion of least cost as a function of PyTorch that `backward` differentiates.

    Parameters
    ----------
    make : callable
        Function of a NumPy array (k,) that makes the problem of parameters; see
        `parameter_derivatives`.
    parameters : array, shape (k,)
        Parameters of the first solution.
    **options : Any
        ``guess`` and ``scale`` of `OptimalMotion`, and arguments of `solve`.

    Returns
    -------
    callable
        Function of a tensor (k,) that returns ``q, qd, u, cost``, with first derivatives.

    Raises
    ------
    SpatialError
        A problem for which the solver does not converge.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, StateCost
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> def make(p):
    ...     goal = StateCost(model, p, 100.0, 10.0)
    ...     return ShootingProblem(
    ...         model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> motion = optimal_motion(make, [1.0, 0.0])
    >>> p = torch.tensor([1.0, 0.5], dtype=torch.float64, requires_grad=True)
    >>> q, qd, u, cost = motion(p)
    >>> (u**2).sum().backward()
    >>> p.grad.shape
    torch.Size([2])
    """
    motion = OptimalMotion(make, parameters, **options)

    def optimum(p: torch.Tensor) -> tuple[torch.Tensor, ...]:
        results: tuple[torch.Tensor, ...] = _Optimum.apply(motion, p)
        return results

    return optimum
