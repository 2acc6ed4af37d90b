"""The tables and figures of the five papers, and where each is repeated.

``python -m benchmarks --list`` prints them, with the verdicts of `benchmarks.claims`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["PAPERS", "Item", "Paper"]


class Item(NamedTuple):
    """A table or figure of a paper: what it shows, and where it is repeated."""

    shows: str
    studies: tuple[str, ...] = ()
    """Studies that measure it; none if it has no measurements."""
    page: str = ""
    """The page that shows it, if it is not the page of its paper."""


class Paper(NamedTuple):
    """A paper: how tables cite it, its page, and its tables and figures by name."""

    cite: str
    page: str
    items: Mapping[str, Item]

    def page_of(self, name: str) -> str:
        """Return the page that shows a table or figure."""
        return self.items[name].page or self.page


SECOND, FORWARD = (
    "docs/algorithms/second_derivatives.md",
    "docs/algorithms/second_derivatives_forward.md",
)
ALGEBRA, CONVENTIONS, TABLES = (
    "docs/tensor_sva.md",
    "docs/conventions.md",
    "docs/algorithms/moving_base.md",
)
NOTATION = "docs/notation_moving_base.md"

PAPERS = {
    "000": Paper("Singh, Russell, Wensing 2023", "docs/studies/second_derivatives.md", {
        "Table I": Item("notation of Lie theory", page=ALGEBRA),
        "Table II": Item("operators: properties M1 to M27", page="docs/identities.md"),
        "Table III": Item("exponents of the times of second derivatives",
                          ("accuracy_id_so", "first_order")),
        "Fig. 1": Item("numbering of bodies", page=CONVENTIONS),
        "Fig. 2": Item("storage of a tensor", page=ALGEBRA),
        "Fig. 3": Item("order of storage of second derivatives", page=ALGEBRA),
        "Fig. 4": Item("an operator on the columns of a matrix", page=ALGEBRA),
        "Fig. 5": Item("transposes of a tensor", page=ALGEBRA),
        "Fig. 6": Item("backward pass of IDSVA-SO", page=SECOND),
        "Fig. 7": Item("times of second derivatives of ID", ("accuracy_id_so",)),
        "Fig. 8": Item("speed of IDSVA-SO over other methods", ("accuracy_id_so",)),
        "Fig. 9": Item("size of generated code", ("code_lines",)),
        "Fig. 10": Item("IDSVA-SO and generated code on robots", ("code_robots", "code_size")),
        "Fig. 11": Item("four metrics of the error of IDSVA-SO", ("accuracy_id_so",)),
        "Fig. 12": Item("errors of second derivatives of ID", ("accuracy_id_so",)),
        "Fig. 13": Item("flow of the derivatives of forward dynamics", page=FORWARD),
        "Fig. 14": Item("dense products or recursions", ("crossover",)),
        "Fig. 15": Item("the same with and without AVX", ("crossover", "crossover_generic")),
        "Fig. 16": Item("times of second derivatives of FD", ("accuracy_fd_so",)),
        "Fig. 17": Item("speed of FDSVA-SO over other methods", ("accuracy_fd_so",)),
        "Fig. 18": Item("parts of the time of FDSVA-SO", ("fd_so_parts",)),
        "Fig. 19": Item("FDSVA-SO and generated code on robots", ("code_robots", "code_size")),
        "Fig. 20": Item("errors of second derivatives of FD", ("accuracy_fd_so",)),
        "Fig. 21": Item("best steps of Finite-Diff-1", ("step_sizes",)),
        "Fig. 22": Item("error of Finite-Diff-1 over both steps", ("step_sizes",)),
        "Fig. 23": Item("error of Finite-Diff-2 over its step", ("step_sizes",)),
    }),
    "001": Paper("Kudruss, Manns, Kirches 2019", "docs/studies/constraints.md", {
        "Table 1": Item("cost and precision of derivatives", ("effort", "cart_pendulum")),
        "Table 2": Item("symbols of a model"),
        "Fig. 1a": Item("errors on a cart with a pendulum", ("cart_pendulum",)),
        "Fig. 1b": Item("errors on the cart with constraints", ("cart_pendulum",)),
        "Fig. 2": Item("cost over the number of directions", ("effort", "forward_mode")),
        "Fig. 3": Item("convergence of SQP for three weights", ("lift",)),
    }),
    "002": Paper("Singh, Russell, Wensing 2022", "docs/studies/first_derivatives.md", {
        "Table I": Item("ways to differentiate"),
        "Table II": Item("names of algorithms"),
        "Table III": Item("sizes from which AZA is faster",
                          ("crossover_large", "crossover_generic")),
        "Fig. 1": Item("numbering of bodies", page=CONVENTIONS),
        "Fig. 2": Item("times of first derivatives of ID and FD", ("first_order",)),
        "Fig. 3": Item("IDSVA in ground and in body coordinates", ("coordinates",)),
        "Fig. 4": Item("IDSVA and Pinocchio on trees", ("trees",)),
        "Fig. 5": Item("IDSVA and Pinocchio on robots", ("robots",)),
        "Fig. 6": Item("FDSVA and Pinocchio on trees", ("trees",)),
        "Fig. 7": Item("products with the inverse inertia matrix",
                       ("crossover", "crossover_large", "crossover_generic")),
    }),
    "003": Paper("Bos, Traversaro, Pucci, Saccon 2022", "docs/studies/moving_base.md", {
        "Table 1": Item("earlier approaches, by four requirements", page=NOTATION),
        "Table 2": Item("notation of frames, twists and wrenches", page=NOTATION),
        "Table 3": Item("symbols of the recursions", page=NOTATION),
        "Table 4": Item("EIDAmb", page=TABLES),
        "Table 5": Item("derivatives along the pose", page=TABLES),
        "Table 6": Item("derivatives along the joint positions", page=TABLES),
        "Table 7": Item("derivatives with respect to the velocity of the base", page=TABLES),
        "Table 8": Item("derivatives with respect to the joint velocities", page=TABLES),
        "Table 9": Item("IMMAmb", page=TABLES),
        "Fig. 1": Item("numbering of bodies", page=CONVENTIONS),
        "Fig. 2": Item("numbering of joints", page=CONVENTIONS),
        "Fig. 3": Item("frames of bodies and joints", page=CONVENTIONS),
        "Fig. 4": Item("the robot of the comparison"),
        "Fig. 5": Item("errors of geometric differences", ("geometric_differences",)),
    }),
    "004": Paper("Echeandia, Wensing 2021", "docs/studies/coriolis.md", {
        "Table 1": Item("times of C and Gamma on four trees", ("coriolis",)),
        "Table 2": Item("Christoffel symbols by computer algebra", ("symbolic",)),
        "Fig. 1": Item("numbering of bodies", page=CONVENTIONS),
        "Fig. 2": Item("times of C and Gamma for chains", ("coriolis",)),
        "Fig. 3": Item("times of C and Gamma for binary trees", ("coriolis",)),
        "Fig. 4": Item("times of C and Gamma for legged robots", ("coriolis",)),
    }),
}  # fmt: skip
