"""test_vectors: arguments and both sides of the identities, for programs in other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from spatial_v2 import spatial
from spatial_v2.arrays import Array
from tensor_sva import B, B_t, Tm, crf_t, crm_t, icrf_t, mT, mTm, rotR, rotRT, rotT
from tensor_sva.body import Body
from tensor_sva.identities.draw import draw
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.state import State, example_model
from tensor_sva.suite.operators import OPERATORS, needs
from tensor_sva.suite.run import TOLERANCE, chosen

__all__ = ["OURS", "SCHEMA", "test_vectors"]

OURS: dict[str, Callable[..., Array]] = {
    "crm": spatial.crm, "crf": spatial.crf, "icrf": spatial.icrf, "crm_t": crm_t, "crf_t": crf_t,
    "icrf_t": icrf_t, "mT": mT, "Tm": Tm, "mTm": mTm, "rotT": rotT, "rotR": rotR, "rotRT": rotRT,
    "B": B, "B_t": B_t,
}  # fmt: skip
"""The operators of this library, by the names of `OPERATORS`."""

_ARGUMENTS = {
    "crm": "v", "crf": "v", "icrf": "f", "crm_t": "U", "crf_t": "U", "icrf_t": "F", "mT": "A Y",
    "Tm": "Y A", "mTm": "A Y A", "rotT": "Y", "rotR": "Y", "rotRT": "Y", "B": "I v", "B_t": "I U",
}  # fmt: skip

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Test vectors of spatial vector algebra",
    "type": "object",
    "required": ["format", "tolerance", "operators", "identities"],
    "properties": {
        "format": {"const": "spatial_v2 identities 1"},
        "tolerance": {"type": "number"},
        "operators": {"type": "object", "additionalProperties": {"$ref": "#/$defs/operator"}},
        "identities": {"type": "array", "items": {"$ref": "#/$defs/identity"}},
    },
    "$defs": {
        "array": {
            "type": "object",
            "description": "Numbers row by row, the last axis first; a tensor is rows, columns, "
            "pages; a scalar has no axes.",
            "required": ["shape", "data"],
            "properties": {
                "shape": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                "data": {"type": "array", "items": {"type": "number"}},
            },
        },
        "operator": {
            "type": "object",
            "required": ["shapes", "arguments", "result"],
            "properties": {
                "shapes": {"type": "string"},
                "arguments": {"type": "array", "items": {"$ref": "#/$defs/array"}},
                "result": {"$ref": "#/$defs/array"},
            },
        },
        "identity": {
            "type": "object",
            "required": ["name", "latex", "source", "needs", "cases"],
            "properties": {
                "name": {"type": "string"},
                "latex": {"type": "string"},
                "source": {"type": "string"},
                "needs": {"type": "array", "items": {"type": "string"}},
                "cases": {"type": "array", "items": {"$ref": "#/$defs/case"}},
            },
        },
        "case": {
            "type": "object",
            "required": ["case", "arguments", "left", "right"],
            "properties": {
                "case": {"type": "string"},
                "arguments": {
                    "type": "object",
                    "description": "By letter; a body has its quantities, in ground coordinates.",
                },
                "left": {"$ref": "#/$defs/array"},
                "right": {"$ref": "#/$defs/array"},
            },
        },
    },
}
"""JSON schema of the result of `test_vectors`."""


def test_vectors(
    names: Iterable[str] | None = None, rng: np.random.Generator | int = 0
) -> dict[str, Any]:
    """Return arguments, results of operators, and both sides of identities as plain data.

    Parameters
    ----------
    names : iterable of str, optional
        Names of identities; all by default.
    rng : numpy.random.Generator or int, optional
        Generator of the random arguments, or its seed.

    Returns
    -------
    dict
        Data for ``json.dump``, in the format of `SCHEMA`. For identities about joints there is one
        pair of bodies for each relation of two bodies, with all quantities of both bodies.

    Raises
    ------
    SpatialError
        If a name is unknown.

    See Also
    --------
    run : Evaluation of identities in Python.

    Examples
    --------
    >>> vectors = test_vectors(["P4", "K1"])
    >>> vectors["operators"]["crm"]["result"]["shape"]
    [6, 6]
    >>> [case["case"] for case in vectors["identities"][0]["cases"]]
    ['j < i', 'j = i', 'j > i', 'unrelated']
    """
    rng = np.random.default_rng(rng)
    state = State.random(example_model(rng), rng)
    operators = {}
    for name, letters in _ARGUMENTS.items():
        arguments = _fitting(letters.split(), rng)
        operators[name] = {
            "shapes": OPERATORS[name],
            "arguments": [_data(x) for x in arguments],
            "result": _data(OURS[name](*arguments)),
        }
    return {
        "format": SCHEMA["properties"]["format"]["const"],
        "tolerance": TOLERANCE,
        "operators": operators,
        "identities": [
            {
                "name": x.name,
                "latex": x.latex,
                "source": x.source,
                "needs": needs(x),
                "cases": (_pairs if x.about_joints else _arguments)(x, state, rng),
            }
            for x in chosen(names)
        ],
    }


test_vectors.__test__ = False  # type: ignore[attr-defined]


def _fitting(letters: list[str], rng: np.random.Generator) -> list[Array]:
    if letters == ["A", "Y", "A"]:
        return [rng.normal(size=shape) for shape in ((2, 3), (3, 4, 5), (4, 6))]
    if letters == ["Y", "A"]:
        return [rng.normal(size=shape) for shape in ((2, 3, 5), (3, 4))]
    return draw(letters, rng)


def _arguments(identity: Identity, _: State, rng: np.random.Generator) -> list[dict[str, Any]]:
    letters = identity.letters.split()
    arguments = draw(letters, rng)
    data = {letter: _data(x) for letter, x in zip(letters, arguments, strict=True)}
    left = identity.lhs(*arguments)
    return [_case(case, data, left, side, arguments) for case, side in identity.right_sides.items()]


def _pairs(identity: Identity, state: State, rng: np.random.Generator) -> list[dict[str, Any]]:
    letters = identity.letters.split()[2:]
    constants = [x[..., 0] for x in draw(letters, rng)]
    more = {letter: _data(x) for letter, x in zip(letters, constants, strict=True)}
    pairs = {state.relation(i, j): (i, j) for i in state.bodies for j in state.bodies}
    cases = []
    for case, side in identity.right_sides.items():
        i, j = pairs[case]
        data = {"i": _body(i), "j": _body(j), **more}
        cases.append(_case(case, data, identity.lhs(i, j, *constants), side, [i, j, *constants]))
    return cases


def _case(name: str, arguments_data: Any, left: Array, side: Any, arguments: Any) -> dict[str, Any]:
    right = 0 * left if side is None else side(*arguments)
    return {"case": name, "arguments": arguments_data, "left": _data(left), "right": _data(right)}


def _body(body: Body) -> dict[str, Any]:
    seen = {name: _data(x) for name, x in vars(body).items() if isinstance(x, np.ndarray)}
    above = {name: _data(getattr(body.parent, name)) for name in ("v", "xi", "gamma")}
    return {"index": body.index, **seen, "parent": above}


def _data(x: Any) -> dict[str, Any]:
    x = np.asarray(x)
    return {"shape": list(x.shape), "data": x.ravel().tolist()}
