"""Parameters of a compliant ground."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["Ground"]


@shown_in_notebooks
class Ground(NamedTuple):
    """A compliant ground with friction, at height zero; the first arguments of `gcontact`."""

    K: float
    """Stiffness [N/m^1.5]: at rest a point bears ``K |z|^1.5`` at the depth \\|z\\|."""
    D: float
    """Damping [N s/m^1.5]."""
    mu: float
    """Coefficient of friction, at least 0."""
