"""``spatial-v2 info``: tree, joints and mass of a robot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spatial_v2.cli.derivatives import ROBOT
from spatial_v2.cli.errors import one_line_warnings

if TYPE_CHECKING:
    import numpy as np
    from rich.table import Table
    from rich.tree import Tree

    from spatial_v2.model import Model

__all__ = ["info"]


def info(
    robot: Annotated[str, typer.Argument(help=ROBOT)] = "puma560",
    floating_base: Annotated[
        bool, typer.Option("--floating-base", help="Let the robot float freely.")
    ] = False,
) -> None:
    """Show the tree of a robot, its joints, mass and centre of mass."""
    from spatial_v2.cli.tables import console
    from spatial_v2.couplings.free import free_tree
    from spatial_v2.files.wording import listed
    from spatial_v2.io import load_model

    with one_line_warnings():
        model = load_model(robot, floating_base)
    out = console()
    tree = free_tree(model)
    kind = "planar" if model.is_planar else "spatial"
    counts = f"{tree.NB} bodies, NQ = {model.NQ}, NV = {model.NV}, {tree.n_rotor} rotors"
    out.print(f"{model.name or robot}: {kind} model, {counts}\n", style="bold")
    out.print(_tree(tree))
    out.print()
    out.print(_joints(model))
    m, c = _mass(model)
    out.print(f"mass of the moving bodies        {m:.6g} kg")
    out.print(f"centre of mass, neutral position {_vector(c)} m")
    out.print(f"gravity                          {_vector(tree.gravity)} m/s^2")
    if model.left_out:
        out.print(f"not in the model                 {listed(model.left_out)}")
        if any(part.startswith(("damping", "friction")) for part in model.left_out):
            out.print("damping and friction are read by load_model with dynamics=True")


def _tree(model: Model) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    nodes = {-1: Tree("base")}
    for i, (p, joint) in enumerate(zip(model.parent.tolist(), model.layout.joints, strict=True)):
        label = Text.assemble(f"{i} ", (model.body_names[i], "bold"), (f" {joint.code}", "dim"))
        nodes[i] = nodes[p].add(label)
    return nodes[-1]


def _joints(model: Model) -> Table:
    from spatial_v2.cli.coupled import dependents
    from spatial_v2.cli.tables import index_range, new_table
    from spatial_v2.couplings.free import free_tree

    tree, follow = free_tree(model), dependents(model)
    limits, place = tree.limits or {}, {name: k for k, name in enumerate(model.joint_names)}
    more = ["limits"] * bool(limits) + ["follows"] * bool(follow)
    headings = ["body", "joint", "type", "q", "v", "parent", *more]
    words = ("joint", "type", "limits", "follows")
    table = new_table({h: "left" if h in words else "right" for h in headings})
    for i, name in enumerate(tree.joint_names):
        joint, k = tree.layout.joints[i], place.get(name, -1)
        pitch = f" (pitch {joint.pitch:g})" if joint.pitch else ""
        own = [index_range(x[k]) if k >= 0 else "" for x in (model.qinds, model.vinds)]
        cells = [str(i), name, joint.code + pitch, *own, str(tree.parent[i])]
        if limits:
            bounds = limits.get(name)
            cells.append(f"{bounds.lower:g} .. {bounds.upper:g}" if bounds else "")
        if follow:
            cells.append(follow.get(name, ""))
        table.add_row(*cells)
    return table


def _mass(model: Model) -> tuple[float, np.ndarray]:
    """Compute mass and centre of mass at the neutral configuration, in base coordinates."""
    import numpy as np

    from spatial_v2 import mcI
    from spatial_v2.configuration import neutral
    from spatial_v2.couplings.free import free_configuration, free_tree
    from spatial_v2.dynamics.GlobalDynamics import GlobalDynamics

    tree, q = free_tree(model), free_configuration(model, neutral(model))
    zero = np.zeros(tree.NV)
    m, c, _ = mcI(GlobalDynamics(tree, q, zero, zero).I.sum(axis=0))
    return float(m), np.asarray(c)


def _vector(x: np.ndarray) -> str:
    return "[" + ", ".join(f"{round(value, 12) + 0.0:.6g}" for value in x.tolist()) + "]"
