"""Zeros of second derivatives: a chain, a tree and a quadruped with equal degrees of freedom.

An entry [i, j, k] of a second derivative is nonzero only if its three joints are on one path from
the base. The number of these entries follows from the tree, without any dynamics (`SO_pattern`).
The packed form of the tensors stores only their values. Run it:

    python examples/sparsity.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import ID_SO_derivatives, Model, SO_pattern, autoTree, random_configuration


def robots() -> dict[str, Model]:
    """Three robots with eighteen degrees of freedom each, by name."""
    legs = autoTree(13, 1, 0.4, 0.9)
    legs.jtype = {0: "Fb"}
    legs = legs.replace(parent=[-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 0, 10, 11], name="quadruped")
    return {"chain": autoTree(18), "binary tree": autoTree(18, 2), "quadruped": legs}


def tensors(model: Model) -> tuple[np.ndarray, ...]:
    """The four tensors of `ID_SO_derivatives` at a random state."""
    rng = np.random.default_rng(0)
    q, (qd, qdd) = random_configuration(model, rng), rng.normal(size=(2, model.NV))
    return ID_SO_derivatives(model, q, qd, qdd)


def main(quick: bool = False) -> dict[str, float]:
    print("              d2tau_dq  d2tau_dqd  d2tau_cross    dM_dq")
    outside = {}
    for name, model in robots().items():
        full, pattern = tensors(model), SO_pattern(model)
        shares = [f"{np.count_nonzero(np.abs(x) > 1e-12) / x.size:9.1%}" for x in full]
        print(f"{name:12s}", "".join(f"{share:>10s}" for share in shares))
        left = []
        for x, places in zip(full, pattern, strict=True):
            mask = np.ones(x.shape, bool)
            mask[places.i, places.j, places.k] = False
            left.append(np.abs(x[mask]).max(initial=0.0))
        outside[name] = float(max(left))
    print(f"outside of the pattern: {max(outside.values())}")
    return outside


if __name__ == "__main__":
    main()
