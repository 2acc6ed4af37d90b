"""Compiled kernels; nothing here is public. The README beside has the table of folders.

Kernels know arrays and nothing of `Model`: they take a `Tree` and flat batches (B, n), and treat
one velocity variable at a time (rows of S), so that joints with several of them need no special
case beyond their transform. Quantities are along the ground's axes, about a point of the robot
(`about_robot`) or each body's own origin (`about_body`), never about a distant base; results about
the base are shifted there at the end. Arrays over bodies with nb + 1 rows have the base's row last,
at index -1, which is the parent of a root: sums over the whole tree end there.
"""
