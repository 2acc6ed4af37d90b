"""Run an example for the gallery and draw its picture: a chart, or a robot in motion.

python docs/figures/gallery.py NAME FOLDER      writes output.txt, picture.png and, of a motion,
                                                frame.html
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import spatial_v2
from spatial_v2 import load_model, show, showmotion, simulate
from spatial_v2.plots import plot_sparsity
from spatial_v2.show import Animation

EXAMPLES = Path(__file__).parents[2] / "examples"
ORANGE, BLUE, GREEN, GREY = "#e08a1e", "#2f6fb0", "#2a9d8f", "#7f8ca0"
Names = dict[str, Any]


def panels(n: int = 1, width: float = 6.4, height: float = 3.6) -> Any:
    """Axes of a new figure."""
    return Figure(figsize=(width, height), layout="constrained").subplots(1, n, squeeze=False)[0]


def bars(values: dict[str, float], label: str) -> Axes:
    """Small numbers as lengths on a logarithmic scale."""
    (ax,) = panels(height=0.9 + 0.3 * len(values))
    ax.barh(list(values), list(values.values()), color=BLUE)
    ax.set(xscale="log", xlabel=label)
    ax.invert_yaxis()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


MOTIONS: list[tuple[Any, Any]] = []
"""Models and motions that the example has simulated when it ran."""


def recording(model: Any, *arguments: Any, **options: Any) -> Any:
    """Simulate, and keep the motion for the picture."""
    motion = simulate(model, *arguments, **options)
    MOTIONS.append((model, motion))
    return motion


def recorded(_: Names) -> Animation:
    """The longest motion that the example has simulated."""
    model, motion = max(MOTIONS, key=lambda x: len(x[1].t))
    keep = slice(None, None, max(1, len(motion.t) // 400))
    return showmotion(model, motion.t[keep], motion.q[keep])


def of_simulate(e: Names) -> Animation:
    model = e["robot"]()
    qd = np.random.default_rng(0).normal(size=model.NV)
    qd[5] += 5.0
    t, q, _ = e["simulate"](model, qd, 1.0)
    return showmotion(model, t, q, overlays="com")


def of_gyroscope(e: Names) -> Animation:
    course, _ = e["motion"](np.pi / 3, 0.0)
    return showmotion(e["TOP"], course.t, course.q)


def of_tennis_racket(e: Names) -> Animation:
    flight = e["motion"](1)
    return showmotion(e["RACKET"], flight.t[::4], flight.q[::4])


def of_arm_control(e: Names) -> Axes:
    left, right = panels(2)
    off = np.array([0.1, -0.1, 0.05, 0.1, 0.1, -0.1])
    run = e["motion"](e["computed_torque"], e["HOME"] + off, 1.2)
    error = run.q - e["COURSE"](run.t).q
    left.plot(run.t, error, color=BLUE)
    left.plot(run.t, off * e["decay"](run.t)[:, None], color=ORANGE, linestyle=":")
    left.set(xlabel="t [s]", ylabel="error [rad]; dotted: predicted", title="computed torque")
    run = e["motion"](e["operational_space"], e["HOME"], 1.5)
    hand = e["forward_kinematics"](e["ARM"], run.q, frame=e["HAND"]).p - e["PLACE"]
    right.plot(run.t, 1e3 * hand, color=BLUE)
    right.plot(run.t, 1e3 * (e["REACH"](run.t).q - e["PLACE"]), color=ORANGE, linestyle=":")
    right.set(xlabel="t [s]", ylabel="hand [mm]; dotted: course", title="operational space")
    return left


def of_adaptive_control(e: Names) -> Axes:
    left, right = panels(2)
    runs = e["follow"](e["GAIN"], 10.0), e["follow"](0.0, 10.0)
    for run, colour, name in zip(runs, (BLUE, ORANGE), ("adaptive", "fixed"), strict=True):
        left.semilogy(run["t"], run["error"] + 1e-6, color=colour, label=name)
    left.set(xlabel="t [s]", ylabel="largest error [rad]", ylim=(1e-3, 2))
    left.legend(frameon=False)
    right.plot(runs[0]["t"], runs[0]["V"], color=BLUE, label="V")
    fallen = runs[0]["V"][0] - runs[0]["lost"]
    right.plot(runs[0]["t"], fallen, color=ORANGE, linestyle=":", label="V(0) less its loss")
    right.set(xlabel="t [s]")
    right.legend(frameon=False)
    return left


def of_momentum_observer(e: Names) -> Axes:
    (ax,) = panels()
    run = e["watch"]()
    for j, colour in zip(range(6), (GREY, BLUE, GREEN, ORANGE, "k", "0.6"), strict=True):
        ax.plot(run["t"], run["residual"][:, j], color=colour, label=f"joint {j}")
        ax.plot(run["t"], run["torque"][:, j], color=colour, linestyle=":")
    ax.set(xlabel="t [s]", ylabel="residual [N m]; dotted: torque")
    ax.legend(frameon=False, fontsize=8)
    return ax


def of_foucault(e: Names) -> Axes:
    left, right = panels(2)
    for (place, latitude), colour in zip(
        e["LATITUDES"].items(), (ORANGE, BLUE, GREEN), strict=True
    ):
        swing = e["motion"](latitude)
        right.plot(swing.t, np.degrees(e["plane"](swing)), color=colour, label=place)
        if place == "pole":
            left.plot(*swing.q[:, 1:].T, color=colour, lw=0.5)
    left.set(aspect="equal", xlabel="east [m]", ylabel="north [m]", title="seen from the floor")
    right.set(xlabel="time [s]", ylabel="plane of swing [deg]")
    right.legend(frameon=False)
    return left


def of_chaos(e: Names) -> Axes:
    t, one, two, predicted = e["motion"](20.0)
    (ax,) = panels()
    ax.semilogy(t, np.linalg.norm(two - one, axis=1), color=BLUE, label="apart")
    ax.semilogy(t, np.linalg.norm(predicted, axis=1), "--", color=ORANGE, label="predicted")
    ax.set(xlabel="time [s]", ylabel="distance of the two states")
    ax.legend(frameon=False)
    return ax


def of_four_bar(e: Names) -> Animation:
    q = e["project_configuration"](e["MODEL"], [1.2, -0.6, 1.6], e["LOOP"]).q
    t = np.linspace(0, 4, 161)
    motion = simulate(e["MODEL"], (q, np.zeros(3)), t, constraints=e["LOOP"], baumgarte=(400, 40))
    return showmotion(e["MODEL"], t, motion.q, overlays="com")


def of_strandbeest(e: Names) -> Animation:
    y, _ = e["walk"]()
    return showmotion(e["BEAST"], np.linspace(0, 4, len(y)), y)


def of_gripper(e: Names) -> Animation:
    y = e["closing"]()
    return showmotion(e["GRIPPER"], np.linspace(0, 2, len(y)), y)


def of_two_feet(e: Names) -> Animation:
    model = load_model("talos", floating_base=True, couplings="free")
    return show(model, e["stand"]()["q"], overlays="com")


def of_balance(e: Names) -> Animation:
    model, q = e["standing"]()
    motion = e["pushed"](e["Balance"](model, q), model, q, 1.0)
    return showmotion(model, motion.t, motion.q, overlays="com")


def of_landing(e: Names) -> Axes:
    (ax,) = panels()
    restitution = np.linspace(0, 1, 9)
    lost = np.array([e["impact"](x)[2:] for x in restitution])
    ax.plot(restitution, lost[:, 1], color=ORANGE, label="by the law")
    ax.plot(restitution, lost[:, 0], "o", color=BLUE, label="lost in the impact")
    ax.set(xlabel="restitution e", ylabel="energy [J]")
    ax.legend(frameon=False)
    return ax


def of_ddp(e: Names) -> Axes:
    (ax,) = panels()
    ax.semilogy(e["solve"](exact=True), "o-", color=BLUE, label="exact Hessians")
    ax.semilogy(e["solve"](exact=False), "s-", color=ORANGE, label="without (iLQR)")
    ax.set(xlabel="iteration", ylabel="expected decrease of the cost")
    ax.legend(frameon=False)
    return ax


def of_derive_expression(e: Names) -> Axes:
    lines = e["derivation"]()[1:]
    return bars({" ".join(x.split(":")[0].split()): max(y, 1e-17) for x, y in lines},
                "difference from the complex step")  # fmt: skip


def of_sparsity(e: Names) -> Axes:
    axes = panels(3, width=9)
    for ax, (name, model) in zip(axes, e["robots"]().items(), strict=True):
        tensor = np.asarray(e["tensors"](model)[0])
        plot_sparsity(np.where(np.abs(tensor) > 1e-12, tensor, 0.0), ax)
        ax.set_title(f"d2tau_dq, {name}")
    return axes[0]


def of_com_coordinates(e: Names) -> Axes:
    axes = panels(2)
    for ax, name in zip(axes, "MC", strict=True):
        size = np.log10(np.abs(e[name]) + 1e-16)
        ax.imshow(size, cmap="Blues", vmin=-14, vmax=0)
        ax.set(title=name, xticks=[], yticks=[])
    return axes[0]


def of_identification(e: Names) -> Axes:
    report = e["main"](quick=True)
    (ax,) = panels(height=2.2)
    names = ["data sheet", "identified"]
    ax.barh(names, [report[name] for name in names], color=[ORANGE, BLUE])
    ax.set(xlabel="forces of new motions wrong by [N m]")
    ax.invert_yaxis()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def of_against_pinocchio(e: Names) -> Axes:
    file = str(e["example_robots"]()["solo12"])
    return bars(e["compare"](file), "largest relative difference")


def of_contacts_against_pinocchio(e: Names) -> Axes:
    apart = e["compare"](next(iter(e["CASES"])))[2]
    return bars({x: max(y, 1e-17) for x, y in apart.items()}, "largest relative difference")


def of_simulink_2_sampled_control(e: Names) -> Axes:
    report = e["main"](quick=True)
    (ax,) = panels(height=2.2)
    ax.barh(list(report), list(report.values()), color=BLUE)
    ax.set(xlabel="ratio of errors when the period is halved")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def main(name: str, folder: Path) -> None:
    spatial_v2.simulate = recording
    sys.argv = [str(EXAMPLES / f"{name}.py")]
    with (folder / "output.txt").open("w", encoding="utf-8") as file, redirect_stdout(file):
        example = runpy.run_path(sys.argv[0], run_name="__main__")
    draw: Callable[[Names], Axes | Animation] = globals().get(f"of_{name}", recorded)
    shown = draw(example)
    if isinstance(shown, Animation):
        t = shown.scene.motion.t
        time = float(t[0] + 0.35 * (t[-1] - t[0]))
        shown.save(folder / "picture.png", time=time, size=(560, 360))
        (folder / "frame.html").write_text(shown._repr_html_(), encoding="utf-8")
    else:
        shown.figure.savefig(folder / "picture.png", dpi=110)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
