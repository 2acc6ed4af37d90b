"""Parameters of a compliant ground."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.arrays.result_html import shown_in_notebooks

__all__ = ["Ground"]


@shown_in_notebooks
class Ground(NamedTuple):
    """Parameters of a compliant ground with friction, at height zero; see `gcontact`."""

    K: float
    """Stiffness [N/m^1.5]: a point at rest at the depth \\|z\\| bears the force ``K |z|^1.5``."""
    D: float
    """Damping [N s/m^1.5]."""
    mu: float
    """Coefficient of friction, at least 0."""
