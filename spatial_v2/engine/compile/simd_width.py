"""Choice of the SIMD width."""

import os

from spatial_v2.engine.compile.extend import config
from spatial_v2.engine.compile.private import registry

VARIABLE = "SPATIAL_V2_LANES"
"""The environment variable that forces the SIMD width: 8, 4, or 1 for no SIMD batches."""


def _width() -> int:
    if config.DISABLE_JIT:
        return 1
    forced = os.environ.get(VARIABLE)
    if forced is None:
        _, _, features = registry.cpu_target.target_context.codegen().magic_tuple()
        return 8 if "+avx512f" in features.split(",") else 4
    if forced not in ("1", "4", "8"):
        raise ValueError(f"{VARIABLE}: want 1, 4 or 8, got {forced!r}")
    return int(forced)


SIMD_WIDTH = _width()
"""Eight with AVX-512, otherwise four; processors with shorter registers use several."""
