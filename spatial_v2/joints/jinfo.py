"""Numbers of position and velocity variables of a joint."""

from __future__ import annotations

from spatial_v2.joints.table import JointTypeLike, joint_type

__all__ = ["jinfo"]


def jinfo(jtype: JointTypeLike) -> tuple[int, int]:
    """Return the numbers of position and of velocity variables of a joint type.

    MATLAB: ``[nq,nv] = jinfo(jtype)``.

    Parameters
    ----------
    jtype : str or dict
        Joint code, or ``{"code": "H", "pars": {"pitch": h}}``; see the page "Joint types".

    Returns
    -------
    nq, nv : int
        Numbers of entries of q and of qd that belong to the joint.

    Raises
    ------
    JointTypeError
        Unknown joint code.

    Examples
    --------
    >>> jinfo("Fb")
    (7, 6)
    """
    row = joint_type(jtype)
    return row.nq, row.nv
