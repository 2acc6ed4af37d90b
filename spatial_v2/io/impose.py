"""The option `couplings` of readers: joints of a file that follow others."""

from __future__ import annotations

from typing import Literal, get_args

from spatial_v2.couplings.couple import couple
from spatial_v2.exceptions import ModelError, ModelFileError, SpatialError
from spatial_v2.model import Model

__all__ = ["Couplings", "check_couplings", "impose"]

Couplings = Literal["free", "imposed"]
"""Treatment of joints that follow others: they move freely, or follow."""


def check_couplings(couplings: str) -> None:
    """Raise an error for an unknown value of the option.

    Examples
    --------
    >>> check_couplings("none")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: couplings: want 'free' or 'imposed', got 'none'
    """
    if couplings not in get_args(Couplings):
        raise SpatialError(f"couplings: want 'free' or 'imposed', got {couplings!r}")


def impose(model: Model, couplings: Couplings, where: str) -> Model:
    """Return the model, or with ``"imposed"`` that of its independent variables."""
    if couplings == "free" or not model.mimic:
        return model
    try:
        return couple(model, mimic=model.mimic)
    except ModelError as e:
        raise ModelFileError(
            f"{where}: {e}; couplings='free' reads the tree with all joints free"
        ) from None
