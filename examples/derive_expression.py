"""Derive one expression of Appendix C step by step, and check every line with numbers.

The expression is the second derivative of inverse dynamics with respect to two velocities, for
joints k < j <= i on one path from the base (Singh, Russell, Wensing, 2023, equations (28) to (32)).
Each line of the script is an equation of the derivation, written as code. For any state it must
give the same tensor as the line above. The first line is a derivative by complex step, the last is
the published expression. Run it:

    python examples/derive_expression.py
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tensor_sva import B_t, Tm, crm_t, mT, rotR, rotT
from tensor_sva.body import Body
from tensor_sva.expressions.first_order import v1
from tensor_sva.expressions.velocity import vv1
from tensor_sva.identities import State, by_qd, example_model

Line = Callable[[Body, Body, Body], np.ndarray]

LINES: list[tuple[str, Line]] = []


def line(statement: str) -> Callable[[Line], Line]:
    """Return a decorator that adds a function of the bodies i, j, k to the derivation,
    as one line.
    """

    def add(function: Line) -> Line:
        LINES.append((statement, function))
        return function

    return add


@line("d/dqd_k of (13a): S_i' [2 BC_i S_j + IC_i (psid_j + Sd_j)], by complex step")
def start(i: Body, j: Body, k: Body) -> np.ndarray:
    steps = [v1(i.moved["qd"][m], j.moved["qd"][m]).imag / 1e-20 for m in k.modes]
    return np.stack(steps, axis=-1)


@line("(28)  product rule: S_i and IC_i do not depend on velocities")
def product_rule(i: Body, j: Body, k: Body) -> np.ndarray:
    dBC = by_qd(lambda i: i.BC)(i, k)
    dpsid, dSd = by_qd(lambda j: j.psid)(j, k), by_qd(lambda j: j.Sd)(j, k)
    return mT(i.S.T, 2 * Tm(dBC, j.S) + mT(i.IC, dpsid + dSd))


@line("      K16: dBC_i/dqd_k = B(IC_i, S_k)")
def derivative_of_coriolis(i: Body, j: Body, k: Body) -> np.ndarray:
    dpsid, dSd = by_qd(lambda j: j.psid)(j, k), by_qd(lambda j: j.Sd)(j, k)
    return mT(i.S.T, 2 * Tm(B_t(i.IC, k.S), j.S) + mT(i.IC, dpsid + dSd))


@line("(29)  K15, K14: dpsid_j/dqd_k = dSd_j/dqd_k = S_k x~ S_j, since k < j")
def derivatives_of_subspace(i: Body, j: Body, k: Body) -> np.ndarray:
    return 2 * mT(i.S.T, Tm(B_t(i.IC, k.S), j.S) + mT(i.IC, Tm(crm_t(k.S), j.S)))


@line("(30)  M26: B(IC_i, S_k) S_j = [B(IC_i, S_j) S_k]^R - IC_i (S_k x~ S_j)")
def exchange_arguments(i: Body, j: Body, k: Body) -> np.ndarray:
    turned = rotR(Tm(B_t(i.IC, j.S), k.S))
    bracket = mT(i.IC, Tm(crm_t(k.S), j.S))
    return 2 * mT(i.S.T, (turned - bracket) + bracket)


@line("      the brackets cancel")
def cancelled(i: Body, j: Body, k: Body) -> np.ndarray:
    return 2 * mT(i.S.T, rotR(Tm(B_t(i.IC, j.S), k.S)))


@line("(32)  M27: -[S_j' (2 B(IC_i, S_i) S_k)^R]^T, all terms of i together")
def published(i: Body, j: Body, k: Body) -> np.ndarray:
    return -rotT(mT(j.S.T, rotR(2 * Tm(B_t(i.IC, i.S), k.S))))


@line("      as it stands in tensor_sva.expressions.velocity")
def library(i: Body, j: Body, k: Body) -> np.ndarray:
    return vv1(i, j, k)


def derivation(seed: int = 0) -> list[tuple[str, float]]:
    """Text of every line with its largest difference from the first line, over all joints k < j <=
    i.
    """
    rng = np.random.default_rng(seed)
    state = State.random(example_model(rng), rng)
    body, ancestors = state.bodies, state.model.ancestors
    chains = [
        (body[i], body[j], body[k])
        for i in range(state.model.NB)
        for j in ancestors[i]
        for k in ancestors[j][:-1]
    ]
    truth = [start(*chain) for chain in chains]
    return [
        (statement, max(np.abs(f(*c) - t).max() for c, t in zip(chains, truth, strict=True)))
        for statement, f in LINES
    ]


def main() -> None:
    print("residual  line")
    for statement, residual in derivation():
        print(f"{residual:8.1e}  {statement}")


if __name__ == "__main__":
    main()
