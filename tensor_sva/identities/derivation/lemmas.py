"""Lemmas: derivatives of transforms and of other quantities that no published identity is about."""

from __future__ import annotations

from collections.abc import Mapping

from tensor_sva.identities.derivation.definitions import at, coriolis, crf, crm
from tensor_sva.identities.derivation.labels import renamed
from tensor_sva.identities.derivation.rules import Theorem
from tensor_sva.identities.derivation.terms import Term, op
from tensor_sva.identities.letters import RELATIONS

__all__ = ["LEMMAS", "THEOREM_OF"]

zero = Term({})


def _lemma(
    name: str, variable: str, quantity: Term, below: Term, cases: Mapping[str, Term] | None = None
) -> Theorem:
    same = renamed(below, {"i": "j"})
    right = {**dict.fromkeys(RELATIONS, zero), "j < i": below, "j = i": same, **(cases or {})}
    return Theorem(name, op(f"D{variable}", quantity), right)


s, psid = at("S", "j", "p"), at("psid", "j", "p")
X, Xinv, Xstar, S = at("X", "i"), at("Xinv", "i"), at("Xstar", "i"), at("S", "i", "c")
v, vJ, aJ, I, B = (at(name, "i") for name in ("v", "vJ", "aJ", "I", "B"))

LEMMAS = {
    theorem.name: theorem
    for theorem in (
        _lemma("E1", "q", X, crm(s) * X),
        _lemma("E2", "q", Xinv, -Xinv * crm(s)),
        _lemma("E3", "q", Xstar, crf(s) * Xstar),
        _lemma("E4", "qd", X, zero),
        _lemma("E5", "qd", Xinv, zero),
        _lemma("E6", "qd", Xstar, zero),
        _lemma("L1", "q", vJ, crm(s) * vJ),
        _lemma("L2", "q", aJ, crm(s) * aJ),
        _lemma("L3", "q", v, psid - crm(v) * s),
        _lemma("L4", "q", B, coriolis(I, psid) + crf(s) * B - B * crm(s)),
        _lemma("L5", "qd", S, zero),
        _lemma("L6", "qd", I, zero),
        _lemma("L7", "qd", vJ, zero, {"j = i": s}),
        _lemma("L8", "qd", B, coriolis(I, s)),
    )
}
"""Lemmas by name: E for transforms, L for joint velocities, velocities and Coriolis matrices."""

THEOREM_OF = {
    **{("Dq", x): n for x, n in {
        "X": "E1", "Xinv": "E2", "Xstar": "E3", "S": "J1", "vJ": "L1", "aJ": "L2", "v": "L3",
        "B": "L4", "I": "K5", "Sd": "K2", "psid": "K4", "psidd": "K9", "a": "K7", "xi": "J6",
        "gamma": "J7", "f": "K11", "IC": "K6", "BC": "K10", "fC": "K12",
    }.items()},
    **{("Dqd", x): n for x, n in {
        "X": "E4", "Xinv": "E5", "Xstar": "E6", "S": "L5", "I": "L6", "vJ": "L7", "B": "L8",
        "v": "J8", "xi": "J9", "Sd": "K14", "psid": "K15", "BC": "K16",
    }.items()},
}  # fmt: skip
"""Names of the theorems about derivatives, by operator and quantity."""
