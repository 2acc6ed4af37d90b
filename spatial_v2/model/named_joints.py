"""Joints by their names: where their variables are in q and qd, and their limits as vectors."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from spatial_v2.exceptions import ModelError

if TYPE_CHECKING:
    from spatial_v2.model.layout import Layout

__all__ = ["NamedJoints"]


class NamedJoints:
    """Variables and limits of the joints of a model, by the names or numbers of the joints."""

    __slots__ = ()

    if TYPE_CHECKING:
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

                close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
                hint = f"did you mean {close}?" if close else f"there are {names[:12]}"
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
