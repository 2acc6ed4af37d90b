"""Typed spatial vectors for teaching: kind, frame and units are checked.

A thin layer over the plain functions. A sum of a motion and a force, or of vectors in different
frames, is an error and not a number::

    f = I @ a + v.cross(I @ v)        # a Force: the equation of motion, checked
"""

from spatial_v2.typed.Force import Force
from spatial_v2.typed.Inertia import Inertia
from spatial_v2.typed.Motion import Motion
from spatial_v2.typed.Transform import Transform

__all__ = ["Force", "Inertia", "Motion", "Transform"]
