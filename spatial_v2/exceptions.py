"""Errors and warnings of the library; every error is a `SpatialError`, hence a `ValueError`."""

from __future__ import annotations

__all__ = [
    "ArrayShapeError",
    "ConvergenceWarning",
    "ExcitationWarning",
    "InertiaWarning",
    "JointTypeError",
    "LimitWarning",
    "LoaderWarning",
    "ModelError",
    "ModelFileError",
    "RankWarning",
    "SingularWarning",
    "SpatialError",
]


class SpatialError(ValueError):
    """Base of every error raised for bad input; the message names the argument and the remedy."""


class ArrayShapeError(SpatialError):
    """An array argument has the wrong shape or kind."""


class JointTypeError(SpatialError):
    """A joint code that is not in the joint table."""


class ModelError(SpatialError):
    """A model whose fields are inconsistent or physically impossible."""


class ModelFileError(SpatialError):
    """A model file that cannot be read; the message names file, element and attribute."""


class ConvergenceWarning(UserWarning):
    """An iteration did not reach its tolerance; the result tells the states and residuals."""


class ExcitationWarning(UserWarning):
    """Measured motions do not determine all parameters; the message names the undetermined ones."""


class InertiaWarning(UserWarning):
    """No distribution of positive mass has the inertia of a body; it is used without change."""


class LimitWarning(UserWarning):
    """A motion leaves the limits of joints; the message names the joints."""


class LoaderWarning(UserWarning):
    """A robot file has elements that affect the motion and that the model does not represent."""


class RankWarning(UserWarning):
    """Constraint rows that are dependent, or nearly so, in some states; the message says which."""


class SingularWarning(UserWarning):
    """The joint-space inertia matrix is singular in some states; the message says which."""
