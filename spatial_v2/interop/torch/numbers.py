"""Conversion of arguments to PyTorch tensors of doubles."""

from __future__ import annotations

from typing import Any

from spatial_v2.exceptions import ArrayShapeError

__all__ = ["as_double"]


def as_double(name: str, x: Any) -> Any:
    """Convert `x` to a tensor of doubles; of other types only integers are converted."""
    import torch

    if type(x) is torch.Tensor and x.dtype is torch.float64:
        return x
    y = torch.as_tensor(x)
    if not (y.is_floating_point() or y.is_complex() or y.dtype == torch.bool):
        return y.to(torch.float64)
    if y.dtype != torch.float64:
        raise ArrayShapeError(f"{name}: want torch.float64, got {y.dtype}; convert it, x.double()")
    return y
