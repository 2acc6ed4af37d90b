"""Letters that stand for the arguments of identities, and relations of two bodies."""

from __future__ import annotations

__all__ = ["KINDS", "RELATIONS"]

RELATIONS = ("j < i", "j = i", "j > i", "unrelated")
"""Relations of bodies i and j: j is an ancestor of i, i itself, a descendant, or unrelated."""

KINDS = {
    "u": "motion vector",
    "v": "motion vector",
    "v1": "motion vector",
    "v2": "motion vector",
    "w": "motion vector",
    "m": "motion vector",
    "f": "force vector",
    "U": "motion matrix",
    "V": "motion matrix",
    "W": "motion matrix",
    "F": "force matrix",
    "I": "inertia",
    "A": "plain matrix",
    "Y": "plain tensor",
    "lam": "scalar",
    "i": "body",
    "j": "body whose joint moves",
}
"""Meaning of the letters of the arguments."""
