"""What of PyTorch is needed, and which numbers."""

from __future__ import annotations

import re
from typing import Any

from spatial_v2.exceptions import ArrayShapeError

__all__ = ["LEAST", "as_double", "check_version"]

LEAST = (2, 4)


def check_version(version: str) -> None:
    """Refuse versions of PyTorch that are too old.

    Examples
    --------
    >>> check_version("2.4.0+cpu")
    """
    found = tuple(int(n) for n in re.findall(r"\d+", version)[:2])
    if found < LEAST:
        least = ".".join(map(str, LEAST))
        raise ImportError(f"spatial_v2.interop.torch needs torch >= {least}, found {version}")


def as_double(name: str, x: Any) -> Any:
    """`x` as a tensor of doubles; whole numbers and NumPy arrays become one."""
    import torch

    if type(x) is torch.Tensor and x.dtype is torch.float64:
        return x
    y = torch.as_tensor(x)
    if not (y.is_floating_point() or y.is_complex() or y.dtype == torch.bool):
        return y.to(torch.float64)
    if y.dtype != torch.float64:
        raise ArrayShapeError(f"{name}: want torch.float64, got {y.dtype}; convert it, x.double()")
    return y
