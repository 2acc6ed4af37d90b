"""Estimate the inertial parameters of an arm from measured motions and motor forces.

The data sheet of the arm is wrong by a tenth. The arm moves for twenty seconds; positions,
velocities, accelerations and noisy motor forces are known. `identify` estimates physically
consistent inertias, which stay close to the data sheet where the forces do not determine them. They
are judged by the forces of motions that were not used. Needs the extra "identify":

    python examples/identification.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import ID, Model, Panda_model, identify, pinertiaToVec

NOISE = 0.3
"""Standard deviation of the measured motor forces [N m]."""


def arms(rng: np.random.Generator) -> tuple[Model, Model]:
    """The arm as it is, and as in its data sheet; each link consists of a few point masses."""
    points = np.concatenate([rng.normal(0, 0.1, (7, 6, 3)), np.ones((7, 6, 1))], axis=-1)
    pseudo = np.einsum("nk,nki,nkj->nij", rng.uniform(0.2, 1, (7, 6)), points, points)
    L = np.linalg.cholesky(pseudo) @ (np.eye(4) + 0.1 * rng.normal(size=(7, 4, 4)))
    return Panda_model(pinertiaToVec(pseudo)), Panda_model(pinertiaToVec(L @ L.swapaxes(1, 2)))


def motion(rng: np.random.Generator, seconds: float) -> np.ndarray:
    """Positions, velocities and accelerations (3, N, 7): sums of five harmonics for each joint."""
    t, w = (
        np.linspace(0, seconds, round(100 * seconds))[:, None, None],
        0.1 * np.pi * np.arange(1, 6),
    )
    a, b = rng.normal(0, 0.4, (2, 7, 5)) / np.arange(1, 6)
    s, c = np.sin(w * t), np.cos(w * t)
    return np.array([(a * s + b * c).sum(-1), (w * (a * c - b * s)).sum(-1),
                     (-(w**2) * (a * s + b * c)).sum(-1)])  # fmt: skip


def main(quick: bool = False) -> dict[str, float]:
    rng = np.random.default_rng(0)
    truth, sheet = arms(rng)
    x = motion(rng, 5.0 if quick else 20.0)
    exact = ID(truth, *x)
    found = identify(sheet, *x, exact + NOISE * rng.normal(size=exact.shape))
    fresh = rng.normal(size=(3, 200, 7))
    wrong = {
        name: float(np.sqrt(np.mean((ID(arm, *fresh) - ID(truth, *fresh)) ** 2)))
        for name, arm in (("data sheet", sheet), ("identified", found.model))
    }
    perfect = identify(sheet, *x, exact)
    print(f"{found.rank} combinations of {7 * 10} parameters can be known")
    print(f"what is left of the forces: {found.residual_rms.mean():.2f} N m, noise {NOISE} N m")
    print("\n".join(f"forces wrong by {rms:6.3f} N m: {name}" for name, rms in wrong.items()))
    report = wrong | {
        "residual less noise": float(abs(found.residual_rms.mean() - NOISE)),
        "residual without noise": float(perfect.residual_rms.max()),
    }
    print(f"without noise they are right but for {report['residual without noise']:.1e} N m")
    return report


if __name__ == "__main__":
    main()
