"""Compiled kernels, one file an algorithm; nothing here is public.

Kernels know arrays and nothing of `Model`: they take a `Tree` and flat batches (B, n), and treat
one velocity variable at a time (rows of S), so that joints with several freedoms need no special
case beyond their transform. A kernel allocates its arrays once, and calls for each state the parts
that sweep outward and inward over the tree. Quantities are along the ground's axes, about a point
of the robot (`near`) or each body's own origin (`local`), never about a distant base; results about
the base are moved there at the end.

Arrays over bodies with nb + 1 rows have the base's row last, at index -1, which is the parent of a
root: the base's pose and motion are read there, and what is summed over subtrees is left there.
"""
