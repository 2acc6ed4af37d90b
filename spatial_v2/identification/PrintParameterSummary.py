"""PrintParameterSummary: table of the identifiable parameters of each body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.identification.IsIdentifiable import IsIdentifiable
from spatial_v2.identification.IsUnidentifiable import IsUnidentifiable
from spatial_v2.identification.parameter_names import parameter_names
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["PrintParameterSummary"]


def PrintParameterSummary(
    model: Model,
    N: Sequence[Any],
    M: Sequence[Any],
    V: Sequence[Any],
    C: Sequence[Any],
    names: Sequence[str] | None = None,
    *,
    rotor_constraint: Any = None,
) -> None:
    """Print for each body its parameters that are identifiable, unidentifiable, or kept.

    Kept parameters remain if all others are set to zero without effect on forces.

    MATLAB: ``PrintParameterSummary(model,N,M,V,C,names)`` and ``PrintParameterSummary_rotor``.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    N, M, V, C : sequence of array_like
        The result of `RPNA` or `RPNA_rotor`.
    names : sequence of str, optional
        A name for each parameter, those of rotors after those of links.
    rotor_constraint : array_like, optional
        The argument `rotor_constraint` of the call of `RPNA_rotor`.

    Raises
    ------
    ModelError
        If there are not as many names as parameters, or results of another model.

    Examples
    --------
    >>> from spatial_v2 import RPNA, puma560
    >>> PrintParameterSummary(puma560(), *RPNA(puma560()))
    body 0 (trunk): 2 motions, 1 combination seen alone, 9 transfers unseen
      identifiable    none
      unidentifiable  m0 mcx0 mcy0 mcz0 Ixx0 Iyy0 Iyz0 Ixz0 Ixy0
      kept            Izz0
    body 1 (upper_arm): 5 motions, 8 combinations seen alone, 3 transfers unseen
    ...
    """
    check_model(model)
    rotors = any(np.shape(x)[1] == 20 for x in N)
    known = parameter_names(model, rotors)
    labels = known if names is None else list(names)
    if len(labels) != len(known):
        raise ModelError(f"names: want {len(known)}, one for each parameter; got {len(labels)}")
    numbers = np.flatnonzero(model.has_rotor).tolist() if rotors else []
    for i in range(model.NB):
        with_rotor = len(M[i]) == 20
        own = [(i, k, labels[10 * i + k]) for k in range(10)]
        if with_rotor:
            start = 10 * (model.NB + numbers.index(i))
            own += [(model.NB + i, k, labels[start + k]) for k in range(10)]
        unseen = len(own) - len(N[i])
        print(
            f"body {i} ({model.body_names[i]}{' and rotor' if with_rotor else ''}): "
            f"{_count(np.shape(V[i])[1], 'motion')}, "
            f"{_count(len(C[i]), 'combination')} seen alone, {_count(unseen, 'transfer')} unseen"
        )
        tests = {"identifiable": IsIdentifiable, "unidentifiable": IsUnidentifiable}
        lines = {
            word: [x for b, k, x in own if test(model, N, b, k, rotor_constraint=rotor_constraint)]
            for word, test in tests.items()
        }
        kept = np.flatnonzero(np.any(np.asarray(M[i]), axis=1))
        lines["kept"] = [own[k][2] for k in kept]
        for word, members in lines.items():
            print(f"  {word:<15} {' '.join(members) or 'none'}")


def _count(n: int, what: str) -> str:
    return f"{n} {what}" + ("" if n == 1 else "s")
