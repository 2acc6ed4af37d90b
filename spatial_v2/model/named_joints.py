"""Joints by their names: their variables in q and qd, results by name, limits as vectors."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_v2.arrays.checks import as_numbers
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model.named_values import NamedValues

if TYPE_CHECKING:
    from spatial_v2.model.layout import Layout

__all__ = ["LIMIT_VECTORS", "NamedJoints"]

LIMIT_VECTORS = ("lower", "upper", "velocity_limit", "effort_limit")
"""Names of the limits of all joints as vectors."""


class NamedJoints:
    """Variables and limits of the joints of a model, by the names or numbers of the joints."""

    __slots__ = ()

    if TYPE_CHECKING:
        body_names: Any
        joint_names: Any
        limits: Any

        @property
        def layout(self) -> Layout: ...

    def joint(self, name: str | int) -> int:
        """Return the number of a joint, and so of its body, from its name or number.

        Examples
        --------
        >>> from spatial_v2.models import puma560
        >>> puma560().joint("shoulder")
        1
        """
        names = list(self.joint_names)
        if isinstance(name, str):
            if name not in names:
                import difflib

                bodies = list(self.body_names)
                on = [names[bodies.index(name)]] if name in bodies else []
                close = on or difflib.get_close_matches(name, names, n=3, cutoff=0.5)
                hint = f"did you mean {close}?" if close else f"there are {names[:12]}"
                hint = f"it is the body of joint {on[0]!r}" if on else hint
                raise ModelError(f"no joint is called {name!r}; {hint}")
            return names.index(name)
        try:
            i = operator.index(name)
        except TypeError:
            raise ModelError(f"want the name or the number of a joint, got {name!r}") from None
        if not 0 <= i < len(names):
            raise ModelError(f"want the number of a joint, 0 to {len(names) - 1}, got {i}")
        return i

    def q_of(self, joint: str | int) -> slice:
        """Return where the position variables of a joint are in q.

        Examples
        --------
        >>> from spatial_v2.models import puma560
        >>> q = np.zeros(6)
        >>> q[puma560().q_of("elbow")] = 0.3
        >>> q
        array([0. , 0. , 0.3, 0. , 0. , 0. ])
        """
        return self.layout.qinds[self.joint(joint)]

    def v_of(self, joint: str | int) -> slice:
        """Return where the velocity variables of a joint are in qd, qdd and tau."""
        return self.layout.vinds[self.joint(joint)]

    def by_joint(self, x: Any) -> NamedValues:
        """Return the values of a configuration or of a result by the names of the joints.

        Parameters
        ----------
        x : array_like, shape (..., NQ) or (..., NV)
            Position variables q, or what has an entry for each velocity variable: qd, qdd, tau, a
            row of a Jacobian.

        Returns
        -------
        dict
            For each joint its values, shape (..., n); without the last axis if n is 1. It is shown
            as a table, and `neutral` takes that of a q back.

        Raises
        ------
        ArrayShapeError
            The last axis has neither NQ nor NV entries.

        Examples
        --------
        >>> from spatial_v2 import gravity_forces, neutral
        >>> from spatial_v2.models import puma560
        >>> arm = puma560()
        >>> tau = arm.by_joint(gravity_forces(arm, neutral(arm, {"elbow": 0.3})).round(3))
        >>> tau
        waist            0
        shoulder         -39.504
        elbow            -2.269
        wrist_rotation   0
        wrist_bend       -0.008
        flange_rotation  0
        >>> tau["elbow"]
        np.float64(-2.269)
        """
        layout = self.layout
        x = as_numbers(x, "by_joint: x")
        size = x.shape[-1] if x.ndim else 0
        if size not in (layout.NQ, layout.NV):
            raise ArrayShapeError(
                f"by_joint: x must have shape (..., {layout.NQ}), as q, or (..., {layout.NV}), as "
                f"qd or tau; got {tuple(x.shape)}"
            )
        places = layout.qinds if size == layout.NQ else layout.vinds
        values = NamedValues()
        for name, place in zip(self.joint_names, places, strict=True):
            part = x[..., place]
            values[name] = part if part.shape[-1] > 1 else part[0] if x.ndim == 1 else part[..., 0]
        return values

    @property
    def lower(self) -> np.ndarray:
        """Lower bounds of the position variables, shape (NQ,), from `limits`; -inf for none.

        Variables of joints with several degrees of freedom have no bounds.
        """
        return self._positions(0, -np.inf)

    @property
    def upper(self) -> np.ndarray:
        """Upper bounds of the position variables, shape (NQ,), from `limits`; inf for none."""
        return self._positions(1, np.inf)

    @property
    def velocity_limit(self) -> np.ndarray:
        """Bounds of the size of the velocity variables, shape (NV,), from `limits`."""
        return self._velocities(2)

    @property
    def effort_limit(self) -> np.ndarray:
        """Bounds of the size of the joint forces, shape (NV,), from `limits`."""
        return self._velocities(3)

    def _positions(self, k: int, none: float) -> np.ndarray:
        x = np.full(self.layout.NQ, none)
        for i, name in enumerate(self.joint_names):
            if self.layout.nv[i] == 1 and name in (self.limits or {}):
                x[self.layout.qinds[i]] = self.limits[name][k]
        return x

    def _velocities(self, k: int) -> np.ndarray:
        x = np.full(self.layout.NV, np.inf)
        for i, name in enumerate(self.joint_names):
            if name in (self.limits or {}):
                x[self.layout.vinds[i]] = self.limits[name][k]
        return x
