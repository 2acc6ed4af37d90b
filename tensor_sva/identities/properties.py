"""Identities P1 to P7: algebra of spatial vectors."""

from __future__ import annotations

from spatial_v2.spatial import crf, crm, icrf
from tensor_sva.identities.identity import Identity
from tensor_sva.permuted import T

__all__ = ["PROPERTIES"]

SOURCE = "Singh, Russell, Wensing (2022), Appendix B"

PROPERTIES = (
    Identity(
        "P1",
        r"(v\times m)\times = (v\times)(m\times) - (m\times)(v\times)",
        SOURCE,
        "v m",
        lambda v, m: crm(crm(v) @ m),
        lambda v, m: crm(v) @ crm(m) - crm(m) @ crm(v),
    ),
    Identity(
        "P2",
        r"(v\times m)\times^* = (v\times^*)(m\times^*) - (m\times^*)(v\times^*)",
        SOURCE,
        "v m",
        lambda v, m: crf(crm(v) @ m),
        lambda v, m: crf(v) @ crf(m) - crf(m) @ crf(v),
    ),
    Identity(
        "P3",
        r"(v\times^* f)\bar\times^* = (v\times^*)(f\bar\times^*) - (f\bar\times^*)(v\times)",
        SOURCE,
        "v f",
        lambda v, f: icrf(crf(v) @ f),
        lambda v, f: crf(v) @ icrf(f) - icrf(f) @ crm(v),
    ),
    Identity(
        "P4",
        r"(v_1\times v_2)^\top f = -v_2^\top (v_1\times^* f)",
        SOURCE,
        "v1 v2 f",
        lambda v1, v2, f: T(crm(v1) @ v2) @ f,
        lambda v1, v2, f: -T(v2) @ crf(v1) @ f,
    ),
    Identity(
        "P5",
        r"(v_1\times^* f)^\top v_2 = -f^\top (v_1\times v_2)",
        SOURCE,
        "v1 v2 f",
        lambda v1, v2, f: T(crf(v1) @ f) @ v2,
        lambda v1, v2, f: -T(f) @ crm(v1) @ v2,
    ),
    Identity(
        "P6",
        r"(u\times v)^\top = -v^\top (u\times^*)",
        SOURCE,
        "u v",
        lambda u, v: T(crm(u) @ v),
        lambda u, v: -T(v) @ crf(u),
    ),
    Identity(
        "P7",
        r"(u\times^* f)^\top = -f^\top (u\times)",
        SOURCE,
        "u f",
        lambda u, f: T(crf(u) @ f),
        lambda u, f: -T(f) @ crm(u),
    ),
)
"""Properties of the spatial cross products; vectors are matrices with one column."""
