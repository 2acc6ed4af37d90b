"""The option `couplings` of readers: joints of a file that follow others, and loops."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from spatial_v2.exceptions import ModelError, ModelFileError, SpatialError
from spatial_v2.mechanisms.curves import Curve
from spatial_v2.model import Model

__all__ = ["NO_MORE", "Couplings", "Ties", "check_couplings", "impose"]

Couplings = Literal["auto", "imposed", "free"]
"""Treatment of joints that follow others, and of loops: as the file says, where that is possible or
without exception, or all move freely.
"""


class Ties(NamedTuple):
    """Data of coupled joints in a file that are not in ``model.mimic`` and ``model.loops``."""

    independent: tuple[str, ...] = ()
    """Names of the independent joints of loops; empty if the file does not say."""
    matrix: np.ndarray | None = None
    """G of all joints of the model, if some follow several others, in place of ``model.mimic``."""
    offset: np.ndarray | None = None
    """The offset that belongs to it."""
    curves: Mapping[str, Curve] = {}
    """Joints that follow others by polynomials, or are held, beside ``model.mimic``."""
    fixed: Collection[str] = ()
    """Fixed joints of the file, which hold the joints that follow them in ``model.mimic``."""
    first: Sequence[np.ndarray] = ()
    """Configurations in which the file closes its loops."""
    starts: Sequence[np.ndarray] = ()
    """Other configurations of the file, near which they may be closed."""
    refused: Mapping[str, str] = {}
    """Reasons why joints cannot follow others, by their names; that of ``""`` is the reason why
    there is no `matrix` for couplings of several joints.
    """


NO_MORE = Ties()


class Part(NamedTuple):
    """A loop, a joint that follows another, or the couplings of several joints together."""

    kind: Literal["loop", "joint", "couplings"]
    name: str = ""

    def __str__(self) -> str:
        names = {"loop": f"loop {self.name!r}", "joint": f"joint {self.name!r}"}
        return names.get(self.kind, "couplings of several joints")

    @property
    def is_free(self) -> str:
        """Words for a part that is not imposed."""
        return {"loop": "stays open", "joint": "moves freely"}.get(self.kind, "are not imposed")


def check_couplings(couplings: str) -> None:
    """Raise an error for an unknown value of the option.

    Examples
    --------
    >>> check_couplings("none")
    Traceback (most recent call last):
        ...
    spatial_v2.exceptions.SpatialError: couplings: want 'auto', 'imposed' or 'free', got 'none'
    """
    if couplings not in get_args(Couplings):
        raise SpatialError(f"couplings: want 'auto', 'imposed' or 'free', got {couplings!r}")


def impose(
    model: Model, couplings: Couplings, where: str, ties: Ties = NO_MORE
) -> tuple[Model, str]:
    """Impose the couplings of a file on its tree.

    Returns
    -------
    model : Model
        The model of the independent variables, or the tree if nothing is coupled.
    free : str
        Parts that move freely, with reasons and a remedy; empty if there are none. ``left_out`` of
        the tree, which is changed in place, names them first.
    """
    loops = [Part("loop", name) for name in model.loops or {}]
    joints = [Part("joint", name) for name in {**(model.mimic or {}), **ties.curves}]
    follow = [Part("couplings")] if ties.matrix is not None else joints
    if couplings == "free" or not (loops or follow or ties.refused):
        return model, ""
    refused = {Part("joint" if name else "couplings", name): x for name, x in ties.refused.items()}
    kept = [x for x in (*loops, *follow) if x not in refused]
    try:
        if refused:
            part, reason = next(iter(refused.items()))
            raise ModelError(f"{part}: {reason}")
        return _coupled(model, ties, kept), ""
    except SpatialError as e:
        if couplings == "imposed":
            hint = "couplings='free' reads the tree with all joints free"
            if call := _call(model, ties, "model"):
                hint += f", for {call}"
            raise ModelFileError(f"{where}: {e}; {hint}") from None
    kept = _possible(model, ties, kept, refused)
    if ties.matrix is not None and follow[0] in refused:
        kept = _possible(model, ties, [*kept, *(x for x in joints if x not in refused)], refused)
    model.left_out = (*map(str, refused), *model.left_out)
    result = _coupled(model, ties, kept)
    words = [f"{part} {part.is_free}: {reason}" for part, reason in refused.items()]
    if call := _call(model, ties, "model.tree" if kept else "model"):
        words.append(f"{call} closes loops near another configuration q")
    return result, "; ".join(words)


def _possible(
    model: Model, ties: Ties, parts: Sequence[Part], refused: dict[Part, str]
) -> list[Part]:
    """Return the parts that can be imposed together, in their order; fill `refused`."""
    kept: list[Part] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for part in parts:
            try:
                _coupled(model, ties, [*kept, part])
                kept.append(part)
            except SpatialError as e:
                refused[part] = str(e)
    return kept


def _call(model: Model, ties: Ties, tree: str) -> str:
    """Return the call that closes the loops elsewhere; empty if there are none."""
    if not model.loops:
        return ""
    named = f"independent={[*ties.independent]}, " * bool(ties.independent)
    return f"couple({tree}, constraints=loop_constraints({tree}), {named}guess=q)"


def _coupled(model: Model, ties: Ties, parts: Sequence[Part]) -> Model:
    """Return the model with some of its couplings."""
    if not parts:
        return model
    from spatial_v2.constraints import loop_constraints
    from spatial_v2.mechanisms import couple
    from spatial_v2.mechanisms.search import closed_somewhere, starts_of

    loops = {x.name: (model.loops or {})[x.name] for x in parts if x.kind == "loop"}
    joints = {x.name for x in parts if x.kind == "joint"}
    mimic: dict[str, Any] = {
        name: (None, 0.0, x.offset) if x.joint in ties.fixed else x
        for name, x in (model.mimic or {}).items()
        if name in joints
    }
    for name, x in ties.curves.items():
        if name in joints:
            mimic[name] = tuple(x) if x.leader else (None, 0.0, x.coefficients[0])
    matrix = Part("couplings") in parts
    if loops and matrix:
        raise ModelError(
            "it has loops, and joints that follow several others at once, which cannot be imposed "
            "together; couple takes loops with mimic={joint: (joint, multiplier, offset)}"
        )
    if loops:
        constraints = loop_constraints(model.replace(loops=loops))
        if not constraints.m:
            return couple(model, constraints=constraints)  # an error
        # joints that follow others are independent of the loops, though not of each other
        names = {*ties.independent, *mimic} if ties.independent else ()
        named = [i for i, name in enumerate(model.joint_names) if name in names] or None
        zero, *others = starts_of(model)
        starts = [*ties.first, zero, *ties.starts, *others]
        guess, independent = closed_somewhere(model, constraints, named, starts)
        closure: dict[str, Any] = {"constraints": constraints, "independent": independent}
        return couple(model, **closure, guess=guess, mimic=mimic or None)
    if matrix:
        return couple(model, matrix=ties.matrix, offset=ties.offset)
    return couple(model, mimic=mimic)
