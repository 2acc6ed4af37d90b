"""Reports of the parts of a robot's file that a model does not represent, for all formats."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from spatial_v2.exceptions import LoaderWarning
from spatial_v2.files.wording import listed
from spatial_v2.io.impose import NO_MORE, Couplings, Ties, impose
from spatial_v2.io.xml_element import XmlElement
from spatial_v2.model import Model

__all__ = ["base_mass", "counted", "held_by", "state_left_out", "unread"]


def state_left_out(
    model: Model,
    where: str,
    acting: Sequence[str],
    rest: Sequence[str],
    stacklevel: int = 2,
    couplings: Couplings = "free",
    coupled: Sequence[str] = (),
    ties: Ties = NO_MORE,
) -> Model:
    """Fill ``model.left_out``, couple joints, and warn of left-out parts that act on the motion.

    Parameters
    ----------
    model : Model
        The model, changed in place.
    where : str
        Source of the model, for the warning.
    acting, rest : sequence of str
        Left-out parts that act on the motion by forces, inertia or constraints, and other parts.
    stacklevel : int, optional
        Stack level of the warning, seen from the caller.
    couplings : {"auto", "imposed", "free"}, optional
        If not ``"free"``, joints follow others in the result and loops are closed.
    coupled : sequence of str, optional
        Couplings and loops, which are left out with ``"free"``.
    ties : Ties, optional
        Data of them that are not in ``model.mimic`` and ``model.loops``.

    Returns
    -------
    Model
        The argument `model`, or the model of its independent variables.

    Raises
    ------
    ModelFileError
        A coupling cannot be imposed, and `couplings` is ``"imposed"``.

    Warns
    -----
    LoaderWarning
        There are parts that act on the motion, or couplings that cannot be imposed.
    """
    model.left_out = (*(coupled if couplings == "free" else ()), *acting, *rest)
    if acting:
        text = f"the model leaves out parts that act on the motion: {listed(acting)}"
        warnings.warn(f"{where}: {text}", LoaderWarning, stacklevel=stacklevel + 1)
    model, free = impose(model, couplings, where, ties)
    if free:
        warnings.warn(f"{where}: {free}", LoaderWarning, stacklevel=stacklevel + 1)
    return model


def base_mass(masses: Iterable[float]) -> list[str]:
    """Name the mass of links that are fixed to the base, which has no effect; empty for zero.

    Examples
    --------
    >>> base_mass([4.0, 6.5]), base_mass([0.0])
    (['links fixed to the base (10.5 kg)'], [])
    """
    total = sum(masses)
    return [f"links fixed to the base ({total:g} kg)"] if total else []


def held_by(model: Model, fixed: Iterable[str]) -> list[str]:
    """Name the joints that follow fixed joints of a file, which are constant.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> held_by(autoTree(2).replace(mimic={"joint1": ("lock", 2.0, 0.3)}), ["lock"])
    ["motion of joint 'joint1', which follows the fixed joint 'lock'"]
    """
    by = {*fixed}
    return [
        f"motion of joint {name!r}, which follows the fixed joint {x.joint!r}"
        for name, x in (model.mimic or {}).items()
        if x.joint in by
    ]


def counted(names: Iterable[str]) -> list[str]:
    """Return distinct names, with their counts if they occur more than once.

    Examples
    --------
    >>> counted(["gazebo", "sensor", "gazebo"])
    ['gazebo (2)', 'sensor']
    """
    counts = Counter(names)
    return [f"{name} ({n})" if n > 1 else name for name, n in counts.items()]


def unread(element: XmlElement, read: Mapping[str, Iterable[str]]) -> list[XmlElement]:
    """List the elements inside an element that are not read.

    Parameters
    ----------
    element : XmlElement
        Root element.
    read : mapping
        For names of elements, the names of the child elements that are read; the contents of
        elements that are no key here are not searched.
    """
    elements = []
    for child in element.children() if element.tag in read else ():
        if child.tag in read[element.tag]:
            elements += unread(child, read)
        else:
            elements.append(child)
    return elements
