"""Finding the robots of the package example-robot-data, without importing it."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["example_robots"]

_SHORT_NAMES = {
    "alex": "alex_nub_hands",
    "alexander": "alexander_v1.lowerBodyOnly",
    "anymal": "anymal_b",
    "anymal_kinova": "anymal-kinova",
    "asr_twodof": "TwoDofs",
    "b1_z1": "b1-z1",
    "borinot": "borinot_flying_arm_2",
    "g1": "g1_29dof_rev_1_0",
    "g1_with_hands": "g1_29dof_with_hand_rev_1_0",
    "hector": "quadrotor_base",
    "hextilt": "hextilt_flying_arm_5",
    "hyq": "hyq_no_sensors",
    "solo8": "solo",
    "talos": "talos_full_v2",
    "talos_arm": "talos_left_arm",
    "talos_full": "talos_full_v2",
    "ur10": "ur10_robot",
    "ur3": "ur3_robot",
    "ur5": "ur5_robot",
    "xarm": "xarm7",
}


def example_robots() -> dict[str, Path]:
    """Find the URDF files of the installed package example-robot-data, by name.

    Returns
    -------
    dict
        File by robot name, in alphabetical order; empty if the package is not installed. A robot
        has the name of its file (``talos_reduced``), or of its folder if two files have the same
        name (``anymal_b``, ``anymal_c``); some also have a short name (``ur5``, ``hyq``, and
        ``talos`` for the complete robot with grippers, 44 joints).

    Examples
    --------
    >>> file = example_robots().get("ur5")      # None where the package is not installed
    """
    folder = _folder()
    files = sorted(folder.glob("*/*/*.urdf")) if folder else []
    stems = [file.stem for file in files]
    named = {
        file.stem if stems.count(file.stem) == 1 else _folder_name(file): file for file in files
    }
    named |= {short: named[name] for short, name in _SHORT_NAMES.items() if name in named}
    return dict(sorted(named.items()))


def _folder_name(file: Path) -> str:
    name = file.parent.parent.name
    for suffix in ("_description", "_simple", "_data"):
        name = name.removesuffix(suffix)
    return name


def _folder() -> Path | None:
    """Return the package's folder with one folder per robot, from a wheel or from conda."""
    from importlib import metadata

    inside = Path("share", "example-robot-data", "robots")
    try:
        files = metadata.files("example-robot-data") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if inside.as_posix() in file.as_posix():
            located = Path(str(file.locate())).as_posix()
            return Path(located.partition(inside.as_posix())[0]) / inside
    shared = Path(sys.prefix) / inside
    return shared if shared.is_dir() else None
