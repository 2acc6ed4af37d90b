"""The position of a frame as a quantity of costs and bounds."""

from __future__ import annotations

import numpy as np

from derivatives import modFrame_second_derivatives
from spatial_v2.control.costs import Instants
from spatial_v2.control.quantities import no_rows
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.frames import FrameJacobian
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame, find_frame
from spatial_v2.model.state import check_model
from spatial_v2.spatial import transform_parts

__all__ = ["FramePosition"]


class FramePosition:
    """Position of the origin of a frame in base coordinates: (..., 3), or (..., 2) if planar.

    Parameters
    ----------
    model : Model
        The model; planar and coupled ones too.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.

    Raises
    ------
    ModelError
        An unknown frame.

    Examples
    --------
    A foot that is on the ground in the fifth interval:

    >>> from spatial_v2 import Frame, xlt
    >>> from spatial_v2.control import Bounds, Instants
    >>> from spatial_v2.models import autoTree
    >>> foot = FramePosition(autoTree(2), Frame(1, xlt([1.0, 0.0, 0.0])))
    >>> foot.value(Instants(np.zeros(2), np.zeros(2), np.zeros(0))) + 0.0
    array([2., 0., 0.])
    >>> down = Bounds(foot, [-np.inf, -np.inf, 0.0], [np.inf, np.inf, 0.0], slice(4, 5))
    """

    def __init__(self, model: Model, frame: Frame | int | str) -> None:
        check_model(model)
        self.model, self.frame = model, find_frame(free_tree(model), frame)
        self.rows = slice(1, 3) if model.is_planar else slice(3, 6)

    def value(self, at: Instants) -> np.ndarray:
        """Compute the positions; see `Quantity`."""
        X = forward_kinematics(self.model, at.q, frame=self.frame).X0
        return np.asarray(transform_parts(X).r)

    def jacobian(self, at: Instants) -> np.ndarray:
        """Compute the derivatives along q; see `Quantity`."""
        J = no_rows(at, self.rows.stop - self.rows.start)
        part = FrameJacobian(self.model, at.q, self.frame, "mixed")[..., self.rows, :]
        J[..., : self.model.NV] = part
        return J

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add the weighted second derivatives along q; see `Quantity`."""
        n = self.model.NV
        f = np.zeros((*weight.shape[:-1], self.rows.stop))
        f[..., self.rows] = weight
        d = modFrame_second_derivatives(self.model, at.q, 0 * at.qd, f, self.frame, "mixed")
        H = np.asarray(d.dmod_duq)
        hessian[..., :n, :n] += (H + np.matrix_transpose(H)) / 2
