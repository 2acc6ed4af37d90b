"""The one registry of identities."""

from __future__ import annotations

from tensor_sva.identities.directional import DIRECTIONAL
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.joint_derivatives import JOINT_DERIVATIVES
from tensor_sva.identities.properties import PROPERTIES
from tensor_sva.identities.spatial_matrix import SPATIAL_MATRIX

__all__ = ["IDENTITIES"]

IDENTITIES: dict[str, Identity] = {
    identity.name: identity
    for identity in (*SPATIAL_MATRIX, *JOINT_DERIVATIVES, *DIRECTIONAL, *PROPERTIES)
}
"""All identities by name: M1 to M27, K1 to K16, J1 to J9, P1 to P7."""
