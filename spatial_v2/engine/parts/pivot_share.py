"""The share of an inertia below which a difference of inertias is rounding error."""

SHARE = 2.0**-46
"""64 units of rounding of doubles, 1.4e-14.

Each joint that a body carries rounds its inertia once or twice, by one unit; a pivot of this share
has at most one or two correct digits, on long chains none.
"""
