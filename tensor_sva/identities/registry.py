"""The registry of all identities."""

from __future__ import annotations

from spatial_v2.exceptions import SpatialError
from tensor_sva.identities.directional import DIRECTIONAL
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.joint_derivatives import JOINT_DERIVATIVES
from tensor_sva.identities.properties import PROPERTIES
from tensor_sva.identities.spatial_matrix import SPATIAL_MATRIX

__all__ = ["IDENTITIES", "named"]

IDENTITIES: dict[str, Identity] = {
    identity.name: identity
    for identity in (*SPATIAL_MATRIX, *JOINT_DERIVATIVES, *DIRECTIONAL, *PROPERTIES)
}
"""All identities by name: M1 to M27, K1 to K16, J1 to J9, P1 to P7."""


def named(name: str) -> Identity:
    """Return the identity with a given name.

    Examples
    --------
    >>> named("L1")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: identities: no identity 'L1'; there are M1 to M27, ...
    """
    if name not in IDENTITIES:
        raise SpatialError(
            f"identities: no identity {name!r}; there are M1 to M27, K1 to K16, J1 to J9 "
            "and P1 to P7"
        )
    return IDENTITIES[name]
