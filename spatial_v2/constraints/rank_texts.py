"""Texts of errors and warnings about constraint rows, from reports of the solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spatial_v2.couplings import CoupledModel
from spatial_v2.engine.parts.outcomes import DEPENDENT, FREE, NEAR, NOTABLE, STEADY, ZERO, Report
from spatial_v2.model import Model

__all__ = ["Named", "dependence", "lost_texts", "near_texts", "vanish", "without_inertia"]

_SHARE = 1e-4
"""Error messages name the rows whose coefficient in a vanishing sum of rows is at least this
fraction of the largest one.
"""


class Named(NamedTuple):
    """Names of constraints and joints, for messages.

    Attributes
    ----------
    rows : sequence of int
        Number of rows of each constraint.
    model : Model
        The model.
    """

    rows: Sequence[int]
    model: Model | None = None

    def joint(self, variable: int) -> str:
        """Return the joint of a velocity variable with its body."""
        if self.model is None:
            return f"velocity variable {variable}"
        places = self.model.layout.vinds
        i = next(i for i, place in enumerate(places) if variable < place.stop)
        if isinstance(self.model, CoupledModel):
            return f"the motion of variable {self.model.joint_names[i]!r}"
        code, body = self.model.layout.joints[i].code, self.model.body_names[i]
        return f"joint {i} ({code!r}) of body {i} ({body!r})"

    def constraints(self, rows: np.ndarray) -> str:
        """Return the constraints of rows."""
        named = dict.fromkeys(np.searchsorted(np.cumsum(self.rows), rows, "right").tolist())
        return ", ".join(f"constraints[{c}]" for c in named)


def without_inertia(report: Report, of: Named) -> str:
    """Return the text of the error for a motion without inertia that is left free."""
    k = int(report.variable[report.status == FREE].flat[0])
    return (
        f"constraints: the joint-space inertia matrix is singular{{}}: {of.joint(k)} has no "
        "inertia at this configuration that other joints do not take up, and the constraints do "
        "not determine its motion, so that a force there causes no finite acceleration; give the "
        "joint armature, or the body mass, or constrain it"
    )


def vanish(sizes: np.ndarray) -> np.ndarray:
    """Mask of rows that are zero up to rounding errors, from their `Rows.sizes`."""
    return sizes <= ZERO**2


def dependence(report: Report, of: Named) -> str:
    """Return the text of the error for dependent or zero rows."""
    m = report.sizes.shape[-1]
    k = int(np.where(report.status == DEPENDENT, report.rank, m + 1).argmin())
    sizes, shares = (x.reshape(-1, m)[k] for x in (report.sizes, report.shares))
    zero, rows = np.flatnonzero(vanish(sizes)), np.flatnonzero(shares > _SHARE * shares.max())
    why = []
    if len(rows):
        why.append(
            f"rows of {of.constraints(rows)} are linearly dependent, as those of three points of "
            "one body are"
        )
    if len(zero):
        why.append(
            f"rows of {of.constraints(zero)} are zero, as no joint moves anything along them"
        )
    return (
        f"constraints: their {m} rows have rank {int(report.rank.flat[k])} only{{}}: "
        f"{'; '.join(why)}, or the configuration is singular. Leave rows out, or give "
        "rank='minimum_norm' (least squares, shortest lambda_) or damping > 0"
    )


def near_texts(report: Report, of: Named) -> list[str]:
    """Return the texts of warnings for rows that are nearly zero or nearly dependent."""
    told = (report.status == NOTABLE) | (report.status == DEPENDENT)
    solved = told[..., None] & (report.pivots > ZERO)
    lengths = np.sqrt(np.where(solved, report.sizes, 1.0))
    both = {
        "depend on others: the square of the sine of the angle to them is {}": report.pivots,
        "vanish: the length of a row is {} of its upper bound": lengths,
    }
    texts = []
    for what, x in both.items():
        near = np.where(solved & (x < NEAR * ZERO), x, 1.0)
        least = near.min(initial=1.0)
        if least < 1.0:
            row = np.array([int(near.argmin()) % near.shape[-1]])
            digits = -np.log10(least) / (2 if x is report.pivots else 1)
            texts.append(
                f"constraints: rows of {of.constraints(row)} nearly "
                f"{what.format(f'{least:.1e}')}, and would count as zero below {ZERO:g}. In such "
                f"states lambda_ is large, and "
                f"about {digits:.0f} of its 16 digits are lost"
            )
    return texts


def lost_texts(report: Report) -> list[str]:
    """Return the texts of warnings for damping below rounding, and for lost digits."""
    texts = []
    told = (report.status == NOTABLE) | (report.status == DEPENDENT)
    least = np.where(told, report.damping, 1.0).min(initial=1.0)
    if least < ZERO:
        texts.append(
            "damping: rows are linearly dependent, and the damping is "
            f"{least:.1e} of the entries of G H^-1 G^T: rounding errors of the accelerations of "
            "the rows, divided by it, are part of lambda_. Give more damping, or "
            "rank='minimum_norm' without damping"
        )
    most = np.where(told, report.change, 0.0).max(initial=0.0)
    if most > STEADY:
        texts.append(
            "constraints: the equations of motion are nearly singular: a step of refinement still "
            f"changed accelerations by {most:.0e} of their size. Inertias differ by too many "
            "orders of magnitude, or a motion that the constraints leave has hardly any inertia"
        )
    return texts
